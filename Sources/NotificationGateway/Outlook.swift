import CivilTime
import TriggerModel

/// What the checks say about a delivery at some instant, whatever is delivered: all but the caps by type. It
/// holds for every delivery at once between two instants, as long as nothing changes by an event or a decision.
struct Outlook: Hashable, Sendable {
  /// The first instant on the wall clock for which it holds, and the first for which it does not.
  var start: Instant
  var end: Instant
  /// How the clocks stand, and the zone.
  var clocks: ClockPair
  var zone: ZoneID
  /// The local date of the delivery.
  var day: CivilDate
  /// Of the first 64 types those whose ``TypeCap/daily`` is spent on that date, one bit each.
  var spentTypes: UInt64
  /// Whether some type is switched off, or nobody handles its taps.
  var someTypeIsOff: Bool
  /// What stops a request, by its bucket.
  var critical: ReasonSet
  var user: ReasonSet
  var standard: ReasonSet

  /// Holds at no instant.
  static let none = Outlook(
    start: .distantFuture, end: .distantPast, clocks: ClockPair(boot: 0, wallAtBoot: .distantPast),
    zone: ZoneID(0), day: CivilDate(dayNumber: 0), spentTypes: 0, someTypeIsOff: false,
    critical: [], user: [], standard: [])

  @inline(__always)
  func holds(at now: Moment) -> Bool {
    now.wall >= start && now.wall < end && ClockPair(now) == clocks && now.zone == zone
  }

  @inline(__always)
  subscript(bucket: Bucket) -> ReasonSet {
    switch bucket {
    case .critical: critical
    case .user: user
    case .standard: standard
    }
  }
}

extension NotificationGateway {
  /// The outlook for deliveries at once, which is kept: most requests of an app are made between two changes of
  /// it, and most are denied, which changes nothing. Brings the accounts to `now`.
  @inline(never)
  mutating func renewOutlook(at now: Moment) {
    advance(to: now)
    memory.outlook = outlook(for: now.wall, at: now)
  }

  /// Looks at everything but the caps by type. The accounts must have been brought to `now`.
  mutating func outlook(for delivery: Instant, at now: Moment) -> Outlook {
    var outlook = Outlook.none
    outlook.start = delivery
    outlook.clocks = ClockPair(now)
    outlook.zone = now.zone
    let isQuiet = lookAtCalendar(delivery, &outlook)
    let counts = state.days.counts(on: outlook.day, policy.typeCaps)
    outlook.spentTypes = counts.spentTypes
    outlook.someTypeIsOff = !memory.unregistered.isEmpty || !state.preferences.disabledTypes.isEmpty

    var all = ReasonSet()
    if !memory.permission.allowsDelivery { all.insert(.permission) }
    if !state.preferences.isEnabled { all.insert(.userDisabled) }
    if isQuiet { all.insert(.quietHours) }
    outlook.user = all
    outlook.standard = all
    outlook.critical = all
    if policy.criticalBypassesQuietHours { outlook.critical.remove(.quietHours) }
    if counts.critical >= policy.criticalDailyCap { outlook.critical.insert(.criticalDailyCap) }
    if counts.standard >= policy.dailyCap { outlook.standard.insert(.dailyCap) }
    if let own = state.preferences.dailyCap, counts.standard >= UInt32(clamping: own) {
      outlook.standard.insert(.userDailyCap)
    }
    if lookAtNeighbours(delivery, at: now, &outlook) { outlook.standard.insert(.minimumInterval) }
    outlook.restrict(to: policy.checks)

    if let due = firstPending(after: now.wall) { outlook.end = min(outlook.end, due) }
    // What lags behind is counted some time.
    if !state.uncounted.isEmpty { outlook.end = outlook.start }
    return outlook
  }

  /// Finds the date of a delivery, whether it falls into quiet hours, and until when both stay.
  private mutating func lookAtCalendar(_ delivery: Instant, _ outlook: inout Outlook) -> Bool {
    guard let today = memory.cursor.plainDay(around: delivery) else {
      // In a fold the two hands differ: the next request looks again.
      outlook.day = memory.cursor.local(at: delivery).date
      outlook.end = delivery + TimeSpan(milliseconds: 1)
      return policy.quietHours?.contains(memory.cursor.hands(at: delivery)) ?? false
    }
    outlook.day = today.date
    outlook.end = today.end
    guard let quiet = policy.quietHours else { return false }
    let from = today.midnight + .minutes(Int64(quiet.from))
    let to = today.midnight + .minutes(Int64(quiet.to))
    if from > delivery { outlook.end = min(outlook.end, from) }
    if to > delivery { outlook.end = min(outlook.end, to) }
    let (hasBegun, hasNotEnded) = (delivery >= from, delivery < to)
    return from < to ? hasBegun && hasNotEnded : hasBegun || hasNotEnded
  }

  /// Whether a delivery or reservation lies within the minimum interval, in either direction, and until when
  /// the answer stays.
  ///
  /// From the past the monotonic clock counts, so that setting the wall clock changes nothing; a
  /// reservation will be delivered by the wall clock, so towards it the wall clock counts.
  private func lookAtNeighbours(_ delivery: Instant, at now: Moment, _ outlook: inout Outlook) -> Bool {
    let interval = policy.minimumInterval
    let ahead = delivery - now.wall
    func isAfter(_ last: Moment?) -> Bool {
      guard let last else { return false }
      let elapsed = now.elapsed(since: last) + ahead
      if elapsed >= interval { return false }
      outlook.end = min(outlook.end, delivery + (interval - elapsed))
      return true
    }
    if isAfter(state.lastStandard) { return true }
    if policy.criticalsAreNeighbours, isAfter(state.lastCritical) { return true }
    for reservation in state.pending {
      let distance = reservation.deliverAt - delivery
      if distance >= interval {
        outlook.end = min(outlook.end, reservation.deliverAt - interval + TimeSpan(milliseconds: 1))
        return false
      }
      if distance.magnitude < interval && isNeighbour(reservation.bucket) {
        outlook.end = min(outlook.end, reservation.deliverAt + interval)
        return true
      }
    }
    return false
  }

  @inline(__always)
  func isNeighbour(_ bucket: Bucket) -> Bool {
    bucket == .standard || bucket == .critical && policy.criticalsAreNeighbours
  }
}

extension Outlook {
  fileprivate mutating func restrict(to checks: ReasonSet) {
    critical.formIntersection(checks)
    user.formIntersection(checks)
    standard.formIntersection(checks)
  }
}
