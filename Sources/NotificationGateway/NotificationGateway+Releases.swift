import CivilTime
public import TriggerModel

/// Requests that were put off until quiet hours end.
///
/// Nothing says that the app will run at that instant. So a request that may be shown then, as far as is known, is
/// handed to the system for it, and taken back if the app runs before and learns better. What may not be shown then
/// stays here, and is decided on if the app runs when its time has come. Whoever came first, what is decided before
/// others of its release has the place that is there for one.
///
/// ```swift
/// // Whenever the app runs, before it settles:
/// repeat {
///   let stale = gateway.releases(at: now).filter { !stillHolds($0, at: $0.deliverAt) }
///   gateway.withdrawStale(Set(stale.map(\.id)), at: now, into: &effects)
///   …
/// } while gateway.settle(at: now, into: &effects) || gateway.hasNewReleases
/// ```
///
/// Whoever never asks for the releases has all of them held here, until the app runs.
extension NotificationGateway {
  /// The requests that were put off: those held here whose time has come, those held here whose time is to come,
  /// and those that were handed to the system for it. `deliverAt` of the latter two is the release.
  ///
  /// What is told of here, and is not called stale before, the next ``settle(at:into:)`` hands over. Where quiet
  /// hours end at another time since a journey, it takes back from the system what that had for the old one
  /// (``TriggerModel/EngineEffect/remove(_:_:)`` because of `quietHours`), and hands that over anew.
  ///
  /// - Complexity: O(*h* (*h* + *p*)) in the requests held and pending
  public mutating func releases(at now: Moment) -> [NotificationRequest] {
    if !hasReleases { return [] }
    advance(to: now)
    var releases: [NotificationRequest] = []
    memory.looked = []
    memory.ready = []
    keepReleased()
    if memory.looksForReleases {
      takeBackReleases(at: now)
      takeBackFixed(at: now)
    }
    for entry in state.held {
      memory.looked.append(entry.request.id)
      releases.append(entry.releaseAt > now.wall ? entry.released(at: now) : entry.request)
      if entry.releaseAt > now.wall { memory.ready.append(entry.request.id) }
    }
    for request in state.released {
      guard let release = release(of: request) else { continue }
      releases.append(HeldRequest(request: request, releaseAt: release).released(at: now))
    }
    return releases
  }

  /// When the system has been asked to show what was handed to it.
  private func release(of request: NotificationRequest) -> Instant? {
    state.pending.first { $0.id == request.id }?.deliverAt
  }

  /// When a request that was put off may be shown, by the quiet hours of where the phone is.
  mutating func releaseTime(of request: NotificationRequest, at now: Moment) -> Instant {
    let delivery = max(request.deliverAt, now.wall)
    return endOfQuiet(delivery) ?? delivery
  }

  /// Quiet hours end at another time than they did when these were handed over: what they took is given back, and
  /// they are held, to be decided for that time.
  private mutating func takeBackReleases(at now: Moment) {
    memory.looksForReleases = false
    for request in state.released {
      let time = releaseTime(of: request, at: now)
      if time != release(of: request) { holdAgain(request, until: time) }
    }
    keepReleased()
  }

  /// What the system has for its release is held, to be decided for that time once more, or for another.
  private mutating func holdAgain(_ request: NotificationRequest, until release: Instant) {
    givePendingBack { $0.id == request.id }
    state.insertHeld(HeldRequest(request: request, releaseAt: release))
    memory.takenBack.append(request.id)
  }

  // MARK: Fixed instants

  mutating func keepFixed(_ request: NotificationRequest) {
    if state.fixed.count > 2 * state.pending.count { state.fixed = pendingFixed }
    state.fixed.append(request)
  }

  /// Those of ``GatewayState/fixed`` that are pending.
  var pendingFixed: [NotificationRequest] {
    if state.fixed.isEmpty { return [] }
    let pending = Set(state.pending.map(\.id))
    return state.fixed.filter { pending.contains($0.id) }
  }

  /// What the system is to show at what is a quiet hour where the phone is now is decided anew, if it can be put off:
  /// what would be denied may come all the same, where another journey follows.
  private mutating func takeBackFixed(at now: Moment) {
    let quiet = pendingFixed.filter {
      $0.deliverAt > now.wall && endOfQuiet($0.deliverAt) != nil
        && policy.deferringBuckets >> $0.bucket.rawValue & 1 == 1
        && ($0.bucket != .critical || !policy.criticalBypassesQuietHours)
    }
    if quiet.isEmpty { return }
    let ids = Set(quiet.map(\.id))
    givePendingBack { ids.contains($0.id) }
    state.fixed.removeAll { ids.contains($0.id) }
    for request in quiet {
      memory.takenBack.append(request.id)
      submit(request)
    }
  }

