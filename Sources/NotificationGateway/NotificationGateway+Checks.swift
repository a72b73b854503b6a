import CivilTime
import TriggerModel

extension NotificationGateway {
  /// What the checks say about one request.
  struct Check: Hashable, Sendable, BitwiseCopyable {
    /// When it would be delivered, on the wall clock.
    var delivery: Instant
    /// The local date of that.
    var day: CivilDate
    /// Every check that fails, of those that the policy makes.
    var blockers: ReasonSet
  }

  /// Makes every check for the instant of delivery; changes nothing but the memo of the zone. The accounts
  /// must have been brought to `now` (``advance(to:)``).
  mutating func check(_ request: NotificationRequest, at now: Moment) -> Check {
    let delivery = max(request.deliverAt, now.wall)
    let day = memory.cursor.local(at: delivery).date
    guard request.type.index < policy.typeCount else {
      return Check(delivery: delivery, day: day, blockers: ReasonSet(.notRegistered))
    }

    var blockers = standingBlockers(request, day)
    if !memory.permission.allowsDelivery { blockers.insert(.permission) }
    TypeCap.forEach { cap in
      let limit = policy.typeCaps[request.type.index, cap]
      // The limit first: most types have none of most kinds, and a count may be a search.
      if request.bucket == .standard || !cap.isOfStandardBucket, limit != CompiledCapPolicy.unlimited,
        cap.count(of: request.type, on: day, in: state, policy) >= limit
      {
        blockers.insert(cap.reason)
      }
    }
    if let quiet = policy.quietHours, quiet.contains(memory.cursor.hands(at: delivery)),
      request.bucket != .critical || !policy.criticalBypassesQuietHours
    {
      blockers.insert(.quietHours)
    }
    switch request.bucket {
    case .standard:
      if state.days.count(.standard, on: day) >= policy.dailyCap { blockers.insert(.dailyCap) }
      if isTooClose(delivery, at: now) { blockers.insert(.minimumInterval) }
    case .critical:
      if state.days.count(.critical, on: day) >= policy.criticalDailyCap {
        blockers.insert(.criticalDailyCap)
      }
    case .user: break
    }
    return Check(delivery: delivery, day: day, blockers: blockers.intersection(policy.checks))
  }

  /// Registration and the person's own preferences.
  @inline(__always)
  private func standingBlockers(_ request: NotificationRequest, _ day: CivilDate) -> ReasonSet {
    var blockers = ReasonSet()
    if memory.unregistered.contains(request.type) { blockers.insert(.notRegistered) }
    if !state.preferences.allow(request.type) { blockers.insert(.userDisabled) }
    if request.bucket == .standard, let own = state.preferences.dailyCap,
      state.days.count(.standard, on: day) >= UInt32(clamping: own)
    {
      blockers.insert(.userDailyCap)
    }
    return blockers
  }

  /// Whether a delivery or reservation lies within the minimum interval, in either direction.
  ///
  /// From the past the monotonic clock counts, so that setting the wall clock changes nothing; a
  /// reservation will be delivered by the wall clock, so towards it the wall clock counts.
  @inline(__always)
  private func isTooClose(_ delivery: Instant, at now: Moment) -> Bool {
    let interval = policy.minimumInterval
    let ahead = delivery - now.wall
    if let last = state.lastStandard, now.elapsed(since: last) + ahead < interval { return true }
    if policy.criticalsAreNeighbours, let last = state.lastCritical,
      now.elapsed(since: last) + ahead < interval
    {
      return true
    }
    for reservation in state.pending {
      let distance = reservation.deliverAt - delivery
      if distance >= interval { return false }
      if distance.magnitude < interval && isNeighbour(reservation.bucket) { return true }
    }
    return false
  }

  @inline(__always)
  private func isNeighbour(_ bucket: Bucket) -> Bool {
    bucket == .standard || bucket == .critical && policy.criticalsAreNeighbours
  }

  /// The end of the quiet hours that hold an instant, in the phone's zone.
  func endOfQuiet(_ instant: Instant) -> Instant? {
    policy.quietHours?.interval(containing: instant, in: memory.cursor.zone)?.upperBound
  }
}
