import CivilTime
import Foundation
import Journal
import RandomScenarios
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import TestBench

/// Changes that explanations name, held against the files in which they are written.
///
/// A few questions in every run of the tests; `.ci/trials/explain` asks 500 of each kind of scenario, and keeps
/// what came out in `reports/trials/explain.md`.
@Suite struct ExplanationTrial {
  /// What was asked: a reminder that did not fire at an instant.
  struct Question {
    var name: String
    var text: String
    var program: Program
    var reminder: ReminderID
    var instant: Instant
  }

  /// What came of the questions.
  struct Tally {
    var asked = 0
    /// By how many edits the change has; those that fire when they are written.
    var fired: [Int: Int] = [:]
    var impossible: [String] = []
    /// Changes that did not do what they were said to do, and single edits that were overlooked.
    var wrong: [String] = []
    /// Questions without a change of one edit for which every other edit was tried, and how many that were.
    var forced = 0
    var tried = 0
    var overlooked: [String] = []

    var holds: Int { fired.values.reduce(0, +) }
  }

  @Test(arguments: [false, true])
  func `a change that is named makes the reminder fire when it is written into the file`(
    ofEverything: Bool
  ) throws {
    var tally = Tally()
    let count = Trial.isWhole ? 500 : ofEverything ? 2 : 8
    let forced = Trial.isWhole ? (ofEverything ? 0 : 40) : 0
    var seed: UInt64 = 0
    while tally.asked < count {
      seed += 1
      guard let question = try Self.question(seed: seed, ofEverything: ofEverything) else { continue }
      try Self.ask(question, isForced: tally.forced < forced, &tally)
    }
    #expect(tally.wrong == [])
    #expect(tally.overlooked == [])
    #expect(Double(tally.holds) >= 0.95 * Double(tally.asked), "\(tally)")
    try Self.keep(tally, ofEverything: ofEverything)
  }

  private static func ask(_ question: Question, isForced: Bool, _ tally: inout Tally) throws {
    guard let answer = try Explainer(question.program).explain(question.reminder, at: question.instant) else {
      return
    }
    let file = try WrittenChange(question.text)
    var isSingle = false
    switch answer.change {
    case .none: return
    case .edits(let edits):
      isSingle = edits.count == 1
      if try file.fires(question.reminder, at: question.instant, or: answer.firesAt, with: edits) {
        tally.fired[edits.count, default: 0] += 1
      } else {
        tally.wrong.append("\(question.name): \(answer.smallestChange)")
      }
    case .impossible: tally.impossible.append("\(question.name): \(answer.smallestChange)")
    }
    tally.asked += 1
    if isSingle || !isForced { return }
    tally.forced += 1
    let reminder = question.program.scenario.reminders[question.reminder.index].declaration.id
    for edit in BruteForce(program: question.program, reminder: reminder, instant: question.instant).edits {
      tally.tried += 1
      guard try file.fires(question.reminder, at: question.instant, with: [edit]) else { continue }
      tally.overlooked.append("\(question.name): \(edit.words), not \(answer.smallestChange)")
      break
    }
  }

  // MARK: - Questions

  /// Nil when the seed gives none.
  private static func question(seed: UInt64, ofEverything: Bool) throws -> Question? {
    let text: String
    if ofEverything {
      let scenario = try RandomScenario.scenario(seed: seed, withRecordings: false)
      text = try ScenarioDocument.write(scenario).text
    } else {
      var story = StoryToExplain(seed: seed)
      text = story.text()
    }
    let outcome = ScenarioFile.read(Array(text.utf8), file: "story.yaml", fileExists: { _ in false })
    guard case .scenario(let scenario, _) = outcome else {
      if !ofEverything, case .unusable(let diagnostics) = outcome {
        Issue.record("story \(seed): \(diagnostics.map(\.summary))")
      }
      return nil
    }
    guard let program = try? Program(scenario) else { return nil }
    var random = SplitMix64(seed: seed &* 0x9E37)
    let reminder = ReminderID(random.int(0...scenario.reminders.count - 1))
    // At times at which something happens, and at any others.
    let minutes = Int((program.end - scenario.start).milliseconds / 60_000)
    let instant =
      random.chance(50) && program.events.count > 0
      ? random.one(of: Array(program.events)).instant
      : scenario.start + .minutes(Int64(random.int(0...max(0, minutes - 1))))
    let name =
      "\(ofEverything ? "scenario" : "story") \(seed), reminder \(reminder.index) at \(instant.iso8601)"
    return Question(name: name, text: text, program: program, reminder: reminder, instant: instant)
  }

  // MARK: - The report

  private static func keep(_ tally: Tally, ofEverything: Bool) throws {
    let edits = tally.fired.keys.sorted().map { "\($0): \(tally.fired[$0] ?? 0)" }.joined(separator: ", ")
    let cells = [
      ofEverything ? "everything that a file can say" : "stories", "\(tally.asked)", "\(tally.holds)", edits,
      "\(tally.impossible.count)", "\(tally.wrong.count)", "\(tally.forced)", "\(tally.tried)",
      "\(tally.overlooked.count)",
    ]
    try Trial.keep(cells, as: ofEverything ? "2" : "1")
  }
}
