import CivilTime
package import TriggerModel

extension NotificationGateway {
  // These methods are mutating although they change nothing, because a nonmutating method would receive a
  // copy of the gateway.

  /// Makes all checks of the policy for a request. Results that do not depend on the type come from `cache`.
  ///
  /// - Returns: All checks that fail.
  @inline(__always)
  mutating func check(_ request: NotificationRequest, _ cache: CachedChecks) -> ReasonSet {
    guard request.type.index < policy.typeCaps.typeCount else { return ReasonSet(.notRegistered) }
    var blockers = cache.someTypeIsOff ? standingBlockers(request.type) : []
    TypeCap.forEach { cap in
      // Skip unused kinds of caps, because counting may need a search. Most policies use few kinds.
      if policy.typeCaps.uses(cap), request.bucket == .standard || !cap.countsOnlyStandard,
        isSpent(cap, of: request.type, on: cache.day, cache.spentTypes)
      {
        blockers.insert(cap.reason)
      }
    }
    let others = policy.hasQuietExceptions ? checksAtAnyHour(request, cache) : cache[request.bucket]
    return blockers.intersection(policy.checks).union(others)
  }

  /// Returns the cached results for a request, without quiet hours if its type skips them.
  @inline(never)
  private mutating func checksAtAnyHour(_ request: NotificationRequest, _ cache: CachedChecks) -> ReasonSet {
    var checks = cache[request.bucket]
    if policy.quietExceptions.contains(request.type) { checks.remove(.quietHours) }
    return checks
  }

  /// Returns the blockers of a type that is unregistered or that the person has disabled.
  @inline(never)
  private mutating func standingBlockers(_ type: TypeID) -> ReasonSet {
    var blockers = ReasonSet()
    if memory.unregistered.contains(type) { blockers.insert(.notRegistered) }
    if state.preferences.disabledTypes.contains(type) { blockers.insert(.userDisabled) }
    return blockers
  }

  @inline(__always)
  private mutating func isSpent(
    _ cap: TypeCap, of type: TypeID, on day: CivilDate, _ spentTypes: UInt64
  ) -> Bool {
    if cap == .daily && type.rawValue < 64 { return spentTypes >> UInt64(type.rawValue) & 1 == 1 }
    if cap.countsOnlyStandard { return isSpentOnDays(cap, of: type, on: day) }
    // The value for "no limit" is greater than any counter.
    return cap.count(of: type, on: day, in: state, policy) >= policy.typeCaps[type.index, cap]
  }

  /// Returns whether a cap by day is used up. Checks the limit first, because counting needs a search.
  @inline(never)
  private mutating func isSpentOnDays(_ cap: TypeCap, of type: TypeID, on day: CivilDate) -> Bool {
    let limit = policy.typeCaps[type.index, cap]
    return limit != CompiledCapPolicy.unlimited && cap.count(of: type, on: day, in: state, policy) >= limit
  }

  /// Returns the end of the quiet hours that contain an instant in the phone's zone, or `nil` outside of
  /// them.
  func endOfQuietHours(_ instant: Instant) -> Instant? {
    policy.quietHours?.end(containing: instant, in: memory.cursor.zone)
  }
}

/// The results of all checks except the caps by type, for deliveries at an instant.
///
/// They are valid for immediate deliveries between two instants, as long as the state does not change.
struct CachedChecks: Hashable, Sendable {
  /// The wall-clock instants between which the results are valid, half-open.
  var start: Instant
  var end: Instant
  /// The difference between the clocks, and the zone.
  var clocks: ClockPair
  var zone: ZoneID
  /// The local date of the delivery.
  var day: CivilDate
  /// The types among the first 64 whose ``TypeCap/daily`` cap is used up on that date, as bits.
  var spentTypes: UInt64
  /// Whether at least one type is disabled or unregistered.
  var someTypeIsOff: Bool
  /// The checks that fail for each bucket.
  var critical: ReasonSet
  var user: ReasonSet
  var standard: ReasonSet

