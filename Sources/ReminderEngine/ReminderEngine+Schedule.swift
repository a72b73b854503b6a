import CivilTime
import TriggerModel

/// Occurrences of schedules: asking to be woken for the next, or handing the next few over beforehand.
extension ReminderEngine {
  /// Plans every schedule anew: at launch, and when the zone or the wall clock changed.
  mutating func planAll(at moment: Moment, into effects: inout [EngineEffect]) {
    for reminder in program.scheduled where !cancelled.contains(reminder) {
      if handedOver[reminder] != nil, plannedZone != moment.zone {
        effects.append(.withdraw(reminder, .superseded))
        handedOver[reminder] = nil
      }
      plan(reminder, at: moment, into: &effects)
    }
    plannedZone = moment.zone
  }

  /// Asks for the next occurrence of one reminder.
  mutating func plan(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), let schedule = program.plans[Int(declarationInForce(reminder))].schedule else {
      return
    }
    if schedule.ahead > 0 {
      replenish(reminder, at: moment, into: &effects)
      return
    }
    let next = schedule.recurrence.next(
      atOrAfter: moment.wall + TimeSpan(milliseconds: 1), in: zones[moment.zone])
    wakes[reminder] = next
    effects.append(.wake(reminder, at: next ?? .distantFuture))
  }

  /// Hands occurrences over until as many as the schedule says are ahead of now.
  mutating func replenish(_ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]) {
    guard isKnown(reminder), !cancelled.contains(reminder), snoozes[reminder] == nil else { return }
    let declaration = declarationInForce(reminder)
    let plan = program.plans[Int(declaration)]
    guard let schedule = plan.schedule, schedule.ahead > 0 else { return }
    var after = moment.wall
    for _ in 0..<schedule.ahead {
      let step = after + TimeSpan(milliseconds: 1)
      guard let occurrence = schedule.recurrence.next(atOrAfter: step, in: zones[moment.zone]),
        occurrence < plan.expires
      else { return }
      after = occurrence
      if let last = handedOver[reminder], occurrence <= last { continue }
      handedOver[reminder] = occurrence
      handOver(occurrence, declaration, plan, at: moment, into: &effects)
    }
  }

  private mutating func handOver(
    _ occurrence: Instant, _ declaration: UInt32, _ plan: Plan, at moment: Moment,
    into effects: inout [EngineEffect]
  ) {
    let place = program.schedulePlace(of: declaration)
    guard let place, matcher.bit(.live, place) else { return }
    matcher.totals.triggered += 1
    let then = view(at: Moment(wall: occurrence, uptime: moment.uptime, zone: moment.zone))
    if let failure = then.failures(of: plan.conditions, facts: facts, zone: zones[moment.zone]) {
      matcher.totals.failedOther += 1
      if explainsMisses { effects.append(.noRequest(plan.reminder, failure.reason, failed: failure.kinds)) }
      return
    }
    var scratch = MatchBuffer()
    matcher.append(declaration, day: then.date.dayNumber, into: &scratch)
    if plan.repeats == .once { matcher.setWaiting(declaration, live: false, armed: false) }
    var request = request(
      for: scratch[0], at: Moment(wall: occurrence, uptime: moment.uptime, zone: moment.zone))
    request.isFloating = true
    effects.append(.request(request))
  }

  /// A wake-up has come: is an occurrence due, and do its conditions hold?
  mutating func lookAtSchedule(of reminder: ReminderID, _ moment: Moment, into buffer: inout MatchBuffer) {
    guard isKnown(reminder), let due = wakes[reminder], due <= moment.wall else { return }
    let declaration = declarationInForce(reminder)
    guard let place = program.schedulePlace(of: declaration) else { return }
    let view = view(at: moment)
    matcher.look(at: place, declaration, view, into: &buffer)
    if buffer.wantsMisses, snoozes[reminder] != nil {
      buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
    }
  }

  /// Misses of the reminders that are put off and would have been looked at.
  func appendSnoozed(_ bucket: Int, into buffer: inout MatchBuffer) {
    for reminder in snoozes.keys.sorted() {
      let places = program.places(of: declarationInForce(reminder))
      if places.contains(where: { $0.bucket == bucket }) {
        buffer.misses.append(Miss(reminder: reminder, reason: .snoozed, failed: []))
      }
    }
  }
}

extension Matcher {
  /// Looks at one entry alone: the one whose schedule has come.
  mutating func look(
    at place: EntryPlace, _ declaration: UInt32, _ view: LocalView, into buffer: inout MatchBuffer
  ) {
    own()
    let bucket = Int(place.bucket)
    catchUp(tables.buckets.base + bucket, state.buckets.base + bucket, view)
    guard bit(.live, place) else { return }
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
    append(declaration, day: view.date.dayNumber, into: &buffer)
    useUp(declaration, on: view.date)
  }
}

extension ReminderProgram {
  /// Where the entry of a declaration's schedule is.
  func schedulePlace(of declaration: UInt32) -> EntryPlace? {
    let wakeBucket = tables.bucketsOfKind[Int(ObservedEvent.Kind.woken.rawValue)].first
    return places(of: declaration).first { $0.bucket == wakeBucket }
  }
}
