public import CivilTime
public import TriggerModel

/// The cap scheduler: decides which requests become notifications, and counts them.
///
/// Collect the requests of one instant with ``submit(_:)``, then decide them with ``settle(at:into:)``.
/// Report events on the phone with ``process(_:into:)``. The gateway never queries the phone: time is a
/// parameter, and effects are appended to a list. It is a value: a copy continues exactly as the original
/// would.
///
/// ```swift
/// var gateway = NotificationGateway(policy: compiled, zones: zones, permission: .authorized)
/// gateway.submit(request)
/// gateway.settle(at: now, into: &effects)   // .decided(request, .admitted), .add(request), .persist
/// Hand the request to the system. If the system refuses it, process `addFailed` before settling again.
/// ```
public struct NotificationGateway: Sendable {
  /// The rules of the gateway.
  public internal(set) var policy: CompiledCapPolicy
  /// The state that survives a restart, if the app stores it at every ``TriggerModel/EngineEffect/persist``.
  public internal(set) var state: GatewayState
  /// The state that a restart discards.
  var memory: Memory
  /// The zones that moments name, and any additional zones in the stored state.
  var zones: ZoneTable
  /// Whether the system may show a request later than requested. If so, reservations are kept until the app
  /// observes the delivery.
  public var alarmsMayBeLate = false
  private let passing = PassedIndirectly()

  /// The state that a restart discards.
  struct Memory: Sendable {
    var permission: NotificationPermission { didSet { cachedChecks = .none } }
    var unregistered = TypeSet() { didSet { cachedChecks = .none } }
    /// Whether the collected requests are in the order of decision, from the last to the first.
    var isSorted = false
    /// The calendar cursor in the phone's zone.
    var cursor: ZoneCursor
    /// The latest delivery of a bucket if it is inferred from the clocks. The system may have delivered it
    /// late.
    var lastStandardByClock: RequestID?
    var lastCriticalByClock: RequestID?
    /// Whether the process has just started. It then repeats its wake-up request, which may have been lost
    /// with the previous process.
    var repeatsWakeRequest = false
    /// Whether the state changed since the last `persist`.
    var isDirty = false { didSet { if isDirty { cachedChecks = .none } } }
    /// Whether only collected requests have changed since then. They do not affect any check.
    var hasDirtyRequests = false
    /// See ``NotificationGateway/renewCachedChecks(at:)``.
    var cachedChecks = CachedChecks.none
    /// See ``NotificationGateway/endedReminders``.
    var ended: [EndedReminder] = []
    /// The deferred requests that ``NotificationGateway/releases(at:)`` has listed, and those that are ready
    /// to be handed over.
    var listed: [RequestID] = []
    var ready: [RequestID] = []
    /// Whether quiet hours may have changed since the ``GatewayState/released`` and ``GatewayState/originals``
    /// requests were handed to the system.
    var mustRecheckReleases = false
    /// The requests that must be removed from the system before they are decided again.
    var recalled: [RequestID] = []

    func lastByClock(_ bucket: Bucket) -> RequestID? {
      switch bucket {
      case .standard: lastStandardByClock
      case .critical: lastCriticalByClock
      case .user: nil
      }
    }
  }

  /// Creates a gateway.
  ///
  /// - Parameters:
  ///   - policy: The rules.
  ///   - state: The initial counters, or `nil` for a fresh installation.
  ///   - zones: Every zone that a ``TriggerModel/Moment`` will name. There must be at least one.
  ///   - permission: The permission that the operating system grants now.
  public init(
    policy: CompiledCapPolicy, state: GatewayState? = nil, zones: ZoneTable,
    permission: NotificationPermission
  ) {
    precondition(!zones.zones.isEmpty, "a gateway needs the zone that its phone is set to")
    self.policy = policy
    self.state = state ?? GatewayState(typeCount: policy.typeCount)
    self.state.resize(typeCount: policy.typeCount)
    self.zones = zones
    self.memory = Memory(
      permission: permission, cursor: ZoneCursor(zones[self.state.zone ?? ZoneID(0)]))
  }

  /// The last reported permission of the operating system.
  public var permission: NotificationPermission { memory.permission }

  /// Resets the gateway for another person, as after a fresh installation. Keeps the policy, the zones and
  /// the allocated capacity.
  public mutating func reset(permission: NotificationPermission) {
    state.reset()
    // The first event sets the cursor's zone.
    memory = Memory(permission: permission, cursor: memory.cursor)
  }

  /// Sets whether a part of the app handles the taps on notifications of a type. Initially all types are
  /// registered.
  public mutating func setRegistered(_ isRegistered: Bool, _ type: TypeID) {
    if isRegistered { memory.unregistered.remove(type) } else { memory.unregistered.insert(type) }
  }

