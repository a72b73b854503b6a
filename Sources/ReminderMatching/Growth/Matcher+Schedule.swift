package import CivilTime
import TriggerModel

/// Entries of schedules, which are looked at one by one.
extension Matcher {
  /// Whether a declaration has a schedule and waits for it.
  package func mayMatch(scheduleOf declaration: UInt32) -> Bool {
    program.schedulePlace(of: declaration).map { bit(.armed, $0) } ?? false
  }

  /// Looks at one entry alone: the one whose schedule has come. Nothing if the declaration has none.
  ///
  /// - Parameter day: Of the occurrence, whose turn a match takes: yesterday where the app is woken late.
  package mutating func look(
    atScheduleOf declaration: UInt32, of day: CivilDate, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    guard let place = program.schedulePlace(of: declaration) else { return }
    own()
    let bucket = Int(place.bucket)
    var current = view
    catchUp(tables.buckets.base + bucket, state.buckets.base + bucket, &current)
    guard bit(.armed, place), !hasMatched(declaration, inPeriodOf: day) else { return }
    totals.lookedAt += 1
    totals.triggered += 1
    let plan = program.plans[Int(declaration)]
    if let failure = view.failures(of: plan.conditions, facts: facts, zone: zone) {
      totals.failedOther += 1
      if buffer.wantsMisses {
        buffer.misses.append(Miss(reminder: plan.reminder, reason: failure.reason, failed: failure.kinds))
      }
      return
    }
    append(declaration, day: day.dayNumber, today: view.date.dayNumber, into: &buffer)
    if hasMatched(declaration, inPeriodOf: view.date) { useUp(declaration, on: view.date) }
  }
}

extension ReminderProgram {
  /// Where the entry of a declaration's schedule is.
  fileprivate func schedulePlace(of declaration: UInt32) -> EntryPlace? {
    let wakeBucket = tables.bucketsOfKind[Int(ObservedEvent.Kind.woken.rawValue)].first
    return places(of: declaration).first { $0.bucket == wakeBucket }
  }
}
