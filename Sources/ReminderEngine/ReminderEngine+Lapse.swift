import CivilTime
import ReminderMatching
import TriggerModel

/// What is planned for the time in which the app stays closed.
extension ReminderEngine {
  /// The reminders that are planned by lapses, by the declarations that are in force.
  var lapsing: [ReminderID] {
    if program.editCount == 0 && !program.hasReplaced { return program.lapsing }
    return program.lapsing.filter { program.plans[Int(declarationInForce($0))].lapse != nil }
  }

  /// The app was opened: what was planned for its absence is taken back, and planned anew from today.
  mutating func restartLapses(at moment: Moment, into effects: inout [EngineEffect]) {
    for reminder in lapsing {
      takeBackLapse(reminder, at: moment, into: &effects)
      forgetWithdrawn(reminder)
      if notebook.leftOut[reminder] != nil { notebook.leftOut[reminder] = nil }
      planLapse(reminder, at: moment, into: &effects)
    }
  }

  /// Nothing may be shown any more: what is pending of lapses is gone.
  mutating func loseLapses(at moment: Moment) {
    for reminder in lapsing where notebook.plannedLapses[reminder] != nil {
      notebook.plannedLapses.change(reminder) { $0.isIncomplete = true }
      forgetStages(of: reminder, at: moment)
    }
  }

  /// Something has changed that kept stages back: a lapse of which some are missing is planned anew, from the
  /// same opening.
  mutating func completeLapse(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard let planned = notebook.plannedLapses[reminder], planned.isIncomplete else { return }
    takeBackLapse(reminder, at: moment, into: &effects)
    planLapse(reminder, since: planned.since, at: moment, into: &effects)
  }

  private mutating func takeBackLapse(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard notebook.plannedLapses[reminder] != nil else { return }
    notebook.plannedLapses[reminder] = nil
    effects.append(.withdraw(reminder, .superseded))
    forgetStages(of: reminder, at: moment)
    // With the stages what a snooze asked for is gone.
    askAnewAfterSnooze(of: reminder, at: moment, into: &effects)
  }

  /// Stages whose time has not come are as if they had not been asked for.
  mutating func forgetStages(of reminder: ReminderID, at moment: Moment) {
    var stages: [OpenMatches.Entry] = []
    swap(&stages, &memory.stages)
    notebook.openMatches.take(of: reminder, dueAfter: passed(by: moment.wall), into: &stages)
    for entry in stages { forgetMatch(of: reminder, on: entry.day, at: moment) }
    if !stages.isEmpty { memory.round.room = nil }
    stages.removeAll(keepingCapacity: true)
    swap(&stages, &memory.stages)
  }

  /// Hands the stages of one reminder over that are still to come, unless that has been done since the app
  /// was last opened: then those that the system has not taken.
  ///
  /// - Parameter day: The local date from which they count; nil for today.
  mutating func planLapse(
    _ reminder: ReminderID, since day: CivilDate? = nil, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    guard isKnown(reminder), !notebook.cancelled.contains(reminder) else { return }
    let declaration = declarationInForce(reminder)
    guard let lapse = program.plans[Int(declaration)].lapse else { return }
    let planned = notebook.plannedLapses[reminder]
    forgetFailures(of: reminder) { $0 <= moment.wall }
    if planned != nil, notebook.failed[reminder] == nil || hasJustFailed(reminder, at: moment) { return }
    let since = planned?.since ?? day ?? view(at: moment).date
    if planned == nil {
      notebook.plannedLapses[reminder] = PlannedLapse(since: since)
      forgetFailures(of: reminder)
    }
    for (stage, days) in lapse.days.enumerated() {
      let occurrence = zones[moment.zone].instant(of: since + days, minute: lapse.minute)
      // A snooze puts off what would come before it ends.
      let first = max(moment.wall, notebook.snoozes[reminder]?.until ?? .distantPast)
      if occurrence <= first || planned != nil && !hasFailed(reminder, for: occurrence) { continue }
      guard occurrence < program.plans[Int(declaration)].expires else { return }
      if memory.round.isOpen {
        memory.round.turns.insert(.init(occurrence: ranked(reminder, at: occurrence), part: .stage(stage)))
      } else {
        handOver(stage: stage, of: reminder, at: occurrence, moment, into: &effects)
      }
    }
  }

  mutating func handOver(
    stage: Int, of reminder: ReminderID, at occurrence: Instant, _ moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    forgetFailures(of: reminder) { $0 == occurrence }
    if handOver(occurrence, declaration, plan, stage: stage, at: moment, into: &effects) == nil {
      notebook.plannedLapses.change(reminder) { $0.isIncomplete = true }
    }
  }

  /// The stages that are pending.
  ///
  /// - Complexity: O(*n*) in the lapses of which stages are pending, or were until a day ago.
  mutating func pendingStages(at now: Instant) -> [OpenMatches.Entry] {
    if memory.staged == nil {
      var staged = ReminderTable<Void>()
      for reminder in program.lapsing where notebook.openMatches.hasAny(of: reminder) {
        staged[reminder] = ()
      }
      memory.staged = staged
    }
    var (stages, past) = ([OpenMatches.Entry](), [ReminderID]())
    for reminder in memory.staged?.keys.map(\.self) ?? [] {
      let isOfLapse = program.plans[Int(declarationInForce(reminder))].lapse != nil
      if isOfLapse { notebook.openMatches.append(of: reminder, dueAfter: now, to: &stages) }
      if !notebook.openMatches.mayBeDue(of: reminder, after: now) { past.append(reminder) }
    }
    for reminder in past { memory.staged?[reminder] = nil }
    // Of one that is put off it is not known when it comes.
    return stages.filter { !$0.isPutOff }
  }
}