  /// The release of the earliest deferred request, or `nil` if no request is deferred.
  public var nextRelease: Instant? { state.deferred.first?.releaseAt }

  /// Returns whether a call of ``settle(at:into:)`` is needed. This is the case if requests are undecided,
  /// deferred requests are due, or a critical request may pre-empt others.
  public func isUnsettled(at now: Moment) -> Bool {
    !state.collected.isEmpty || nextRelease.map { $0 <= now.wall } ?? false || state.lastCriticalAdded != nil
  }

  // MARK: Deciding

  /// Collects a request of the present instant. It is decided by ``settle(at:into:)``, unless a request with
  /// this identifier is already deferred or reserved.
  ///
  /// - Complexity: O(1)
  public mutating func submit(_ request: NotificationRequest) {
    state.collected.append(request)
    memory.isSorted = false
  }

  /// Decides the collected requests together with the deferred requests that are due.
  ///
  /// The order is that of ``TriggerModel/NotificationRequest/isDecidedBefore(_:_:)``, so the order of
  /// submission has no effect. Five requests deferred until morning are treated like five requests made at
  /// that instant.
  ///
  /// Returns after each request that is handed to the system, so that its answer is known before the next
  /// decision. A refusal is reported as ``TriggerModel/ObservedEvent/Kind/addFailed``.
  ///
  /// The effects are, in this order:
  /// - `remove` for each request that a critical one has pre-empted after the system accepted it
  /// - for each request `decided`, followed by `add` if it is admitted, or `dropped` if it has expired
  /// - `wakeForRelease` and `persist` if needed
  ///
  /// A request may be deferred several times before its final decision; see ``releases(at:)``.
  ///
  /// - Returns: Whether more requests must be decided.
  public mutating func settle(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    advance(to: now)
    if emitRecalls(at: now, into: &effects) { return true }
    preempt(at: now, into: &effects)
    collectDue(at: now, into: &effects)
    sortCollected()
    var hasAdded = false
    while !hasAdded, let request = state.collected.popLast() {
      memory.hasDirtyRequests = true
      hasAdded = settle(request, at: now, into: &effects)
    }
    let hasHandedOver = !hasAdded && handOverNext(at: now, into: &effects)
    finish(at: now, into: &effects)
    return !state.collected.isEmpty || hasHandedOver || hasAdded && !memory.ready.isEmpty
      || state.lastCriticalAdded != nil
  }

  /// - Returns: Whether the request is handed to the system.
  private mutating func settle(
    _ request: NotificationRequest, at now: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    if isDeferredOrReserved(request.id, at: now) { return false }
    // The request expired while the store could not be read.
    if request.expiresAt <= now.wall {
      effects.append(.dropped(request, .expiredAtRelease))
      return false
    }
    let decision = decide(request, at: now)
    effects.append(.decided(request, decision))
    switch decision.outcome {
    case .admit:
      add(request, at: now, into: &effects)
      if request.repeats == nil, request.deliverAt > now.wall { recordOriginal(of: request) }
      return true
    case .defer:
      state.insertDeferred(DeferredRequest(request: request, releaseAt: decision.until ?? now.wall))
      memory.listed.removeAll { $0 == request.id }
      memory.isDirty = true
    case .deny, .fail: break
    }
    return false
  }

  /// Decides one request, and reserves its delivery if it is admitted. Ignores the order among requests and
  /// pre-emption, and does not keep a deferred request.
  ///
  /// - Complexity: O(log n) in the deliveries of the last days, plus the reservations within the minimum
  ///   interval. Allocates nothing once its tables have grown.
  public mutating func decide(_ request: NotificationRequest, at now: Moment) -> Decision {
    if let refusal = refusal(of: request, at: now) { return refusal }
    return admit(request, at: now)
  }

  /// Counts a request that another scheduler admitted, without checking it.
  package mutating func count(admitted request: NotificationRequest, at now: Moment) {
    advance(to: now)
    recordAdmission(of: request, at: now)
  }

  /// Returns the decision on a request that is not admitted, or `nil` if it would be admitted. Advances the
  /// accounts to `now` and reserves nothing.
  @inline(__always)
  mutating func refusal(of request: NotificationRequest, at now: Moment) -> Decision? {
    // Only the common path is inlined.
    if request.deliverAt > now.wall { return refusalAhead(of: request, at: now) }
    if !memory.cachedChecks.holds(at: now) { renewCachedChecks(at: now) }
    return refusal(of: request, check(request, memory.cachedChecks), delivery: now.wall)
  }

  @inline(never)
  private mutating func refusalAhead(of request: NotificationRequest, at now: Moment) -> Decision? {
    advance(to: now)
    let cache = typeIndependentChecks(for: request.deliverAt, at: now)
    return refusal(of: request, check(request, cache), delivery: request.deliverAt)
  }

