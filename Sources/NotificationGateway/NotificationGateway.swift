public import CivilTime
public import TriggerModel

/// The cap scheduler: decides which requests become notifications, and accounts for what they take.
///
/// Collect the requests of one instant with ``submit(_:)``, then let ``settle(at:into:)`` decide them; tell
/// it with ``process(_:into:)`` what happens on the phone. It asks nobody anything: time is passed in, and
/// what it wants done it appends to a list of effects. It is a value: a copy goes on exactly as the
/// original would.
///
/// ```swift
/// var gateway = NotificationGateway(policy: compiled, zones: zones, permission: .authorized)
/// gateway.submit(request)
/// gateway.settle(at: now, into: &effects)   // .decided(request, .admitted), .add(request), .persist
/// // Hand the request to the system. When it refuses, process `addFailed` before settling again.
/// ```
public struct NotificationGateway: Sendable {
  /// The rules that it decides by.
  public internal(set) var policy: CompiledCapPolicy
  /// Survives a restart of the process, if the app stores it at every ``TriggerModel/EngineEffect/persist``.
  public internal(set) var state: GatewayState
  /// Does not.
  var memory: Memory
  /// Those that moments name, and those that only what was stored names.
  var zones: ZoneTable
  /// The system may show a request later than it was asked for: it is reserved until the app is told.
  public var alarmsMayBeLate = false
  private let passing = HandedOnByAddress()

  /// What a restart forgets.
  struct Memory: Sendable {
    var permission: NotificationPermission { didSet { outlook = .none } }
    var unregistered = TypeSet() { didSet { outlook = .none } }
    /// The collected requests are in the order in which they are decided.
    var isSorted = false
    /// Of the zone that the phone is set to.
    var cursor: ZoneCursor
    /// The latest delivery of a bucket, where only the clocks say that it was: the system may have been late.
    var lastStandardByClock: RequestID?
    var lastCriticalByClock: RequestID?
    /// The process has just started: what it wishes it says again, in case the wish went with the one before.
    var asksAgain = false
    /// Whether the state changed since the last `persist`.
    var isDirty = false { didSet { if isDirty { outlook = .none } } }
    /// Whether only collected requests came and went since then, which concern no check.
    var isDirtyOfRequests = false
    /// See ``NotificationGateway/renewOutlook(at:)``.
    var outlook = Outlook.none
    /// See ``NotificationGateway/endedReminders``.
    var ended: [EndedReminder] = []
    /// The held requests that ``NotificationGateway/releases(at:)`` has told of, and those that may be handed over.
    var looked: [RequestID] = []
    var ready: [RequestID] = []
    /// Quiet hours may be others than when the ``GatewayState/released`` and the ``GatewayState/fixed`` were handed over.
    var looksForReleases = false
    /// Of those, the ones that the system is not to show.
    var takenBack: [RequestID] = []

    func lastByClock(_ bucket: Bucket) -> RequestID? {
      switch bucket {
      case .standard: lastStandardByClock
      case .critical: lastCriticalByClock
      case .user: nil
      }
    }
  }

  /// - Parameters:
  ///   - policy: the rules to decide by.
  ///   - state: counters to begin with, or nil for a fresh install.
  ///   - zones: must hold every zone that a ``TriggerModel/Moment`` will name, and at least one.
  ///   - permission: what the operating system says now.
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

  /// What the operating system allows, as it was told last.
  public var permission: NotificationPermission { memory.permission }

  /// Begins anew for another person, as a fresh install: forgets everything but policy and zones, and keeps
  /// the room that the tables of its state have taken.
  public mutating func reset(permission: NotificationPermission) {
    state.reset()
    // The first look at the clocks moves the cursor.
    memory = Memory(permission: permission, cursor: memory.cursor)
  }

  /// Says whether somebody handles the taps on notifications of a type. All types are registered at first.
  public mutating func setRegistered(_ isRegistered: Bool, _ type: TypeID) {
    if isRegistered { memory.unregistered.remove(type) } else { memory.unregistered.insert(type) }
  }

  /// When the first held request is to be checked again; nil when none is held.
  public var nextRelease: Instant? { state.held.first?.releaseAt }

  /// Whether requests are collected, or held ones due, or some are to give way to a critical one.
  public func isUnsettled(at now: Moment) -> Bool {
    !state.collected.isEmpty || nextRelease.map { $0 <= now.wall } ?? false || state.preempting != nil
  }

