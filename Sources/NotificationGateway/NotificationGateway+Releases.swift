import CivilTime
public import TriggerModel

/// Requests that were deferred until quiet hours end.
///
/// The app may not run at that instant. A request that can be shown then, as far as is known, is therefore
/// handed to the system for its release. It is cancelled if the app runs earlier and its conditions no longer
/// hold. The other requests stay deferred, and are decided if the app runs at or after their release. Among
/// the requests of one release, the order of decision determines which of them get the remaining quota.
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
/// Without calls of `releases(at:)` all deferred requests stay here until the app runs.
extension NotificationGateway {
  /// Returns all deferred requests: those that are due, those with a later release, and those that were
  /// handed to the system. `deliverAt` of the latter two is the release.
  ///
  /// The next ``settle(at:into:)`` hands the listed requests to the system, except those that were withdrawn
  /// as stale. If quiet hours end at another time after a change of zone, it first recalls the requests that
  /// the system holds for the old time (``TriggerModel/EngineEffect/remove(_:_:)`` with `quietHours`), and
  /// then hands them over again.
  ///
  /// - Complexity: O(*h* (*h* + *p*)) in the deferred and pending requests
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

  /// Returns the instant for which the system holds a request.
  private func release(of request: NotificationRequest) -> Instant? {
    state.pending.first { $0.id == request.id }?.deliverAt
  }

  /// Returns when a deferred request may be shown, by the quiet hours in the phone's present zone.
  mutating func releaseTime(of request: NotificationRequest, at now: Moment) -> Instant {
    let delivery = max(request.deliverAt, now.wall)
    return endOfQuietHours(delivery) ?? delivery
  }

  /// Recalls the requests whose quiet hours now end at another time, and defers them to that time.
  private mutating func recallReleases(at now: Moment) {
    memory.mustRecheckReleases = false
    for request in state.released {
      let time = releaseTime(of: request, at: now)
      if time != release(of: request) { recall(request, until: time) }
    }
    pruneReleased()
  }

  /// Defers a request that the system holds for its release again.
  private mutating func recall(_ request: NotificationRequest, until release: Instant) {
    cancelPending { $0.id == request.id }
    state.insertDeferred(DeferredRequest(request: request, releaseAt: release))
    memory.recalled.append(request.id)
  }

  // MARK: Fixed instants

  mutating func recordFixed(_ request: NotificationRequest) {
    if state.fixed.count > 2 * state.pending.count { state.fixed = pendingFixed }
    state.fixed.append(request)
  }

  /// The ``GatewayState/fixed`` requests that are still pending.
  var pendingFixed: [NotificationRequest] {
    if state.fixed.isEmpty { return [] }
    let pending = Set(state.pending.map(\.id))
    return state.fixed.filter { pending.contains($0.id) }
  }

  /// Recalls requests for fixed instants that are quiet hours in the present zone, to decide them again.
  ///
  /// Only if they can be deferred: a request that would be denied may still be allowed after another change
  /// of zone.
  private mutating func recallFixed(at now: Moment) {
    let quiet = pendingFixed.filter {
      $0.deliverAt > now.wall && endOfQuietHours($0.deliverAt) != nil
        && policy.deferringBuckets >> $0.bucket.rawValue & 1 == 1
        && ($0.bucket != .critical || !policy.criticalBypassesQuietHours)
    }
    if quiet.isEmpty { return }
    let ids = Set(quiet.map(\.id))
    cancelPending { ids.contains($0.id) }
    state.fixed.removeAll { ids.contains($0.id) }
    for request in quiet {
      memory.recalled.append(request.id)
      submit(request)
    }
  }

  /// Emits the requests that the system must not show because they are deferred or decided again.
  ///
  /// They are emitted separately, so that the system has removed them before they are decided.
  ///
  /// - Returns: Whether there are any.
  mutating func emitRecalls(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    if memory.recalled.isEmpty { return false }
    for id in memory.recalled { effects.append(.remove(id, .quietHours)) }
    memory.recalled.removeAll(keepingCapacity: true)
    finish(at: now, into: &effects)
    return true
  }

  /// Withdraws the ``releases(at:)`` whose conditions do not hold at their release, as far as is known now.
  ///
  /// Requests that are due or that the system holds are cancelled with
  /// ``TriggerModel/Reason/staleAtRelease``. The others stay deferred and are not handed over yet.
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

  /// Whether requests are deferred, or may have to be after a change of zone.
  public var hasReleases: Bool {
    !state.deferred.isEmpty || !state.released.isEmpty || memory.mustRecheckReleases
  }

  /// Whether the system holds requests that a change of zone can affect.
  var hasSystemRequests: Bool { !state.released.isEmpty || !state.fixed.isEmpty }

  /// Hands one ready request to the system: the first of the earliest release, in the order of decision.
  ///
  /// - Returns: Whether there was one.
  mutating func handOverNext(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    while let index = nextReady() {
      memory.ready.removeAll { $0 == state.deferred[index].request.id }
      let request = state.deferred[index].released(at: now)
      if request.expiresAt <= request.deliverAt { continue }
      if refusal(of: request, at: now) != nil {
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

  /// Recalls requests of the same release that are decided after `request`, if that allows it to be shown.
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

  /// Removes the requests that were shown or that the system no longer holds.
  mutating func pruneReleased() {
    let count = state.released.count
    state.released.removeAll { request in !state.pending.contains { $0.id == request.id } }
    if state.released.count != count { memory.isDirty = true }
  }
}

extension DeferredRequest {
  /// Returns the request as it is handed to the system: for the end of quiet hours, in whichever zone the
  /// phone is then.
  ///
  /// A request for a fixed instant in the future stays fixed, because quiet hours may end before it in
  /// another zone.
  fileprivate func released(at now: Moment) -> NotificationRequest {
    var request = request
    request.isFloating = request.isFloating || request.deliverAt <= now.wall
    request.deliverAt = releaseAt
    return request
  }
}