  /// Says what the system is not to show, as it is held again or decided anew: alone, so that it has given that back
  /// before it is decided.
  /// - Returns: Whether there are any.
  mutating func tellTakenBack(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    if memory.takenBack.isEmpty { return false }
    for id in memory.takenBack { effects.append(.remove(id, .quietHours)) }
    memory.takenBack.removeAll(keepingCapacity: true)
    finish(at: now, into: &effects)
    return true
  }

  /// Takes back those of the ``releases(at:)`` whose conditions do not hold at their time, by what is known now: with
  /// ``TriggerModel/Reason/staleAtRelease`` where they are due or the system has them. The others are not handed over
  /// as yet.
  public mutating func withdrawStale(
    _ stale: Set<RequestID>, at now: Moment, into effects: inout [EngineEffect]
  ) {
    advance(to: now)
    memory.ready.removeAll { stale.contains($0) }
    // What the system is about to give back is asked about again once it has.
    let stale = stale.subtracting(memory.takenBack)
    let due = Set(state.held.prefix { $0.releaseAt <= now.wall }.map(\.request.id))
    let handedOver = Set(state.released.map(\.id))
    withdrawHeld(because: .staleAtRelease, into: &effects) { stale.contains($0.id) && due.contains($0.id) }
    withdrawPending(because: .staleAtRelease, into: &effects) {
      stale.contains($0.id) && handedOver.contains($0.id)
    }
    finish(at: now, into: &effects)
  }

  /// Whether anything is put off that ``releases(at:)`` has not told of.
  public var hasNewReleases: Bool { state.held.contains { !memory.looked.contains($0.request.id) } }

  /// Whether anything is put off, or may have to be since a journey.
  public var hasReleases: Bool {
    !state.held.isEmpty || !state.released.isEmpty || memory.looksForReleases
  }

  /// Whether the system has anything of which a journey may change what becomes.
  var hasWithTheSystem: Bool { !state.released.isEmpty || !state.fixed.isEmpty }

  /// Hands the first that may be to the system: of the earliest release, in the order in which they are decided.
  /// - Returns: Whether there was one.
  mutating func handOver(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    while let index = nextReady() {
      memory.ready.removeAll { $0 == state.held[index].request.id }
      let request = state.held[index].released(at: now)
      if request.expiresAt <= request.deliverAt { continue }
      if refusal(of: request, at: now) != nil {
        if makeWay(for: request, at: now) { return tellTakenBack(at: now, into: &effects) }
        continue
      }
      state.released.append(state.held.remove(at: index).request)
      take(request, at: now)
      effects.append(.decided(request, .admitted))
      add(request, at: now, into: &effects)
      return true
    }
    return false
  }

  /// What was put off to the same release and is decided after a request gives way to it where that lets it be shown,
  /// though it came first: it is held again, and decided after it.
  /// - Returns: Whether it does.
  private mutating func makeWay(for request: NotificationRequest, at now: Moment) -> Bool {
    let later = state.released.filter {
      release(of: $0) == request.deliverAt && NotificationRequest.isDecidedBefore(request, $0)
    }
    if later.isEmpty { return false }
    let ids = Set(later.map(\.id))
    var without = self
    without.givePendingBack { ids.contains($0.id) }
    if without.refusal(of: request, at: now) != nil { return false }
    for other in later { holdAgain(other, until: request.deliverAt) }
    keepReleased()
    return true
  }

  private func nextReady() -> Int? {
    if memory.ready.isEmpty { return nil }
    return state.held.indices.filter { memory.ready.contains(state.held[$0].request.id) }.min {
      let (a, b) = (state.held[$0], state.held[$1])
      if a.releaseAt != b.releaseAt { return a.releaseAt < b.releaseAt }
      return NotificationRequest.isDecidedBefore(a.request, b.request)
    }
  }

  /// Forgets what the system has shown, or has no more.
  mutating func keepReleased() {
    let count = state.released.count
    state.released.removeAll { request in !state.pending.contains { $0.id == request.id } }
    if state.released.count != count { memory.isDirty = true }
  }
}

extension HeldRequest {
  /// As it is handed to the system: at the end of quiet hours, wherever the phone is then. What is for an instant to
  /// come that no journey moves stays for one: quiet hours may end before it elsewhere.
  fileprivate func released(at now: Moment) -> NotificationRequest {
    var request = request
    request.isFloating = request.isFloating || request.deliverAt <= now.wall
    request.deliverAt = releaseAt
    return request
  }
}
