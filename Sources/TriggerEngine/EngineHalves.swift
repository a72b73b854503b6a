package import NotificationGateway
package import ReminderEngine
package import TriggerModel

/// What an engine needs of the half that says which reminders ask for a notification.
///
/// ``ReminderEngine`` is one; another can stand in for it, such as one in another process.
package protocol MatchingHalf: Sendable {
  /// Begins in a new process of the app: as a fresh installation, or with what is stored.
  ///
  /// - Parameter launch: Its store is ``TriggerModel/StoreContents/locked`` or open; what is in it comes with
  ///   `stored`.
  /// - Throws: Why what is stored cannot be used. It is begun anew then.
  mutating func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// The store, which was locked at the beginning, can be read: forgets what was remembered since, and goes
  /// on from what is stored.
  mutating func open(
    _ stored: StoredState?, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// Takes an event. What it asks for, and what it takes back, are `request`, `remove` and `withdraw`; all
  /// else is done as it says.
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Takes in what an event says while the store is locked, and asks for what it triggers; no more.
  mutating func look(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Forgets a request that ``look(_:into:)`` made, and that came to nothing.
  mutating func takeBack(_ request: NotificationRequest, at moment: Moment)

  /// Takes note of what became of requests.
  mutating func settled(_ answers: [EngineEffect], at moment: Moment, into effects: inout [EngineEffect])

  /// Of requests that were put off, those whose conditions do not hold now or, where they are for later, then.
  mutating func stale(among releases: [NotificationRequest], at moment: Moment) -> Set<RequestID>

  /// Whether matches that would ask alike are held until they are decided on; a half that cannot hold any asks for
  /// each at once.
  var countsAlike: Bool { get set }
  /// Matches of this instant are held.
  var isHolding: Bool { get }
  /// Has the deciding half decide on what is held: counts what it denies alike, and asks for the first that it
  /// may not deny, and for whatever must be asked one by one.
  /// - Returns: Whether there is more to decide.
  mutating func decideHeld(
    by deciding: inout some DecidingHalf, at moment: Moment, into effects: inout [EngineEffect]
  ) -> Bool
  /// Whether an event leaves what is held as it is; otherwise all of it asks before.
  func holdsBeside(_ event: ObservedEvent) -> Bool
  /// All that is held asks.
  mutating func askHeld(into effects: inout [EngineEffect])
  /// Appends what was counted since it was asked for last.
  mutating func takeCounted(into counted: inout [CountedReminders])

  /// As ``TriggerModel/EngineUnderTest/indifference(at:)``; so for the other half.
  func indifference(at moment: Moment) -> Indifference

  /// Keeps room with the system for requests that were put off until quiet hours end.
  mutating func keepRoom(forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect])

  // What is stored, in the form of ``StoredState``.
  func collectNames(into used: inout UsedNames)
  func write(to writer: inout StateWriter)
  /// What is stored in a form of its own instead.
  var ownState: [UInt8]? { get }
}

/// What an engine needs of the half that decides which requests become notifications.
///
/// ``NotificationGateway`` is one; another can stand in for it, such as one in another process.
package protocol DecidingHalf: Sendable {
  /// As ``MatchingHalf/begin(_:_:into:)``.
  mutating func begin(
    _ launch: ProcessLaunch, _ stored: StoredState?, names: StoreNames, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  /// As ``MatchingHalf/open(_:at:into:)``; it was told nothing since the beginning.
  mutating func open(
    _ stored: StoredState?, names: StoreNames, at now: Moment, into effects: inout [EngineEffect]
  ) throws(StoreProblem)

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Collects a request of the present instant.
  mutating func submit(_ request: NotificationRequest)

  /// Whether it can say beforehand what it would say to requests.
  mutating func answersAlike(at now: Moment) -> Bool
  /// What it would say to a request of a bucket and type that is to be delivered at once.
  mutating func answer(_ bucket: Bucket, _ type: TypeID, at now: Moment) -> Decision
  /// Calls the body for every type to which it may say something else than to the others of a bucket.
  mutating func forEachTypeApart(at now: Moment, _ body: (TypeID) -> Void)

  mutating func withdraw(
    _ id: RequestID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect])
  mutating func withdraw(
    _ reminder: ReminderID, because reason: Reason, at now: Moment, into effects: inout [EngineEffect])

  /// The requests that were put off, as `NotificationGateway.releases(at:)` says.
  mutating func releases(at now: Moment) -> [NotificationRequest]
  /// Takes back those of them that are stale.
  mutating func withdrawStale(
    _ stale: Set<RequestID>, at now: Moment, into effects: inout [EngineEffect])
  /// Whether anything is put off that ``releases(at:)`` has not told of.
  var hasNewReleases: Bool { get }

  /// As ``TriggerModel/EngineUnderTest/settle(at:into:)``.
  mutating func settle(at now: Moment, into effects: inout [EngineEffect]) -> Bool

  func indifference(at moment: Moment) -> Indifference

  // What is stored, in the form of ``StoredState``.
  func collectNames(_ names: StoreNames, into used: inout UsedNames)
  func write(to writer: inout StateWriter)
  /// What is stored in a form of its own instead.
  var ownState: [UInt8]? { get }
}

extension MatchingHalf {
  package var countsAlike: Bool {
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
  package func indifference(at moment: Moment) -> Indifference { .none }
  package mutating func keepRoom(
    forReleases count: Int, at moment: Moment, into effects: inout [EngineEffect]
  ) {}
}

/// One that must be asked each time.
extension DecidingHalf {
  package mutating func answersAlike(at now: Moment) -> Bool { false }
  package mutating func answer(_ bucket: Bucket, _ type: TypeID, at now: Moment) -> Decision { .admitted }
  package mutating func forEachTypeApart(at now: Moment, _ body: (TypeID) -> Void) {}
  package func indifference(at moment: Moment) -> Indifference { .none }
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
    // The plans of an empty store are nobody's; what the process was told by the system stays.
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
    // What is left of them was withdrawn.
    if !endedReminders.isEmpty { effects.append(.persist) }
  }

  package var ownState: [UInt8]? { nil }
}
