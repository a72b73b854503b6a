import Foundation
import TestSupport
import Testing

/// Tests that the terminal output of a run can be read at a glance.
@Suite(.timeLimit(.minutes(10))) struct GlanceTests {
  @Test func `the shipped suite prints one line per folder, and the verdict last`()
    async throws
  {
    let folder = try Folder()
    let scenarios = Repository.root.appendingPathComponent("scenarios").path
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("scenarios").path, withDestinationPath: scenarios)
    let outcome = try await folder.run("run")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.code == 0)
    #expect(lines.count <= 50)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
    #expect(lines[0].hasPrefix("ok   scenarios/  "))
    #expect(lines.dropLast().last?.contains(" scenarios passed, ") == true)
    #expect(lines.last == "")
  }

  @Test func `a failure is printed first, and each passed scenario has one line`() async throws {
    let folder = try Folder()
    for number in 0..<10 { try folder.write(Samples.small, to: "suite/small\(number).yaml") }
    try folder.write(Samples.failing, to: "suite/failing.yaml")
    let outcome = try await folder.run("run", "suite")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.code == 2)
    #expect(lines[0] == "suite/failing.yaml:21:5: expectation failed")
    #expect(lines.contains("ok   suite/  10 scenarios, all 40 expectations"))
    #expect(!outcome.output.contains("small0"))
    #expect(lines.count < 24)
    #expect(lines.suffix(2) == ["10 of 11 scenarios passed, 42 of 44 expectations", ""])
  }

  @Test func `the first of many failures is printed, and the others are counted`() async throws {
    let folder = try Folder()
    for number in 10..<40 { try folder.write(Samples.failing, to: "suite/failing\(number).yaml") }
    let outcome = try await folder.run("run", "suite")
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "suite/failing10.yaml:21:5: expectation failed")
    #expect(lines.count <= 50, "\(lines.count)")
    #expect(outcome.output.contains(" more failed: see the reports\n"))
    #expect(lines.contains("FAIL 18 more scenarios"))
  }

  @Test(arguments: [40, 60, 200])
  func `lines fit the terminal and contain the figure of a gate`(width: Int) async throws {
    let folder = try Folder()
    let gate = "gates: [tapThrough of milk >= 25 %]\n"
    for name in ["a", "b"] { try folder.write(gate + Samples.small, to: "suite/\(name).yaml") }
    let outcome = try await folder.shell("COLUMNS=\(width) triggerbench run suite")
    let lines = outcome.output.split(separator: "\n")
    let rows = lines.filter { $0.hasPrefix("ok") || $0.hasPrefix("  ") }
    #expect(rows.count == 3 && rows.allSatisfy { $0.count <= width }, "\(rows)")
    #expect(rows.contains { $0.contains(": 100.0 % (2") }, "\(rows)")
  }

  @Test func `annotations for GitHub are escaped and refer to existing files`() async throws {
    let folder = try Folder()
    try folder.write(Samples.failing, to: "suite/a,b.yaml")
    let outcome = try await folder.run("run", "suite", "--format", "github")
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("::error file=suite/a%2Cb.yaml,line=21,col=5::expected "))
    #expect(outcome.output.contains("%0Agot "))
    try folder.write(Samples.small, to: "small.yaml")
    let input = try await folder.shell("triggerbench run --format github - <small.yaml")
    #expect(!input.output.contains("file=-"))
    // GitHub resolves paths relative to the root of the repository, without './'.
    for line in [
      "export GITHUB_WORKSPACE=$PWD; cd suite; triggerbench run --format github .",
      "export GITHUB_WORKSPACE=$PWD; cd suite; triggerbench run --format github $PWD/../suite/a,b.yaml",
      "unset GITHUB_WORKSPACE; triggerbench run --format github ./suite",
    ] {
      let named = try await folder.shell(line)
      #expect(named.output.contains("::error file=suite/a%2Cb.yaml,line=21,"), "\(line): \(named)")
    }
  }

  @Test func `an expected warning is not printed, but a missing one is reported`() async throws {
    let folder = try Folder()
    let twice = Samples.small.replacing("  - 23:10 plug in\n", with: "  - 23:10 plug in\n  - 23:20 plug in\n")
    try folder.write(twice, to: "told.yaml")
    #expect(try await folder.run("run", "told.yaml").errors.contains("without effect"))
    try folder.write("intendedWarnings: [without effect]\n" + twice, to: "meant.yaml")
    #expect(try await folder.run("run", "meant.yaml").errors.isEmpty)
    try folder.write("intendedWarnings: [without effect]\n" + Samples.small, to: "never.yaml")
    let never = try await folder.run("run", "never.yaml")
    #expect(
      never.code == 0
        && never.errors.contains("never.yaml:1:20: warning: no warning contains 'without effect'"))
  }

  @Test func `the JUnit report has no virtual times, and no file name for standard input`() async throws {
    let folder = try Folder()
    try folder.write(Samples.small, to: "small.yaml")
    #expect(try await folder.shell("triggerbench run - <small.yaml").code == 0)
    let junit = try folder.read("reports/latest/junit.xml")
    #expect(!junit.contains(" time=") && !junit.contains(" file="))
    #expect(junit.contains(#"classname="-"/>"#))
  }
}
