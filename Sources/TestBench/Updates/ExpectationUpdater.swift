import EngineWire
import Foundation
import Journal
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import TextFormats
import TriggerModel

/// Writes what happened into a scenario's file as its new expectations, where one failed.
///
/// An expectation is edited where it stands, and nothing else: what the file would say then is read again and run,
/// and nothing is written unless it says the same but for these, and they come true. Expectations in a long form,
/// bounds of metrics and `only` are left to their author.
package struct ExpectationUpdater {
  /// An expectation as it was and as it is.
  package struct Change: Hashable, Sendable {
    /// Counted from 1.
    package var line: Int
    package var before: String
    package var after: String
  }

  package enum Outcome: Sendable {
    case updated([Change])
    /// The file is as it was.
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

  /// Whether a text says the same but for its new expectations, and these come true.
  private func check(
    _ bytes: [UInt8], _ claims: [Int: Expectation.Claim], _ loader: ProgramLoader,
    _ stopwatch: @escaping @Sendable () -> UInt64
  ) throws {
    let old = result.program
    guard case .program(let new, _) = loader.load(old.scenario.file, bytes: bytes) else {
      throw Refusal("with its new expectations it could not be read")
    }
    guard Self.rest(of: new.scenario) == Self.rest(of: old.scenario),
      new.scenario.expectations.count == old.scenario.expectations.count
    else { throw Refusal("to write its new expectations would change something else") }
    for (index, expectation) in new.scenario.expectations.enumerated() {
      let before = old.scenario.expectations[index]
      let isRight = claims[index].map { $0 == expectation.claim }
      guard isRight ?? (expectation.claim == before.claim && expectation.text == before.text) else {
        throw Refusal("its new expectations would not be read as they are meant")
      }
    }
    var none = NoJournal()
    let again = try options.engine.run(new, [], stopwatch, into: &none).result
    let isSame = again.expectations.indices.allSatisfy { index in
      again.expectations[index].passed == (claims[index] != nil || result.expectations[index].passed)
    }
    guard again.overrun == nil, isSame else { throw Refusal("its new expectations would not come true") }
  }

  /// What a scenario says beside its expectations.
  private static func rest(of scenario: Scenario) -> Scenario {
    var rest = scenario.withoutSources
    rest.expectations = []
    return rest
  }
}
