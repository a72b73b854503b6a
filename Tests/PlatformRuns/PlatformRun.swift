import Foundation
import ReminderMatching
import ScenarioSamples
import Scenarios
package import Simulation
package import Statistics
package import TestBench
import TestSupport
package import Testing
package import TextFormats
import TriggerModel

/// One run of a scenario. The scenario is either the text of a test or a shipped file.
package struct PlatformRun {
  package let program: Program
  package let warnings: [Diagnostic]
  package let result: ScenarioResult
  package var accounts: RunAccounts { result.accounts }

  /// - Parameter text: The scenario without its first three keys, its start and its zone.
  package init(_ text: String) throws { try self.init(Self.read(text)) }

  /// Returns the program of a text. See ``init(_:)``.
  package static func program(_ text: String) throws -> Program {
    try Program(read(text).get())
  }

  private static func read(_ text: String) -> ScenarioFile.Outcome {
    let head = "kind: scenario\nversion: 1\ntitle: test\nstart: 2026-03-02T07:00\nzone: Europe/Berlin\n"
    return read(whole: head + text)
  }

  package init(whole text: String) throws { try self.init(Self.read(whole: text)) }

  private static func read(whole text: String) -> ScenarioFile.Outcome {
    ScenarioFile.read(Array(text.utf8), file: "test.yaml", fileExists: { _ in false })
  }

  /// - Parameter files: The recordings in the scenario's folder, by name.
  package init(_ text: String, files: [String: String]) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("triggerbench-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, content) in files { try Data(content.utf8).write(to: folder.appendingPathComponent(name)) }
    let head = "kind: scenario\nversion: 1\ntitle: test\nzone: UTC\n"
    try self.init(
      ScenarioFile.read(Array((head + text).utf8), file: "test.yaml", fileExists: { files[$0] != nil }),
      in: ReachableFiles(of: folder.path + "/test.yaml"))
  }

  package init(shipped name: String) throws {
    try self.init(ScenarioFile.load(Repository.scenarios.appendingPathComponent(name).path))
  }

  private init(_ outcome: ScenarioFile.Outcome, in reach: ReachableFiles? = nil) throws {
    program = try Program(outcome.get(), in: reach)
    if case .scenario(_, let warnings) = outcome { self.warnings = warnings } else { warnings = [] }
    result = ScenarioRun(program, stopwatch: { 0 }).run(warnings: warnings + program.warnings).result
  }

  /// Expects that the accounts add up and that all expectations pass.
  package func expectSound(_ comment: Comment = "", sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(accounts.contradictions.isEmpty, comment, sourceLocation: sourceLocation)
    for expectation in result.expectations {
      #expect(
        expectation.passed, "\(comment) \(expectation.text): \(expectation.got)",
        sourceLocation: sourceLocation)
    }
  }

  package func account(_ reminder: String) throws -> ReminderAccount {
    accounts.reminders[try #require(program.reminders.reminder(named: reminder)).index]
  }
}