  // MARK: Deciding

  /// Collects a request of the present instant. Nothing is decided before ``settle(at:into:)``, and one that
  /// is held or reserved already, by its identifier, is not decided again.
  ///
  /// - Complexity: O(1)
  public mutating func submit(_ request: NotificationRequest) {
    state.collected.append(request)
    memory.isSorted = false
  }

  /// Decides what was collected together with the held requests whose time has come, in the total order
  /// of ``TriggerModel/NotificationRequest/isDecidedBefore(_:_:)``: the order of submission makes no difference,
  /// and five requests held until morning get no more through than five made at that instant.
  ///
  /// Stops after each request that is handed to the system, so that what the system says to it (a refusal
  /// comes as ``TriggerModel/ObservedEvent/Kind/addFailed``) is known before the next is decided.
  ///
  /// Emits first a `remove` for each request that gives way to a critical one which the system has taken; then for each
  /// a `decided`, after it an `add` where it is admitted, or `dropped` for a request that has expired; at the end
  /// `wakeForRelease` and `persist` where they are needed. A request may be held more than once before it is decided for
  /// good; see ``releases(at:)``.
  ///
  /// - Returns: Whether there is more to decide.
  public mutating func settle(at now: Moment, into effects: inout [EngineEffect]) -> Bool {
    advance(to: now)
    if tellTakenBack(at: now, into: &effects) { return true }
    preempt(at: now, into: &effects)
    collectDue(at: now, into: &effects)
    sortCollected()
    var hasAdded = false
    while !hasAdded, let request = state.collected.popLast() {
      memory.isDirtyOfRequests = true
      hasAdded = settle(request, at: now, into: &effects)
    }
    let hasHandedOver = !hasAdded && handOver(at: now, into: &effects)
    finish(at: now, into: &effects)
    return !state.collected.isEmpty || hasHandedOver || hasAdded && !memory.ready.isEmpty
      || state.preempting != nil
  }

  /// - Returns: Whether the request is handed to the system.
  private mutating func settle(
    _ request: NotificationRequest, at now: Moment, into effects: inout [EngineEffect]
  ) -> Bool {
    if isTaken(request.id, at: now) { return false }
    // Its time has passed before anybody could decide: the store could not be read until now.
    if request.expiresAt <= now.wall {
      effects.append(.dropped(request, .expiredAtRelease))
      return false
    }
    let decision = decide(request, at: now)
    effects.append(.decided(request, decision))
    switch decision.outcome {
    case .admit:
      add(request, at: now, into: &effects)
      if !request.isFloating, request.repeats == nil, request.deliverAt > now.wall { keepFixed(request) }
      return true
    case .defer:
      state.insertHeld(HeldRequest(request: request, releaseAt: decision.until ?? now.wall))
      memory.looked.removeAll { $0 == request.id }
      memory.isDirty = true
    case .deny, .fail: break
    }
    return false
  }

  /// Decides one request alone, and takes what it needs when it is admitted: no order among several, no
  /// pre-emption, and a deferral is not kept.
  ///
  /// - Complexity: O(log n) in the deliveries of the last days, plus the reservations within the minimum
  ///   interval. Allocates nothing once its tables have grown to size.
  public mutating func decide(_ request: NotificationRequest, at now: Moment) -> Decision {
    if let refusal = refusal(of: request, at: now) { return refusal }
    return admit(request, at: now)
  }

  /// What is said to a request that is not admitted; nil: it would be. Brings the accounts to `now`, and takes
  /// nothing.
  @inline(__always)
  mutating func refusal(of request: NotificationRequest, at now: Moment) -> Decision? {
    // What nearly every request takes is short, and in one piece. The rest is called.
    if request.deliverAt > now.wall { return refusalAhead(of: request, at: now) }
    if !memory.outlook.holds(at: now) { renewOutlook(at: now) }
    return refusal(of: request, check(request, memory.outlook), delivery: now.wall)
  }

  @inline(never)
  private mutating func refusalAhead(of request: NotificationRequest, at now: Moment) -> Decision? {
    advance(to: now)
    let outlook = outlook(for: request.deliverAt, at: now)
    return refusal(of: request, check(request, outlook), delivery: request.deliverAt)
  }

  @inline(never)
  private mutating func admit(_ request: NotificationRequest, at now: Moment) -> Decision {
    take(request, at: now)
    return Decision(outcome: .admit)
  }

