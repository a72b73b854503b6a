import CivilTime
package import ScenarioModel
package import Simulation
import TriggerModel

/// The counts for a gate in one run. Tallies of several runs can be added.
package struct Tally: Hashable, Sendable {
  /// The count of each run, for all measures except a lift.
  private var counts: [Estimate.Count] = []
  /// The days of each run, for a lift.
  private var days: [DayValues] = []
  private let measure: Measure

  /// Counts one run.
  package init(_ measure: Measure, of program: Program, _ accounts: RunAccounts) {
    self.measure = measure
    let run = TallyOfRun(program: program, accounts: accounts)
    switch measure {
    case .share(let metric, let group): counts = [run.share(metric, group)]
    case .conversion(let group, let goal, let span): counts = [run.conversion(group, to: goal, within: span)]
    case .weeklyActive(let group): counts = [run.activeWeeks(group)]
    case .lift(let fact, let group): days = [run.days(of: fact, by: group)]
    }
  }

  package mutating func add(_ other: Tally) {
    counts += other.counts
    days += other.days
  }

  package var estimate: Estimate {
    switch measure {
    case .share: .share(counts, unknownMayBeBiased: true)
    // Outcomes are unknown because of the length of the run and not because of the person, so they are not
    // biased.
    case .conversion: .share(counts)
    case .weeklyActive: .excess(counts)
    case .lift: .lift(days)
    }
  }
}

/// Counts one run for gates.
private struct TallyOfRun {
  let program: Program
  let accounts: RunAccounts
  private let words: RunWords

  init(program: Program, accounts: RunAccounts) {
    self.program = program
    self.accounts = accounts
    words = RunWords(program)
  }

  func share(_ metric: Metric, _ group: ReminderGroup?) -> Estimate.Count {
    let account =
      group.map { group in
        group.reminders.reduce(into: ReminderAccount()) { $0.add(accounts.reminders[$1.index]) }
      } ?? accounts.total
    let figure = Figure(metric, account, of: PersonAccount(accounts, of: program), days: words.days)
    return Estimate.Count(figure.numerator, of: figure.denominator ?? 0, unknown: figure.unknown)
  }

  /// Returns the count for the person, or a count of 0 if the person is not counted. See ``Conversion``.
  func conversion(_ group: ReminderGroup, to goal: FactID, within span: TimeSpan) -> Estimate.Count {
    let changes = accounts.gateLedger.changes[goal] ?? []
    let wasSo = program.scenario.facts[goal.index].initial == .truth(true)
    let reached = changes.first { $0.value == .truth(true) }?.instant
    guard !wasSo else { return Estimate.Count(0, of: 0) }
    var conversion = Conversion()
    for reminder in appeared(group) where reached.map({ reminder.instant <= $0 }) ?? true {
      conversion.reminded(at: reminder.instant)
    }
    if let reached { conversion.reached(at: reached) }
    return conversion.count(within: span, by: program.end)
  }

  /// Counts weeks of seven local days, beginning with the day of the start. A run without an exposed
  /// notification is not counted.
  func activeWeeks(_ group: ReminderGroup?) -> Estimate.Count {
    let causes = group.map(appeared) ?? accounts.appeared
    if causes.isEmpty { return Estimate.Count(0, of: 0) }
    let zone = program.scenario.zones[program.scenario.zone]
    let first = zone.local(at: program.scenario.start).date.dayNumber
    var (with, without): (Set<Int32>, Set<Int32>) = ([], [])
    for opening in accounts.gateLedger.openings {
      let week = (words.local(opening.moment).date.dayNumber - first) / 7
      with.insert(week)
      let isCaused = causes.contains {
        $0.instant <= opening.instant && opening.instant - $0.instant <= Measure.attributionWindow
      }
      if !isCaused { without.insert(week) }
    }
    return Estimate.Count(with.count, of: without.count)
  }

  /// Returns the value at the end of each complete local day on which it is known.
  func days(of fact: FactID, by group: ReminderGroup) -> DayValues {
    let zone = program.scenario.zones[program.scenario.zone]
    let start = zone.local(at: program.scenario.start).date
    // The last day is incomplete, so it is excluded.
    let end = zone.local(at: program.end).date
    let reminded = Set(appeared(group).map { words.local($0.moment).date })
    var changes = (accounts.gateLedger.changes[fact] ?? [])[...]
    var value = program.scenario.facts[fact.index].initial
    var days = DayValues()
    var date = start
    let dayEnd = program.scenario.facts[fact.index].dayEnd
    while date < end {
      if date > start, !dayEnd.isMissing { value = dayEnd }
      while let next = changes.first, words.local(next.moment).date <= date {
        value = next.value
        changes.removeFirst()
      }
      if !value.isMissing {
        if reminded.contains(date) { days.with.append(value.bits) } else { days.without.append(value.bits) }
      }
      date = date + 1
    }
    return days
  }

  private func appeared(_ group: ReminderGroup) -> [RunAccounts.Fire] {
    accounts.appeared.filter { group.reminders.contains($0.request.reminder) }
  }
}
