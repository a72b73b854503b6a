public import CivilTime
public import TriggerModel

/// Decides which reminders ask for a notification: events in, effects out, no timers, no clock of its own.
///
/// A value: a copy goes on exactly as the original would. Everything it knows of the world it was told
/// by events, and everything it does is an ``TriggerModel/EngineEffect``.
public struct ReminderEngine: Sendable {
  public let program: ReminderProgram
  var matcher: Matcher
  var facts: FactStore
  var isCharging = false
  /// Bit *r*: inside region *r*.
  var inside: UInt32 = 0
  /// Reminders that are put off, and until when on the wall clock.
  var snoozes: [ReminderID: Instant] = [:]
  /// Reminders that an edit replaced: the declaration now in force.
  var edits: [ReminderID: UInt32] = [:]
  var cancelled: Set<ReminderID> = []
  /// Ends of snoozes, and expiries.
  var deadlines = DeadlineQueue()
  /// The occurrence that each schedule is to wake the app for.
  var wakes: [ReminderID: Instant] = [:]
  /// The last occurrence of each schedule that was handed over beforehand.
  var handedOver: [ReminderID: Instant] = [:]
  /// The zone in which schedules were planned last.
  var plannedZone: ZoneID
  var zone: ZoneID
  let zones: ZoneTable
  private var clock: ZoneCursor
  private var buffer: MatchBuffer

  /// - Parameters:
  ///   - zones: Every zone that an event's moment may name.
  ///   - zone: The phone's zone at the start.
  ///   - explainsMisses: Tell each miss apart as an effect, not only count them.
  public init(
    program: ReminderProgram, zones: ZoneTable, zone: ZoneID, explainsMisses: Bool = false
  ) {
    self.program = program
    self.zones = zones
    self.zone = zone
    plannedZone = zone
    matcher = Matcher(program: program)
    facts = FactStore(count: program.names.facts.count)
    clock = ZoneCursor(zones[zone])
    buffer = MatchBuffer(wantsMisses: explainsMisses)
    for (index, plan) in program.plans.prefix(program.reminderCount).enumerated()
    where plan.expires != .distantFuture {
      deadlines.insert(Deadline(at: plan.expires, reminder: ReminderID(index), kind: .expiry))
    }
  }

  var explainsMisses: Bool { buffer.wantsMisses }

  /// How often reminders matched, and why not.
  public var totals: MatchTotals { matcher.totals }

  /// Which reminders match an event, without asking for anything: the hot path alone.
  ///
  /// - Complexity: O(*m* + *r* / 64 + *e*): matches, reminders that listen to the event, and window
  ///   edges since the last such event. Nothing is allocated once the buffer has grown.
  public mutating func match(_ event: ObservedEvent, into buffer: inout MatchBuffer) {
    buffer.clear()
    if deadlines.next <= event.moment.wall { passDeadlines(at: event.moment) }
    let subject = event.subject
    switch event.kind {
    case .chargingStarted: isCharging = true
    case .chargingStopped: isCharging = false
    case .regionEntered where subject < 32: inside |= 1 << subject
    case .regionExited where subject < 32: inside &= ~(1 << subject)
    case .factChanged:
      guard facts.set(FactID(subject), FactValue(bits: event.value), at: event.moment) else { return }
    default: break
    }
    if event.moment.zone != zone { enter(event.moment.zone) }
    if event.kind == .woken {
      lookAtSchedule(of: ReminderID(subject), event.moment, into: &buffer)
    } else if let bucket = program.bucket(of: event.kind, subject) {
      let view = view(at: event.moment)
      matcher.look(at: bucket, view, facts: facts, zone: zones[zone], into: &buffer)
      if buffer.wantsMisses, !snoozes.isEmpty { appendSnoozed(bucket, into: &buffer) }
    }
  }

  /// Takes one event and appends what is to be done.
  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    var buffer = MatchBuffer()
    swap(&buffer, &self.buffer)
    match(event, into: &buffer)
    for match in buffer.matches {
      effects.append(.request(request(for: match, at: event.moment)))
    }
    for miss in buffer.misses {
      effects.append(.noRequest(miss.reminder, miss.reason, failed: miss.failed))
    }
    swap(&buffer, &self.buffer)
    switch event.kind {
    case .launched, .zoneChanged, .clockChanged: planAll(at: event.moment, into: &effects)
    case .woken: plan(ReminderID(event.subject), at: event.moment, into: &effects)
    case .delivered: replenish(ReminderID(event.subject), at: event.moment, into: &effects)
    case .snooze: snooze(ReminderID(event.subject), until: event.value, at: event.moment, into: &effects)
    case .cancel: cancel(ReminderID(event.subject), into: &effects)
    case .edit: edit(ReminderID(event.subject), to: event.value, at: event.moment, into: &effects)
    case .reinstalled: reset(at: event.moment, into: &effects)
    default: break
    }
  }

  /// Whether the conditions of a request's reminder hold now: asked again when a held request is released.
  public mutating func stillHolds(_ request: NotificationRequest, at moment: Moment) -> Bool {
    if moment.zone != zone { enter(moment.zone) }
    let declaration = declarationInForce(request.id.reminder)
    let view = view(at: moment)
    let conditions = program.plans[Int(declaration)].conditions
    return view.failures(of: conditions, facts: facts, zone: zones[zone]) == nil
  }

  // MARK: The view

  mutating func view(at moment: Moment) -> LocalView {
    let hands = clock.hands(at: moment.wall)
    let minutes = hands.start
    var day = minutes / 1_440
    var minute = minutes % 1_440
    if minute < 0 {
      minute += 1_440
      day -= 1
    }
    if hands.start != hands.end {
      let local = clock.local(at: moment.wall)
      (day, minute) = (Int64(local.date.dayNumber), Int64(local.minuteOfDay))
    }
    let date = CivilDate(dayNumber: Int32(truncatingIfNeeded: day))
    return LocalView(
      moment: moment, date: date, weekday: date.weekday, minute: Int(minute), hands: hands,
      isCharging: isCharging, inside: inside)
  }

  private mutating func enter(_ zone: ZoneID) {
    self.zone = zone
    clock = ZoneCursor(zones[zone])
  }

  /// The declaration that stands for a reminder: its own, or an edit's.
  func declarationInForce(_ reminder: ReminderID) -> UInt32 { edits[reminder] ?? reminder.rawValue }

  // MARK: Requests

  func request(for match: Match, at moment: Moment) -> NotificationRequest {
    let plan = program.plans[Int(match.declaration)]
    return NotificationRequest(
      id: RequestID(reminder: match.reminder, occurrence: match.occurrence), type: plan.type,
      bucket: plan.bucket, priority: plan.priority, copy: plan.copy(match.occurrence),
      scheduledFor: moment.wall, deliverAt: moment.wall,
      expiresAt: plan.usefulFor.map { moment.wall + $0 } ?? .distantFuture)
  }
}

extension Plan {
  /// Which text the n-th request shows: the n-th, later ones the last.
  func copy(_ occurrence: UInt32) -> UInt8 {
    UInt8(clamping: min(Int(occurrence), max(0, Int(copies) - 1)))
  }
}