  @inline(__always)
  private mutating func refusal(
    of request: NotificationRequest, _ blockers: ReasonSet, delivery: Instant
  ) -> Decision? {
    if blockers.isEmpty { return nil }
    // Field by field: a method of the policy would get a copy of it.
    let reason = policy.checkOrder[policy.firsts.place(of: blockers)]
    if reason == .quietHours, policy.deferringBuckets >> request.bucket.rawValue & 1 == 1,
      let until = release(request, delivery: delivery)
    {
      return Decision(outcome: .defer, reason: reason, blockers: blockers, until: until)
    }
    return Decision(outcome: .deny, reason: reason, blockers: blockers)
  }

  /// When what falls into quiet hours may be looked at again. What the system repeats cannot be put off: it
  /// comes at its own times.
  @inline(never)
  private mutating func release(_ request: NotificationRequest, delivery: Instant) -> Instant? {
    request.repeats == nil ? endOfQuiet(delivery) : nil
  }

  /// Hands a request that was admitted to the system.
  mutating func add(_ request: NotificationRequest, at now: Moment, into effects: inout [EngineEffect]) {
    effects.append(.add(request))
    guard request.bucket == .critical && policy.criticalPreempts else { return }
    state.preempting = request
    state.preempting?.deliverAt = max(request.deliverAt, now.wall)
  }

  /// Takes back the pending standard requests that would appear within the minimum interval of the critical one that
  /// the system was asked for last, if it has taken that.
  private mutating func preempt(at now: Moment, into effects: inout [EngineEffect]) {
    guard let critical = state.preempting else { return }
    state.preempting = nil
    memory.isDirty = true
    guard isTaken(critical.id, at: now) else { return }
    withdrawPending(because: .preempted, into: &effects) { [interval = policy.minimumInterval] in
      // Giving one occurrence up would give up all of them.
      $0.bucket == .standard && $0.repeats == nil && ($0.deliverAt - critical.deliverAt).magnitude < interval
    }
  }

  /// Whether a request of this identifier is held, reserved, or just delivered.
  private func isTaken(_ id: RequestID, at now: Moment) -> Bool {
    state.pending.contains { $0.id == id } || state.held.contains { $0.request.id == id }
      || state.unconfirmed.contains { $0.reservation.id == id && $0.isOpen(at: now) }
  }

  /// Puts the collected requests in the order in which they are decided, and told of, from the last on.
  mutating func sortCollected() {
    if memory.isSorted { return }
    // They often come in their order already: sorting that the wrong way round is slow.
    state.collected.sort(by: NotificationRequest.isDecidedBefore)
    state.collected.reverse()
    memory.isSorted = true
  }

  /// Moves the held requests that are due to the collected ones, except those of no more use.
  private mutating func collectDue(at now: Moment, into effects: inout [EngineEffect]) {
    var due = 0
    while due < state.held.count && state.held[due].releaseAt <= now.wall {
      var request = state.held[due].request
      due += 1
      if request.expiresAt <= now.wall {
        effects.append(.dropped(request, .expiredAtRelease))
      } else {
        request.deliverAt = max(request.deliverAt, now.wall)
        submit(request)
      }
    }
    if due > 0 {
      state.held.removeFirst(due)
      memory.isDirty = true
    }
  }

  /// Emits what follows from a change: the next wake-up if it is another, and the wish to be stored.
  mutating func finish(at now: Moment, into effects: inout [EngineEffect]) {
    if !state.released.isEmpty { keepReleased() }
    if !state.fixed.isEmpty, state.pending.isEmpty { state.fixed.removeAll(keepingCapacity: true) }
    let next = nextRelease ?? .distantFuture
    // A wish whose time has come is spent, unless what it was for still waits to be settled.
    if state.announcedRelease <= now.wall && next != state.announcedRelease {
      state.announcedRelease = .distantFuture
      memory.isDirty = true
    }
    if next != state.announcedRelease || memory.asksAgain && next != .distantFuture {
      state.announcedRelease = next
      memory.isDirty = true
      effects.append(.wakeForRelease(at: next))
    }
    memory.asksAgain = false
    if memory.isDirty || memory.isDirtyOfRequests {
      memory.isDirty = false
      memory.isDirtyOfRequests = false
      effects.append(.persist)
    }
  }
}