  @inline(never)
  private mutating func admit(_ request: NotificationRequest, at now: Moment) -> Decision {
    recordAdmission(of: request, at: now)
    return Decision(outcome: .admit)
  }

  @inline(__always)
  private mutating func refusal(
    of request: NotificationRequest, _ blockers: ReasonSet, delivery: Instant
  ) -> Decision? {
    if blockers.isEmpty { return nil }
    // Reads the fields individually, because a method of the policy would receive a copy of it.
    let reason = policy.checkOrder[policy.firstChecks.place(of: blockers)]
    if reason == .quietHours, policy.deferringBuckets >> request.bucket.rawValue & 1 == 1,
      let until = release(request, delivery: delivery)
    {
      return Decision(outcome: .defer, reason: reason, blockers: blockers, until: until)
    }
    return Decision(outcome: .deny, reason: reason, blockers: blockers)
  }

  /// Returns the end of quiet hours, or `nil` for a repeating request, which cannot be deferred.
  @inline(never)
  private mutating func release(_ request: NotificationRequest, delivery: Instant) -> Instant? {
    request.repeats == nil ? endOfQuietHours(delivery) : nil
  }

  /// Hands an admitted request to the system.
  mutating func add(_ request: NotificationRequest, at now: Moment, into effects: inout [EngineEffect]) {
    effects.append(.add(request))
    guard request.bucket == .critical && policy.criticalPreempts else { return }
    state.lastCriticalAdded = request
    state.lastCriticalAdded?.deliverAt = max(request.deliverAt, now.wall)
  }

  /// Cancels the pending standard requests within the minimum interval of the last critical request, once the
  /// system has accepted the latter.
  private mutating func preempt(at now: Moment, into effects: inout [EngineEffect]) {
    guard let critical = state.lastCriticalAdded else { return }
    state.lastCriticalAdded = nil
    memory.isDirty = true
    guard isDeferredOrReserved(critical.id, at: now) else { return }
    withdrawPending(because: .preempted, into: &effects) { [interval = policy.minimumInterval] in
      // Cancelling one occurrence would cancel all of them.
      $0.bucket == .standard && $0.repeats == nil && ($0.deliverAt - critical.deliverAt).magnitude < interval
    }
  }

  /// Returns whether a request with this identifier is deferred, reserved, or just delivered.
  private func isDeferredOrReserved(_ id: RequestID, at now: Moment) -> Bool {
    state.pending.contains { $0.id == id } || state.deferred.contains { $0.request.id == id }
      || state.unconfirmedDeliveries.contains { $0.reservation.id == id && $0.isOpen(at: now) }
  }

  /// Sorts the collected requests in the order of decision, from the last to the first.
  mutating func sortCollected() {
    if memory.isSorted { return }
    // Requests are often collected in ascending order. Sorting ascending and reversing is faster in that
    // case.
    state.collected.sort(by: NotificationRequest.isDecidedBefore)
    state.collected.reverse()
    memory.isSorted = true
  }

  /// Moves the deferred requests that are due to the collected ones, and drops the expired ones.
  private mutating func collectDue(at now: Moment, into effects: inout [EngineEffect]) {
    var due = 0
    while due < state.deferred.count && state.deferred[due].releaseAt <= now.wall {
      var request = state.deferred[due].request
      due += 1
      if request.expiresAt <= now.wall {
        effects.append(.dropped(request, .expiredAtRelease))
      } else {
        request.deliverAt = max(request.deliverAt, now.wall)
        submit(request)
      }
    }
    if due > 0 {
      state.deferred.removeFirst(due)
      memory.isDirty = true
    }
  }

  /// Emits the next wake-up if it has changed, and `persist` if the state has changed.
  mutating func finish(at now: Moment, into effects: inout [EngineEffect]) {
    if !state.released.isEmpty { pruneReleased() }
    if !state.originals.isEmpty, state.pending.isEmpty { state.originals.removeAll(keepingCapacity: true) }
    let next = nextRelease ?? .distantFuture
    // A wake-up in the past is obsolete, unless its request is still undecided.
    if state.requestedWake <= now.wall && next != state.requestedWake {
      state.requestedWake = .distantFuture
      memory.isDirty = true
    }
    if next != state.requestedWake || memory.repeatsWakeRequest && next != .distantFuture {
      state.requestedWake = next
      memory.isDirty = true
      effects.append(.wakeForRelease(at: next))
    }
    memory.repeatsWakeRequest = false
    if memory.isDirty || memory.hasDirtyRequests {
      memory.isDirty = false
      memory.hasDirtyRequests = false
      effects.append(.persist)
    }
  }
}
