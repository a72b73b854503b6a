import Foundation
import ScenarioSamples
import TestSupport
import Testing
import TriggerModel

@testable import Scenarios
@testable import TextFormats

@Suite struct DiagnosticTests {
  /// The exact messages of every malformed file are kept; TRIGGERBENCH_RECORD=1 writes them anew.
  @Test(arguments: MalformedCases.classes.map(\.name))
  func `what is wrong with a file is said in these words`(name: String) throws {
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

  @Test func `every class has three cases`() {
    for (name, cases) in MalformedCases.classes where name != "many-at-once" {
      #expect(cases.count >= 3, "\(name)")
    }
  }

  @Test func `a file that is not there, a folder, and a recording that is missing`() throws {
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

  @Test func `a file of another kind is left alone`() {
    guard case .otherKind("experiment") = read("kind: experiment\nwhatever: 1\n") else {
      Issue.record("taken for a scenario")
      return
    }
  }

  @Test func `a caret stands below the column, also in long lines and behind wide characters`() {
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

  @Test func `the nearest name is one that may have been meant`() {
    let names = ["quietHours", "dailyCap", "typeDailyCap", "checkOrder"]
    #expect(NearestNames.likely("qietHours", among: names) == "quietHours")
    #expect(NearestNames.likely("dialyCap", among: names) == "dailyCap")
    #expect(NearestNames.likely("DAILYCAP", among: names) == "dailyCap")
    #expect(NearestNames.likely("minimumInterval", among: names) == nil)
    #expect(NearestNames.distance("ab", "ba") == 1)
    #expect(NearestNames.distance("", "abc") == 3)
  }
}
