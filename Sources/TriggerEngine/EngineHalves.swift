package import NotificationGateway
package import ReminderEngine
package import TriggerModel

/// The half of an engine that determines which reminders request notifications.
///
/// ``ReminderEngine`` conforms to this protocol. Another type, for example an engine in another process, can
/// replace it.
package protocol MatchingHalf: Sendable {
  /// Starts in a new process of the app, as a fresh installation or from the stored state.
  ///
  /// - Parameter launch: The launch. `stored` has the contents of its store, unless the store is locked.
  /// - Throws: A problem that makes the stored state unusable. The caller then starts the half again without
  ///   it.
  mutating func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// Provides the contents of the store that was locked at the start. The half discards its state since then
  /// and continues from the stored state.
  mutating func open(
    _ stored: StoredState?, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// Processes an event. The effects `request`, `remove` and `withdraw` are passed to the deciding half, and
  /// all others to the caller.
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Processes an event while the store is locked. Emits only the requests that the event triggers.
  mutating func look(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Undoes a request made by ``look(_:into:)``, because it cannot be decided.
  mutating func takeBack(_ request: NotificationRequest, at moment: Moment)

  /// Processes the decisions on requests.
  mutating func settled(_ answers: [EngineEffect], at moment: Moment, into effects: inout [EngineEffect])

  /// Returns the deferred requests with failing conditions, evaluated for now or for a later release.
  mutating func stale(among releases: [NotificationRequest], at moment: Moment) -> Set<RequestID>

  /// Whether matches whose requests are interchangeable are held until they are decided in bulk. A half that
  /// does not support this makes each request immediately.
  var countsInBulk: Bool { get set }
  /// Whether any matches of this instant are held.
  var isHolding: Bool { get }
  /// Passes the held matches to the deciding half, which decides them in bulk. Counts the denials. Makes the
  /// first request that may be admitted, and all requests that must be made individually.
  ///
  /// - Returns: Whether more matches must be decided.
  mutating func decideHeld(
    by deciding: inout some DecidingHalf, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool
  /// Returns whether an event leaves the held matches unchanged. If not, they must make their requests before
  /// it is processed.
  func holdsBeside(_ event: ObservedEvent) -> Bool
  /// Makes the requests of all held matches.
  mutating func askHeld(into effects: inout [EngineEffect])
  /// Appends the reminders whose denials were counted since the last call.
  mutating func takeCounted(into counted: inout [CountedReminders])

  /// Returns the events that need not be processed, as in
  /// ``TriggerModel/EngineUnderTest/irrelevantEvents(at:)``. They are omitted only if the other half also
  /// returns them.
  func irrelevantEvents(at moment: Moment) -> IrrelevantEvents

  /// Reserves room in the system for deferred requests.
  mutating func keepRoom(forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect])

  // The two following methods write the stored state in the form of ``StoredState``.
  func collectNames(into used: inout UsedNames)
  func write(to writer: inout StateWriter)
  /// The stored state in another format, or `nil`.
  var ownState: [UInt8]? { get }
}

/// The half of an engine that decides which requests become notifications.
///
/// ``NotificationGateway`` conforms to this protocol. Another type, for example an engine in another process,
/// can replace it.
package protocol DecidingHalf: Sendable {
  /// Starts like ``MatchingHalf/begin(_:_:into:)``.
  mutating func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, names: StoreNames, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// Provides the store like ``MatchingHalf/open(_:at:into:)``. The half has processed no event since the
  /// start.
  mutating func open(
    _ stored: StoredState?, names: StoreNames, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Collects a request of the current instant.
  mutating func submit(_ request: NotificationRequest)

  /// Returns whether the half can decide requests in advance.
  mutating func canAnswerInAdvance(at now: Moment) -> Bool
  /// Returns the decision on a request of a bucket and type for immediate delivery.
  mutating func answer(_ bucket: Bucket, _ type: TypeID, at now: Moment) -> Decision
  /// Calls `body` for every type that may get a different decision than the other types of a bucket.
  mutating func forEachSpecialType(at now: Moment, _ body: (TypeID) -> Void)

  mutating func withdraw(
    _ id: RequestID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect])
  mutating func withdraw(
    _ reminder: ReminderID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect])

  /// Returns the deferred requests, like `NotificationGateway.releases(at:)`.
  mutating func releases(at now: Moment) -> [NotificationRequest]
  /// Withdraws those deferred requests that are stale.
  mutating func withdrawStale(
    _ stale: Set<RequestID>, at now: Moment, into effects: inout [EngineEffect])
  /// Whether there are deferred requests that ``releases(at:)`` has not listed.
  var hasNewReleases: Bool { get }

  /// Decides requests like ``TriggerModel/EngineUnderTest/settle(at:into:)``.
  mutating func settle(at now: Moment, into effects: inout [EngineEffect]) -> Bool

  func irrelevantEvents(at moment: Moment) -> IrrelevantEvents

  // The two following methods write the stored state in the form of ``StoredState``.
  func collectNames(_ names: StoreNames, into used: inout UsedNames)
  func write(to writer: inout StateWriter)
  /// The stored state in another format, or `nil`.
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
  package mutating func askHeld(into effects: inout [EngineEffect]) {}
  package mutating func takeCounted(into counted: inout [CountedReminders]) {}
  package func irrelevantEvents(at moment: Moment) -> IrrelevantEvents { .none }
  package mutating func keepRoom(
    forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect]
  ) {}
}

/// By default, a half cannot decide in advance.
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
    beginAnew(in: launch.moment.zone)
    pendingCapacity = launch.pendingCapacity
    regionCapacity = launch.regionCapacity
    alarmsMayBeLate = launch.alarmsMayBeLate
    if let stored { try adopt(stored) }
  }

  package mutating func open(
    _ stored: StoredState?, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    // Discard plans made with an empty store, but keep the state that the system reported.
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
    beginAnew(permission: launch.permission)
    if let stored { try adopt(stored, names, at: launch.moment, into: &effects) }
  }

  package mutating func open(
    _ stored: StoredState?, names: StoreNames, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    beginAnew(permission: permission)
    if let stored { try adopt(stored, names, at: now, into: &effects) }
  }

  private mutating func adopt(
    _ stored: StoredState, _ names: StoreNames, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem) {
    try adopt(stored, names: names, at: now)
    // The remaining requests of reminders that an update removed were withdrawn.
    if !endedReminders.isEmpty { effects.append(.persist) }
  }

  package var ownState: [UInt8]? { nil }
}
