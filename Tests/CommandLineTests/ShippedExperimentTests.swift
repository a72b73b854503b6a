import Foundation
import TestSupport
import Testing

/// Tests the shipped experiments. Each has a page that explains its result and quotes its report in
/// `reports/experiments`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct ShippedExperimentTests {
  private static let names = ((try? Repository.files(in: "scenarios/experiments")) ?? []).map {
    URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
  }

  private static let release = Repository.root.appendingPathComponent(".build/release/triggerbench")

  /// The experiments to run. Running all of them takes minutes and requires the release executable.
  private static let made: [String] = {
    if ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil { return names }
    return FileManager.default.isExecutableFile(atPath: release.path) ? ["three-hours"] : []
  }()

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: Repository.root.appendingPathComponent(path)), as: UTF8.self)
  }

  private static func numbers(in text: String) -> [(number: String, hasUnit: Bool)] {
    text.matches(of: /([+-]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)( %| pp| ×| people| draws| of )?/).map {
      (String($0.1), $0.2 != nil)
    }
  }

  @Test func `each experiment has a page and a report`() throws {
    for folder in ["scenarios/experiments", "reports/experiments"] {
      let pages = try FileManager.default
        .contentsOfDirectory(atPath: Repository.root.appendingPathComponent(folder).path)
        .filter { $0.hasSuffix(".md") }.sorted()
      #expect(pages == Self.names.map { $0 + ".md" }, "\(folder)")
    }
  }

  /// A figure that the report does not contain is wrong or outdated.
  @Test(arguments: names) func `a page quotes only its report`(_ name: String) throws {
    let page = try text("scenarios/experiments/\(name).md")
    #expect(page.contains("\n`triggerbench experiment scenarios/experiments/\(name).yaml`\n"))
    #expect(page.contains("[report](../../reports/experiments/\(name).md)"))
    let known = Set(
      try ["reports/experiments/\(name).md", "scenarios/experiments/\(name).yaml"].flatMap {
        Self.numbers(in: try text($0)).map(\.number)
      })
    // Match numbers with a unit or with decimals, but not '4 h', '22:00' or '2024'.
    let quoted = Self.numbers(in: page).filter { $0.hasUnit || $0.number.contains(/[.,]/) }.map(\.number)
    #expect(quoted.count >= 5)
    for number in quoted { #expect(known.contains(number), "\(number) is not in the report") }
  }

  /// To record the reports again, set TRIGGERBENCH_RECORD=1 and TRIGGERBENCH_ALL=1, and then review the
  /// pages.
  @Test(arguments: made) func `the report is reproducible`(_ name: String) async throws {
    let folder = try Folder()
    let file = "scenarios/experiments/\(name).yaml"
    let outcome = try await Tool.run(
      ["experiment", file, "--reports", folder.url("out").path], of: Self.release, in: Repository.root)
    #expect([0, 2].contains(outcome.code), "\(outcome.errors)")
    let now = try folder.read("out/experiment.md")
    try Golden.expect(now, matches: Repository.root.appendingPathComponent("reports/experiments/\(name).md"))
  }
}
