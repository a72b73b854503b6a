package import NotificationGateway
package import ReminderEngine
package import TriggerModel

/// The half of an engine that determines which reminders request notifications.
///
/// ``ReminderEngine`` conforms to this protocol. Another type can replace it, for example an engine in
/// another process.
package protocol MatchingHalf: Sendable {
  /// Starts in a new process of the app, as a fresh installation or from the stored state.
  ///
  /// - Parameters:
  ///   - launch: The launch of the process.
  ///   - stored: The decoded contents of the launch's store, or `nil` if the store is empty or locked.
  /// - Throws: An error if the stored state is unusable. The caller then starts the half again without it.
  mutating func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// Opens the store that was locked at the start. The half discards its state since then and continues from
  /// the stored state.
  mutating func open(
    _ stored: StoredState?, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// Processes an event. Its effects `request`, `remove` and `withdraw` are passed to the deciding half, and
  /// all others to the caller of the engine.
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Processes an event while the store is locked. Appends only the requests that the event triggers.
  mutating func look(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Undoes a request that ``look(_:into:)`` made and that cannot be decided.
  mutating func takeBack(_ request: NotificationRequest, at moment: Moment)

  /// Processes the decisions on requests.
  mutating func settled(_ answers: [EngineEffect], at moment: Moment, into effects: inout [EngineEffect])

  /// Returns the deferred requests whose conditions fail, now or at their later release.
  mutating func stale(among releases: [NotificationRequest], at moment: Moment) -> Set<RequestID>

  /// Whether the half holds matches with interchangeable requests until they are decided in bulk. A half that
  /// does not support this makes each request immediately.
  var countsInBulk: Bool { get set }
  /// Whether any matches of the current instant are held.
  var isHolding: Bool { get }
  /// Passes the held matches to the deciding half, which decides them in bulk, and counts the denials. Makes
  /// the first request that may be admitted, and all requests that must be made individually.
  ///
  /// - Returns: Whether there are more matches to decide.
  mutating func decideHeld(
    by deciding: inout some DecidingHalf, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool
  /// Returns whether an event leaves the held matches unchanged. If not, the matches must make their requests
  /// before the event is processed.
  func holdsBeside(_ event: ObservedEvent) -> Bool
  /// Makes the requests of all held matches.
  mutating func requestHeld(into effects: inout [EngineEffect])
  /// Appends the reminders whose denials were counted since the last call.
  mutating func takeCounted(into counted: inout [CountedReminders])

  /// Returns the events that need not be processed. See
  /// ``TriggerModel/EngineUnderTest/irrelevantEvents(at:)``. An event is omitted only if both halves return
  /// it.
  func irrelevantEvents(at moment: Moment) -> IrrelevantEvents

  /// Reserves room in the system for deferred requests.
  mutating func keepRoom(forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect])

  // The following two methods write the stored state in the form of ``StoredState``.
  func collectNames(into used: inout UsedNames)
  func write(to writer: inout StateWriter)
  /// The stored state in the half's own format, or `nil` if it uses ``StoredState``.
  var ownState: [UInt8]? { get }
}

/// The half of an engine that decides which requests become notifications.
///
/// ``NotificationGateway`` conforms to this protocol. Another type can replace it, for example an engine in
/// another process.
package protocol DecidingHalf: Sendable {
  /// Starts the half. See ``MatchingHalf/begin(_:_:into:)``.
  mutating func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, names: StoreNames, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// Opens the store. See ``MatchingHalf/open(_:at:into:)``. The half has processed no event since the start.
  mutating func open(
    _ stored: StoredState?, names: StoreNames, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Collects a request of the current instant.
  mutating func submit(_ request: NotificationRequest)

  /// Returns whether the half can predict decisions with ``answer(_:_:at:)``.
  mutating func canAnswerInAdvance(at now: Moment) -> Bool
  /// Returns the decision on a request with the given bucket and type for immediate delivery.
  mutating func answer(_ bucket: Bucket, _ type: TypeID, at now: Moment) -> Decision
  /// Calls `body` for each type whose decision may differ from that of the bucket's other types.
  mutating func forEachSpecialType(at now: Moment, _ body: (TypeID) -> Void)

  mutating func withdraw(
    _ id: RequestID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect])
  mutating func withdraw(
    _ reminder: ReminderID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect])

  /// Returns the deferred requests. See `NotificationGateway.releases(at:)`.
  mutating func releases(at now: Moment) -> [NotificationRequest]
  /// Withdraws the stale ones among the deferred requests.
  mutating func withdrawStale(
    _ stale: Set<RequestID>, at now: Moment, into effects: inout [EngineEffect])
  /// Whether there are deferred requests that ``releases(at:)`` has not returned yet.
  var hasNewReleases: Bool { get }

  /// Decides requests. See ``TriggerModel/EngineUnderTest/settle(at:into:)``.
  mutating func settle(at now: Moment, into effects: inout [EngineEffect]) -> Bool

  func irrelevantEvents(at moment: Moment) -> IrrelevantEvents

  // The following two methods write the stored state in the form of ``StoredState``.
  func collectNames(_ names: StoreNames, into used: inout UsedNames)
  func write(to writer: inout StateWriter)
  /// The stored state in the half's own format, or `nil` if it uses ``StoredState``.
  var ownState: [UInt8]? { get }
}

extension MatchingHalf {
  package var countsInBulk: Bool {
    get { false }
    set {}
  }
  package var isHolding: Bool { false }
  package mutating func decideHeld(
    by deciding: inout some DecidingHalf, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool { false }
  package func holdsBeside(_ event: ObservedEvent) -> Bool { true }
  package mutating func requestHeld(into effects: inout [EngineEffect]) {}
  package mutating func takeCounted(into counted: inout [CountedReminders]) {}
  package func irrelevantEvents(at moment: Moment) -> IrrelevantEvents { .none }
  package mutating func keepRoom(
    forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect]
  ) {}
}

/// By default, a half cannot predict decisions.
extension DecidingHalf {
  package mutating func canAnswerInAdvance(at now: Moment) -> Bool { false }
  package mutating func answer(_ bucket: Bucket, _ type: TypeID, at now: Moment) -> Decision { .admitted }
  package mutating func forEachSpecialType(at now: Moment, _ body: (TypeID) -> Void) {}
  package func irrelevantEvents(at moment: Moment) -> IrrelevantEvents { .none }
}

extension ReminderEngine: MatchingHalf {
  package mutating func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    restart(in: launch.moment.zone)
    pendingCapacity = launch.pendingCapacity
    regionCapacity = launch.regionCapacity
    alarmsMayBeLate = launch.alarmsMayBeLate
    if let stored { try adopt(stored) }
  }

  package mutating func open(
    _ stored: StoredState?, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    // Discard the plans that were made with an empty store, but keep the state that the system reported.
    forgetState()
    if let stored { try adopt(stored) }
  }

  package mutating func stale(among releases: [NotificationRequest], at moment: Moment) -> Set<RequestID> {
    var stale: Set<RequestID> = []
    for request in releases where !stillHolds(request, at: moment) { stale.insert(request.id) }
    return stale
  }

  package var ownState: [UInt8]? { nil }
}

extension NotificationGateway: DecidingHalf {
  package mutating func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, names: StoreNames, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    alarmsMayBeLate = launch.alarmsMayBeLate
    restart(permission: launch.permission)
    if let stored { try adopt(stored, names, at: launch.moment, into: &effects) }
  }

  package mutating func open(
    _ stored: StoredState?, names: StoreNames, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    restart(permission: permission)
    if let stored { try adopt(stored, names, at: now, into: &effects) }
  }

  private mutating func adopt(
    _ stored: StoredState, _ names: StoreNames, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    try adopt(stored, names: names, at: now)
    // The remaining requests of reminders that an update removed have been withdrawn.
    if !endedReminders.isEmpty { effects.append(.persist) }
  }

  package var ownState: [UInt8]? { nil }
}
