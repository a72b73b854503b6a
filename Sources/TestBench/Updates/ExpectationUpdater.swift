import EngineWire
import Foundation
import Journal
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import TextFormats
import TriggerModel

/// Replaces the failed expectations in a scenario's file with true ones.
///
/// Expectations are edited in place. Before the file is written, the edited scenario is parsed and run. It
/// may differ from the original only in these expectations, and they must pass. The author must change
/// expectations in long form, bounds of metrics and `only`.
package struct ExpectationUpdater {
  /// An expectation before and after the update.
  package struct Change: Hashable, Sendable {
    /// The line, counted from 1.
    package var line: Int
    package var before: String
    package var after: String
  }

  package enum Outcome: Sendable {
    case updated([Change])
    /// The update was refused, and the file is unchanged. The associated value is the reason.
    case refused(String)
  }

  private let result: ScenarioResult
  private let options: Suite.Options

  package init(_ result: ScenarioResult, _ options: Suite.Options) {
    self.result = result
    self.options = options
  }

  private struct Refusal: Error {
    var why: String

    init(_ why: String) { self.why = why }
  }

  package func write(stopwatch: @escaping @Sendable () -> UInt64) -> Outcome {
    do {
      return .updated(try update(stopwatch))
    } catch let refusal as Refusal {
      return .refused(refusal.why)
    } catch {
      return .refused("\(error)")
    }
  }

  private func update(_ stopwatch: @escaping @Sendable () -> UInt64) throws -> [Change] {
    let file = result.program.scenario.file
    guard file != SuiteFiles.standardInput else { throw Refusal("standard input cannot be written to") }
    let loader = ProgramLoader(options: options)
    let reach = loader.reach(of: file)
    let bytes = try RegularFile.read(file, in: reach)
    guard case .file(let place) = reach.own, var text = ScenarioText(bytes, file: file) else {
      throw Refusal("its text cannot be edited")
    }
    let names = result.program.scenario.reminders.map(\.declaration.id)
    let expectations = result.program.scenario.expectations
    var changes: [Change] = []
    var claims: [Int: Expectation.Claim] = [:]
    for (index, outcome) in result.expectations.enumerated() {
      guard !outcome.passed, let claim = outcome.instead,
        let change = text.edit(
          index, of: result.expectations.count, from: expectations[index].claim, to: claim, reminders: names)
      else { continue }
      changes.append(change)
      claims[index] = claim
    }
    if changes.isEmpty { return [] }
    let edited = text.edited
    try check(edited, claims, loader, stopwatch)
    let attributes = try? FileManager.default.attributesOfItem(atPath: place)
    try Data(edited).write(to: URL(fileURLWithPath: place), options: .atomic)
    if let mode = attributes?[.posixPermissions] {
      try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
    }
    return changes
  }

  /// Checks that the edited file differs only in its expectations and that the new expectations pass.
  private func check(
    _ bytes: [UInt8], _ claims: [Int: Expectation.Claim], _ loader: ProgramLoader,
    _ stopwatch: @escaping @Sendable () -> UInt64
  ) throws {
    let old = result.program
    guard case .program(let new, _) = loader.load(old.scenario.file, bytes: bytes) else {
      throw Refusal("the edited file could not be read")
    }
    guard Self.rest(of: new.scenario) == Self.rest(of: old.scenario),
      new.scenario.expectations.count == old.scenario.expectations.count
    else { throw Refusal("the edit would change other parts of the file") }
    for (index, expectation) in new.scenario.expectations.enumerated() {
      let before = old.scenario.expectations[index]
      let isRight = claims[index].map { $0 == expectation.claim }
      guard isRight ?? (expectation.claim == before.claim && expectation.text == before.text) else {
        throw Refusal("the new expectations would be read differently")
      }
    }
    var none = NoJournal()
    let again = try options.engine.run(new, [], stopwatch, into: &none).result
    let isSame = again.expectations.indices.allSatisfy { index in
      again.expectations[index].passed == (claims[index] != nil || result.expectations[index].passed)
    }
    guard again.overrun == nil, isSame else { throw Refusal("the new expectations would fail") }
  }

  /// Returns the scenario without its expectations.
  private static func rest(of scenario: Scenario) -> Scenario {
    var rest = scenario.withoutSources
    rest.expectations = []
    return rest
  }
}

/// The result of updating the failed expectations of a suite.
package struct ExpectationUpdate: Sendable {
  /// The number of updated expectations.
  package private(set) var count = 0
  /// The messages about files and expectations.
  package private(set) var lines: [String] = []

  /// Updates the files of all scenarios that have failed expectations.
  package init(
    of suite: SuiteResult, _ options: Suite.Options, stopwatch: @escaping @Sendable () -> UInt64
  ) {
    for scenario in suite.scenarios {
      let failed = scenario.failedExpectations
      if failed == 0 { continue }
      let file = scenario.program.scenario.file
      switch ExpectationUpdater(scenario, options).write(stopwatch: stopwatch) {
      case .refused(let why): lines.append("\(file): not updated: \(why)")
      case .updated(let changes):
        let left = changes.count == failed ? "" : "; edit the others yourself"
        lines.append(
          "\(file): updated \(changes.count) of \(failed) failed expectations\(left); review the difference")
        lines += changes.map { "  \($0.line): - \($0.before)\n  \($0.line): + \($0.after)" }
        count += changes.count
      }
    }
  }
}