  /// A value that is valid at no instant.
  static let none = CachedChecks(
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
  /// Renews the cached results for immediate deliveries, and advances the accounts to `now`.
  ///
  /// The results stay valid for most requests, because most requests are denied, which changes no state.
  @inline(never)
  mutating func renewCachedChecks(at now: Moment) {
    advance(to: now)
    memory.cachedChecks = typeIndependentChecks(for: now.wall, at: now)
  }

  /// Makes all checks except the caps by type. The accounts must have been advanced to `now`.
  mutating func typeIndependentChecks(for delivery: Instant, at now: Moment) -> CachedChecks {
    var cache = CachedChecks.none
    cache.start = delivery
    cache.clocks = ClockPair(now)
    cache.zone = now.zone
    let isQuiet = checkQuietHours(delivery, &cache)
    let counts = state.days.counts(on: cache.day, policy.typeCaps)
    cache.spentTypes = counts.spentTypes
    cache.someTypeIsOff = !memory.unregistered.isEmpty || !state.preferences.disabledTypes.isEmpty

    var all = ReasonSet()
    if !memory.permission.allowsDelivery { all.insert(.permission) }
    if !state.preferences.isEnabled { all.insert(.userDisabled) }
    if isQuiet { all.insert(.quietHours) }
    cache.user = all
    cache.standard = all
    cache.critical = all
    if policy.criticalBypassesQuietHours { cache.critical.remove(.quietHours) }
    if counts.critical >= policy.criticalDailyCap { cache.critical.insert(.criticalDailyCap) }
    if counts.standard >= policy.dailyCap { cache.standard.insert(.dailyCap) }
    if let own = state.preferences.dailyCap, counts.standard >= UInt32(clamping: own) {
      cache.standard.insert(.userDailyCap)
    }
    for cap in policy.bucketCaps {
      let spans = cap.period.spans(containing: cache.day)
      if state.days.highestCount(.standard, in: spans) >= cap.limit { cache.standard.insert(cap.reason) }
    }
    if checkNeighbours(delivery, at: now, &cache) { cache.standard.insert(.minimumInterval) }
    cache.restrict(to: policy.checks)

    if let due = firstPending(after: now.wall) { cache.end = min(cache.end, due) }
    // Do not reuse the results, because lagging counts may change at any time.
    if !state.uncounted.isEmpty { cache.end = cache.start }
    return cache
  }

  /// Determines the local date of a delivery and limits the validity to it. Returns whether the delivery is
  /// in quiet hours.
  private mutating func checkQuietHours(_ delivery: Instant, _ cache: inout CachedChecks) -> Bool {
    guard let today = memory.cursor.plainDay(around: delivery) else {
      // Do not cache the date in a fold, where local time is ambiguous.
      cache.day = memory.cursor.local(at: delivery).date
      cache.end = delivery + TimeSpan(milliseconds: 1)
      return policy.quietHours?.contains(memory.cursor.hands(at: delivery)) ?? false
    }
    cache.day = today.date
    cache.end = today.end
    guard let windows = policy.quietHours else { return false }
    guard let quiet = windows.everyDay else {
      let state = windows.state(on: today.weekday, at: today.minute(at: delivery))
      cache.end = min(cache.end, today.midnight + .minutes(Int64(state.until)))
      return state.isInside
    }
    let from = today.midnight + .minutes(Int64(quiet.from))
    let to = today.midnight + .minutes(Int64(quiet.to))
    if from > delivery { cache.end = min(cache.end, from) }
    if to > delivery { cache.end = min(cache.end, to) }
    let (hasBegun, hasNotEnded) = (delivery >= from, delivery < to)
    return from < to ? hasBegun && hasNotEnded : hasBegun || hasNotEnded
  }

  /// Returns whether there is another delivery or reservation within the minimum interval before or after
  /// this delivery. Limits the validity accordingly.
  ///
  /// Intervals since past deliveries use the monotonic clock, so that setting the wall clock has no effect.
  /// Intervals to reservations use the wall clock, which determines their delivery.
  private func checkNeighbours(_ delivery: Instant, at now: Moment, _ cache: inout CachedChecks) -> Bool {
    let interval = policy.minimumInterval
    let ahead = delivery - now.wall
    func isAfter(_ last: Moment?) -> Bool {
      guard let last else { return false }
      let elapsed = now.elapsed(since: last) + ahead
      if elapsed >= interval { return false }
      cache.end = min(cache.end, delivery + (interval - elapsed))
      return true
    }
    if isAfter(state.lastStandard) { return true }
    if policy.criticalsAreNeighbours, isAfter(state.lastCritical) { return true }
    for reservation in state.pending {
      let distance = reservation.deliverAt - delivery
      if distance >= interval {
        cache.end = min(cache.end, reservation.deliverAt - interval + TimeSpan(milliseconds: 1))
        return false
      }
      if distance.magnitude < interval && isNeighbour(reservation.bucket) {
        cache.end = min(cache.end, reservation.deliverAt + interval)
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

extension CachedChecks {
  fileprivate mutating func restrict(to checks: ReasonSet) {
    critical.formIntersection(checks)
    user.formIntersection(checks)
    standard.formIntersection(checks)
  }
}

/// Decides requests for immediate delivery in bulk, before they are made.
///
/// A decision depends on the state, the instant, the bucket and the type. The type matters only if it has a
/// delivery on that day, or if the policy or the person treats it specially. Therefore one answer holds for
/// the requests of all other types in a bucket.
extension NotificationGateway {
  /// Returns whether requests can be answered in advance.
  ///
  /// Returns `false` while an undecided request may be admitted, because its admission would change the
  /// answers.
  package mutating func canAnswerInAdvance(at now: Moment) -> Bool {
    advance(to: now)
    if let release = nextRelease, release <= now.wall { return false }
    let collected = state.collected
    for request in collected where refusal(of: request, at: now) == nil { return false }
    return true
  }

  /// Returns the decision for a request of a bucket and type. Changes no counts.
  package mutating func answer(_ bucket: Bucket, _ type: TypeID, at now: Moment) -> Decision {
    let request = NotificationRequest(
      id: RequestID(reminder: ReminderID(0), occurrence: 0), type: type, bucket: bucket,
      scheduledFor: now.wall, deliverAt: now.wall)
    return refusal(of: request, at: now) ?? .admitted
  }

  /// Calls `body` for every type that may get a different decision than most types. It may be called twice
  /// for a type.
  package mutating func forEachSpecialType(at now: Moment, _ body: (TypeID) -> Void) {
    advance(to: now)
    policy.specialTypes.forEach(body)
    memory.unregistered.forEach(body)
    state.preferences.disabledTypes.forEach(body)
    state.days.forEachType(on: memory.cursor.local(at: now.wall).date, body)
  }
}
