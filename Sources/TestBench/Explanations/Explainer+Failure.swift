import CivilTime
import EngineWire
import Journal
import ScenarioModel
import Scenarios
import Simulation
import Statistics
import TextFormats
package import TriggerModel

extension Explainer {
  /// A question that a failed expectation raises.
  package struct Question: Equatable, Sendable {
    package var reminder: ReminderID
    /// The start of the minute of the first trigger that contradicts the expectation.
    package var instant: Instant
    /// The failed expectation with its line, such as "milk fires once (line 12)", or `nil` if the time was given.
    package var expectation: String?

    package init(reminder: ReminderID, instant: Instant, expectation: String?) {
      self.reminder = reminder
      self.instant = instant
      self.expectation = expectation
    }
  }

  /// Returns a question about the first failed expectation, or `nil` if none fails that is about a reminder.
  ///
  /// - Parameter reminder: The reminder, or `nil` for any.
  /// - Throws: ``TriggerModel/EngineFailure`` if the engine fails.
  package func firstFailure(of reminder: ReminderID?) throws(EngineFailure) -> Question? {
    try engine.withEngines(of: program) { (makeEngine) throws(EngineFailure) -> Question? in
      var none = NoJournal()
      let result = try ScenarioRun(program, stopwatch: { 0 }).run(into: &none, makeEngine: makeEngine).result
      for (expectation, outcome) in zip(program.scenario.expectations, result.expectations)
      where !outcome.passed {
        guard let subject = subject(of: expectation.claim, result.accounts),
          reminder == nil || subject.reminder == reminder,
          let found = try findings(on: subject.reminder, at: program.scenario.start, makeEngine)
        else { continue }
        return Question(
          reminder: subject.reminder, instant: instant(of: subject, found),
          expectation: "\(outcome.text) (line \(outcome.position.line))")
      }
      return nil
    }
  }

  /// A reminder that fired too often or too rarely on an occasion.
  private typealias Subject = (reminder: ReminderID, occasion: Occasion, firedTooOften: Bool)

  private func subject(of claim: Expectation.Claim, _ accounts: RunAccounts) -> Subject? {
    func isIn(_ occasion: Occasion, _ reminder: ReminderID) -> (RunAccounts.Fire) -> Bool {
      { $0.request.reminder == reminder && words.isIn(occasion, $0.moment) }
    }
    switch claim {
    case .fires(let reminder, let count, let occasion), .shows(let reminder, _, let count, let occasion):
      let number = accounts.appeared.count(where: isIn(occasion, reminder))
      return (reminder, occasion, !count.contains(number) && count.contains(0))
    case .ends(let reminder, _, _, let occasion): return (reminder, occasion, false)
    case .metric(_, let reminder, _, _): return reminder.map { ($0, .always, false) }
    case .only(let reminders):
      let other = accounts.appeared.first { !reminders.contains($0.request.reminder) }
      return other.map { ($0.request.reminder, .always, true) }
    case .exact(let fires):
      let missing = fires.first { !accounts.appeared.contains(where: isIn($0.occasion, $0.reminder)) }
      return missing.map { ($0.reminder, $0.occasion, false) }
    case .gate, .app, .view: return nil
    }
  }

  /// Returns the minute of the first fire on the occasion, or of the first trigger without a fire. Without
  /// either, returns the first minute of the occasion.
  private func instant(of subject: Subject, _ found: Findings) -> Instant {
    let fires = found.journal.first.appeared.filter { $0.request.reminder == subject.reminder }
      .map { (instant: $0.instant, moment: $0.moment) }
    let triggers = triggers(of: subject.reminder, in: found.journal).filter { trigger in
      !fires.contains { $0.instant == trigger.instant }
    }
    let first = (subject.firedTooOften ? fires : triggers).first { words.isIn(subject.occasion, $0.moment) }
    let start = program.scenario.start
    if let first {
      let part = first.moment.wall.millisecondsSince1970.floorRemainder(by: 60_000)
      return max(first.instant - TimeSpan(milliseconds: part), start)
    }
    let local = program.scenario.zones[program.scenario.zone].local(at: start)
    let time = MinuteOfDay.text(Int(subject.occasion.time?.from ?? local.millisecondOfDay) / 60_000)
    let dates = subject.occasion.date.map { [$0] } ?? [local.date, local.date + 1]
    let instants = dates.compactMap { try? program.instant(written: "\($0.text) \(time)") }
    return instants.first { $0 >= start && $0 < program.end } ?? start
  }
}
