import Journal
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TextFormats
import TriggerModel

/// The sinks that collect the result of a run, within the run's budget.
struct RunNotes: JournalSink {
  var accounts: RunAccounts
  var analytics: AnalyticsSink
  var ineffective: IneffectiveLines
  var chronology: Chronology
  var views: ViewRecorder
  var texts: ShownTexts
  private let scenario: Scenario
  private let budget: RunBudget
  private var records = 0

  init(_ program: Program, keepsMissesOf reminders: Set<ReminderID>) {
    accounts = RunAccounts(program, keepsMissesOf: reminders)
    analytics = AnalyticsSink(program.scenario.app.analytics)
    ineffective = IneffectiveLines(program)
    chronology = Chronology(program)
    views = ViewRecorder(program.scenario) { program.moments(showing: $0) }
    texts = ShownTexts(program)
    scenario = program.scenario
    budget = program.origin.budget
  }

  static var wantsEveryFix: Bool { false }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    records += 1
    accounts.record(body, stamp)
    ineffective.record(body, stamp)
    chronology.record(body, stamp)
    views.record(body, stamp)
    texts.record(body, stamp)
    if analytics.log != nil { analytics.record(body, stamp) }
  }

  mutating func passed(fixes: Int) { accounts.passed(fixes: fixes) }

  var keepsEveryMiss: Bool { accounts.keepsEveryMiss || chronology.keepsEveryMiss || analytics.log != nil }

  mutating func count(_ counted: CountedReminders, due: UInt64, _ stamp: RecordStamp) {
    records += 1
    accounts.count(counted, due: due, stamp)
  }

  private var keepsTooMuch: Bool { accounts.kept + (analytics.log?.events.count ?? 0) > budget.fires }

  var isFull: Bool { records > budget.records || keepsTooMuch }

  /// An error if the kept records exceed the budget; otherwise, `nil`.
  var overrun: Diagnostic? {
    if keepsTooMuch {
      let busiest = busiest
      let whose = busiest.map { ", most of them of '\(scenario.reminders[$0].declaration.id)'" } ?? ""
      return scenario.sources.diagnostic(
        "the run has more than \(budget.fires) notifications and other outcomes\(whose)",
        at: busiest.map { scenario.reminders[$0].position } ?? scenario.app.analytics?.position,
        hint: "let it fire less often or end sooner, or allow more with --max-fires")
    }
    guard records > budget.records else { return nil }
    return scenario.sources.diagnostic(
      "the run has more records than \(budget.events) events can cause", at: nil,
      hint: "let its reminders repeat less often, let it end sooner, or allow more with --max-events")
  }

  /// The index of the reminder with the most kept outcomes, or `nil` if there are no outcomes.
  private var busiest: Int? {
    var counts = Array(repeating: 0, count: scenario.reminders.count)
    for fire in accounts.fires { counts[fire.request.reminder.index] += 1 }
    for ending in accounts.endings { counts[ending.reminder.index] += 1 }
    return counts.indices.filter { counts[$0] > 0 }.max { (counts[$0], $1) < (counts[$1], $0) }
  }
}
