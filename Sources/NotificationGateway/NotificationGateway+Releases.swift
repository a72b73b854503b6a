import CivilTime
public import TriggerModel

/// Manages requests that are deferred until quiet hours end.
///
/// The app may not be running at that instant. So a request that can be shown then, as far as is known, is
/// handed to the system for its release. If the app runs earlier and the conditions no longer hold, the
/// request is cancelled. All other requests remain deferred and are decided if the app runs at or after their
/// release. Among requests with the same release, the order of decision determines which get the remaining
/// quota. A deferred request keeps its place: reservations for later instants do not take its quota, even if
/// they were made before.
///
/// ```swift
/// Whenever the app runs, before it settles:
/// repeat {
///   let stale = gateway.releases(at: now).filter { !stillHolds($0, at: $0.deliverAt) }
///   gateway.withdrawStale(Set(stale.map(\.id)), at: now, into: &effects)
///   …
/// } while gateway.settle(at: now, into: &effects) || gateway.hasNewReleases
/// ```
///
/// Without calls of `releases(at:)`, the gateway keeps all deferred requests until the app runs.
extension NotificationGateway {
  /// Returns all deferred requests: due ones, later ones, and those that were handed to the system.
  /// `deliverAt` of the latter two is the release.
  ///
  /// The next ``settle(at:into:)`` hands the listed requests to the system, except those that were withdrawn
  /// as stale. A change of zone may change the end of quiet hours. In that case the gateway first recalls the
  /// requests that the system holds (``TriggerModel/EngineEffect/remove(_:_:)`` with `quietHours`), and then
  /// hands them over again.
  ///
  /// - Complexity: O(*h* (*h* + *p*)) in the deferred and pending requests.
  public mutating func releases(at now: Moment) -> [NotificationRequest] {
    if !hasReleases { return [] }
    advance(to: now)
    var releases: [NotificationRequest] = []
    memory.listed = []
    memory.ready = []
    pruneReleased()
    if memory.mustRecheckReleases {
      recallReleases(at: now)
      recallFixed(at: now)
    }
    for entry in state.deferred {
      memory.listed.append(entry.request.id)
      releases.append(entry.releaseAt > now.wall ? entry.released(at: now) : entry.request)
      if entry.releaseAt > now.wall { memory.ready.append(entry.request.id) }
    }
    for request in state.released {
      guard let release = release(of: request) else { continue }
      releases.append(DeferredRequest(request: request, releaseAt: release).released(at: now))
    }
    return releases
  }

  /// Returns the release for which the system holds a request.
  private func release(of request: NotificationRequest) -> Instant? {
    state.pending.first { $0.id == request.id }?.deliverAt
  }

  /// Returns the instant at which a deferred request may be shown, given quiet hours in the phone's zone.
  mutating func releaseTime(of request: NotificationRequest, at now: Moment) -> Instant {
    let delivery = max(request.deliverAt, now.wall)
    return policy.quietExceptions.contains(request.type) ? delivery : endOfQuietHours(delivery) ?? delivery
  }

  /// Recalls the requests for which the end of quiet hours has changed, and defers them to the new end.
  private mutating func recallReleases(at now: Moment) {
    memory.mustRecheckReleases = false
    for request in state.released {
      let time = releaseTime(of: request, at: now)
      if time != release(of: request) { recall(request, until: time) }
    }
    pruneReleased()
  }

  /// Recalls a request that the system holds for its release, and defers it.
  private mutating func recall(_ request: NotificationRequest, until release: Instant) {
    cancelPending { $0.id == request.id }
    state.insertDeferred(DeferredRequest(request: request, releaseAt: release))
    memory.recalled.append(request.id)
  }

  // MARK: Fixed instants

  /// Keeps the original form of a pending request if it may be decided again.
  mutating func recordOriginal(of request: NotificationRequest) {
    if request.isFloating && !(policy.defersCounted && request.bucket != .user) { return }
    if state.originals.count > 2 * state.pending.count { state.originals = pendingOriginals }
    state.originals.append(request)
  }

  /// The ``GatewayState/originals`` that are still pending.
  var pendingOriginals: [NotificationRequest] {
    if state.originals.isEmpty { return [] }
    let pending = Set(state.pending.map(\.id))
    return state.originals.filter { pending.contains($0.id) }
  }

  /// Recalls requests for fixed instants that fall into quiet hours in the present zone, to decide them
  /// again.
  ///
  /// Only requests that can be deferred are recalled. One that would be denied may be allowed after another
  /// change of zone.
  private mutating func recallFixed(at now: Moment) {
    let quiet = pendingOriginals.filter {
      !$0.isFloating && $0.deliverAt > now.wall && endOfQuietHours($0.deliverAt) != nil
        && policy.deferringBuckets >> $0.bucket.rawValue & 1 == 1
        && ($0.bucket != .critical || !policy.criticalBypassesQuietHours)
        && !policy.quietExceptions.contains($0.type)
    }
    if quiet.isEmpty { return }
    for request in quiet { memory.recalled.append(request.id) }
    decideAgain(quiet)
  }

  /// Releases the reservations of requests and collects them again.
  private mutating func decideAgain(_ requests: [NotificationRequest]) {
    let ids = Set(requests.map(\.id))
    cancelPending { ids.contains($0.id) }
    state.originals.removeAll { ids.contains($0.id) }
    for request in requests { submit(request) }
  }

