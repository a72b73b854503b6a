import Foundation
import ScenarioModel
import ScenarioSamples
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Scenarios
@testable import TextFormats

@Suite struct DiagnosticTests {
  /// Golden files contain the expected messages for all invalid files. Set TRIGGERBENCH_RECORD=1 to record them.
  @Test(arguments: MalformedCases.classes.map(\.name))
  func `malformed files are reported with the recorded messages`(name: String) throws {
    let cases = try #require(MalformedCases.classes.first { $0.name == name }?.cases)
    var text = ""
    for malformed in cases {
      text += "# \(malformed.name)\n"
      let outcome = ScenarioFile.read(malformed.bytes, file: "sample.yaml") { _ in true }
      guard case .unusable(let diagnostics) = outcome else {
        Issue.record("\(name), \(malformed.name): the file was accepted")
        continue
      }
      #expect(diagnostics.contains { $0.severity == .error }, "\(malformed.name)")
      #expect(diagnostics == diagnostics.sortedByPosition(), "\(malformed.name)")
      text += diagnostics.map { $0.rendered() }.joined() + "\n"
    }
    try Golden.expect(text, matches: name + ".txt")
  }

  @Test func `every class of malformed files has three cases`() {
    for (name, cases) in MalformedCases.classes where name != "many-at-once" {
      #expect(cases.count >= 3, "\(name)")
    }
  }

  @Test func `a missing file, a folder and a missing recording are reported`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scenarios-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(
      ScenarioFile.load("no such file.yaml").problems == ["no such file.yaml: error: the file does not exist"]
    )
    #expect(
      ScenarioFile.load(folder.path).problems == ["\(folder.path): error: this is a folder, not a file"])

    let file = folder.appendingPathComponent("a.yaml")
    try Sample.timeline("gpx: way.gpx").text.write(to: file, atomically: true, encoding: .utf8)
    #expect(
      ScenarioFile.load(file.path).problems == [
        "\(file.path):24:10: error: the file 'way.gpx' does not exist; names are relative to the scenario's folder"
      ])
    try "".write(to: folder.appendingPathComponent("way.gpx"), atomically: true, encoding: .utf8)
    #expect(ScenarioFile.load(file.path).problems == [])
  }

  @Test func `a file of another kind is skipped`() {
    guard case .otherKind("experiment") = read("kind: experiment\nwhatever: 1\n") else {
      Issue.record("taken for a scenario")
      return
    }
  }

  @Test func `a caret marks the column, even in long lines and after wide characters`() {
    let short = Diagnostic(
      "no", file: "f", at: SourcePosition(line: 2, column: 3), hint: "yes", excerpt: "\täb")
    #expect(short.rendered() == "f:2:3: error: no; yes\n  \täb\n  \t ^\n")
    let line = String(repeating: "x", count: 300) + "!" + String(repeating: "y", count: 300)
    let long = Diagnostic("no", file: "f", at: SourcePosition(line: 1, column: 301), excerpt: line).rendered()
    let lines = long.split(separator: "\n")
    let caret = lines[2].distance(
      from: lines[2].startIndex, to: lines[2].firstIndex(of: "^") ?? lines[2].startIndex)
    #expect(lines[1].count <= 112 && Array(lines[1])[caret] == "!")
  }

  @Test func `the nearest name is suggested only if it is likely`() {
    let names = ["quietHours", "dailyCap", "typeDailyCap", "checkOrder"]
    #expect(NearestNames.likely("qietHours", among: names) == "quietHours")
    #expect(NearestNames.likely("dialyCap", among: names) == "dailyCap")
    #expect(NearestNames.likely("DAILYCAP", among: names) == "dailyCap")
    #expect(NearestNames.likely("minimumInterval", among: names) == nil)
    #expect(NearestNames.distance("ab", "ba") == 1)
    #expect(NearestNames.distance("", "abc") == 3)
  }
}

/// Tests warnings that a scenario lists under `intendedWarnings`.
@Suite struct IntendedWarningTests {
  private static func warning(_ message: String, _ severity: Diagnostic.Severity = .warning) -> Diagnostic {
    Diagnostic(message, severity: severity, file: "a.yaml")
  }

  private static func sample(intending warnings: String) -> Sample {
    var sample = Sample()
    sample.head += "\nintendedWarnings: [\(warnings)]"
    return sample
  }

  private static let found = [
    warning("this is already the case"), warning("nobody unlocks the phone"),
    warning("this is already the case", .error),
  ]

  @Test func `intended warnings are not reported, but errors and other warnings are`() throws {
    let reported = try scenario(Self.sample(intending: "already the case")).judged(Self.found)
    #expect(reported == Array(Self.found.dropFirst()))
    #expect(try scenario(Sample()).judged(Self.found) == Self.found)
  }

  @Test func `an intended warning that does not occur is reported at its own position`() throws {
    let reported = try scenario(Self.sample(intending: "already the case, too late")).judged(Self.found)
    #expect(reported.dropLast() == Self.found.dropFirst())
    let missing = try #require(reported.last)
    #expect(missing.severity == .warning && missing.message == "no warning contains 'too late'")
    #expect(missing.position?.column == 38)
  }
}
