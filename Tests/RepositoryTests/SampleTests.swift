import Foundation
import TestSupport
import Testing

/// Samples of the shared folder. With them, a clone without that folder can run most tests.
@Suite struct SampleTests {
  private static func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: Shared.samples.path).filter { !$0.hasPrefix(".") }
      .filter { $0.split(separator: "/").last?.contains(".") == true }.sorted()
  }

  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `samples are lines of the shared files`() throws {
    let files = try Self.files()
    #expect(files.count >= 3)
    for file in files {
      let lines = try Data(contentsOf: Shared.samples.appendingPathComponent(file)).split(separator: 10)
      let whole = try Shared.data(file).split(separator: 10)
      if file.hasSuffix(".ndjson") {
        #expect(lines.count >= 100 && Set(lines).isSubset(of: whole), "\(file)")
      } else {
        #expect(lines == whole, "\(file)")
      }
    }
  }

  /// Counts the tests in the sources, and those that need the shared folder individually or through their
  /// suite.
  @Test func `without the shared folder at least 95 of 100 tests run`() throws {
    let folder = Shared.samples.deletingLastPathComponent()
    let condition = ".enabled(if: Shared.isAvailable"
    let (test, suite) = ("@" + "Test", "@" + "Suite")
    var (all, skipped) = (0, 0)
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix("Tests.swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      let tests = text.components(separatedBy: test).dropFirst()
      all += tests.count
      let head = text.components(separatedBy: suite).dropFirst().first?.components(separatedBy: "struct ")
        .first
      let isWhole = head?.contains(condition) == true
      // The text between a test's attribute and its name.
      skipped +=
        isWhole ? tests.count : tests.count { $0.components(separatedBy: "func ")[0].contains(condition) }
    }
    #expect(all > 1_400 && skipped > 20, "\(all), \(skipped)")
    #expect(skipped * 100 <= all * 5, "\(skipped) of \(all) need ../shared")
  }
}