  /// Recalls reservations for later instants that keep a deferred request from its release, to decide them
  /// again after it. Does nothing unless the deferred request can then be shown.
  ///
  /// - Returns: Whether the deferred request can be shown.
  private mutating func displaceReservations(
    by request: NotificationRequest, at now: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    func comesLater(_ a: NotificationRequest, than b: NotificationRequest) -> Bool {
      a.deliverAt != b.deliverAt
        ? a.deliverAt > b.deliverAt : NotificationRequest.isDecidedBefore(b, a)
    }
    let later = pendingOriginals.filter { comesLater($0, than: request) }.sorted(by: comesLater)
    if later.isEmpty { return false }
    var without = self
    var displaced: [NotificationRequest] = []
    for other in later where without.refusal(of: request, at: now) != nil {
      without.cancelPending { $0.id == other.id }
      displaced.append(other)
    }
    if displaced.isEmpty || without.refusal(of: request, at: now) != nil { return false }
    // The latest ones may not have been in the way.
    for other in displaced {
      var needed = self
      let rest = Set(displaced.map(\.id)).subtracting([other.id])
      needed.cancelPending { rest.contains($0.id) }
      if needed.refusal(of: request, at: now) == nil { displaced.removeAll { $0.id == other.id } }
    }
    for other in displaced { effects.append(.remove(other.id, .quietHours)) }
    decideAgain(displaced)
    return true
  }

  /// Emits removals of recalled requests, which are deferred or decided again.
  ///
  /// They are emitted separately, so that the system has removed them before the new decision.
  ///
  /// - Returns: Whether there are any.
  mutating func emitRecalls(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    if memory.recalled.isEmpty { return false }
    for id in memory.recalled { effects.append(.remove(id, .quietHours)) }
    memory.recalled.removeAll(keepingCapacity: true)
    finish(at: now, into: &effects)
    return true
  }

  /// Withdraws stale requests among the ``releases(at:)``. As far as is known now, their conditions will not
  /// hold at their release.
  ///
  /// Requests that are due or held by the system are cancelled with ``TriggerModel/Reason/staleAtRelease``.
  /// The others remain deferred and are not handed over yet.
  public mutating func withdrawStale(
    _ stale: Set<RequestID>, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    memory.ready.removeAll { stale.contains($0) }
    // Requests that are being recalled are checked again after the system has removed them.
    let stale = stale.subtracting(memory.recalled)
    let due = Set(state.deferred.prefix { $0.releaseAt <= now.wall }.map(\.request.id))
    let handedOver = Set(state.released.map(\.id))
    withdrawDeferred(because: .staleAtRelease, into: &effects) {
      stale.contains($0.id) && due.contains($0.id)
    }
    withdrawPending(because: .staleAtRelease, into: &effects) {
      stale.contains($0.id) && handedOver.contains($0.id)
    }
    finish(at: now, into: &effects)
  }

  /// Whether there are deferred requests that ``releases(at:)`` has not listed.
  public var hasNewReleases: Bool { state.deferred.contains { !memory.listed.contains($0.request.id) } }

  /// Whether requests are deferred, or may be deferred after a change of zone.
  public var hasReleases: Bool {
    !state.deferred.isEmpty || !state.released.isEmpty || memory.mustRecheckReleases
  }

  /// Whether the system holds requests that a change of zone can affect.
  var hasSystemRequests: Bool {
    !state.released.isEmpty || state.originals.contains { !$0.isFloating }
  }

  /// Hands one ready request to the system: the first in the order of decision among those with the earliest
  /// release.
  ///
  /// - Returns: Whether there was one.
  mutating func handOverNext(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    while let index = nextReady() {
      memory.ready.removeAll { $0 == state.deferred[index].request.id }
      let request = state.deferred[index].released(at: now)
      if request.expiresAt <= request.deliverAt { continue }
      if refusal(of: request, at: now) != nil, !displaceReservations(by: request, at: now, into: &effects) {
        if recallRequestsDecided(after: request, at: now) { return emitRecalls(at: now, into: &effects) }
        continue
      }
      state.released.append(state.deferred.remove(at: index).request)
      recordAdmission(of: request, at: now)
      effects.append(.decided(request, .admitted))
      add(request, at: now, into: &effects)
      return true
    }
    return false
  }

  /// Recalls requests with the same release that are decided after `request`, if `request` can then be shown.
  ///
  /// - Returns: Whether requests were recalled.
  private mutating func recallRequestsDecided(after request: NotificationRequest, at now: Moment) -> Bool {
    let later = state.released.filter {
      release(of: $0) == request.deliverAt && NotificationRequest.isDecidedBefore(request, $0)
    }
    if later.isEmpty { return false }
    let ids = Set(later.map(\.id))
    var without = self
    without.cancelPending { ids.contains($0.id) }
    if without.refusal(of: request, at: now) != nil { return false }
    for other in later { recall(other, until: request.deliverAt) }
    pruneReleased()
    return true
  }

  private func nextReady() -> Int? {
    if memory.ready.isEmpty { return nil }
    return state.deferred.indices.filter { memory.ready.contains(state.deferred[$0].request.id) }.min {
      let (a, b) = (state.deferred[$0], state.deferred[$1])
      if a.releaseAt != b.releaseAt { return a.releaseAt < b.releaseAt }
      return NotificationRequest.isDecidedBefore(a.request, b.request)
    }
  }

  /// Removes the requests that were shown or are no longer held by the system.
  mutating func pruneReleased() {
    let count = state.released.count
    state.released.removeAll { request in !state.pending.contains { $0.id == request.id } }
    if state.released.count != count { memory.isDirty = true }
  }
}

extension DeferredRequest {
  /// Returns the request in the form for the system, which is due when quiet hours end in the phone's zone at
  /// that time.
  ///
  /// A request for a fixed instant in the future remains fixed, because quiet hours may end earlier in
  /// another zone.
  fileprivate func released(at now: Moment) -> NotificationRequest {
    var request = request
    request.isFloating = request.isFloating || request.deliverAt <= now.wall
    request.deliverAt = releaseAt
    return request
  }
}
