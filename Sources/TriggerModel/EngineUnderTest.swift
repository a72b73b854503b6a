/// An engine that the bench tests. It observes what a phone reports to an app, and returns effects.
///
/// The bench treats the built-in engine, a test suite's engine, and an engine in another process in the same
/// way. An engine is a value: a copy continues exactly as the original would.
///
/// The bench simulates the processes of the app. Each process starts with a copy of the engine that was
/// passed to the bench, before any event. The bench then calls ``launch(_:into:)`` with the stored state, the
/// only thing that survives from earlier processes.
public protocol EngineUnderTest: Sendable {
  /// Starts a process of the app. The bench calls this method once per process, before the first event.
  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect])

  /// Opens a store that was locked when the process started. The bench calls this method before the event
  /// ``ObservedEvent/Kind/storeAvailable``.
  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect])

  /// Processes one observed event and appends effects.
  ///
  /// The bench executes the effects in order, and reports their results as later events.
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Decides the requests of the current instant. The bench calls this method after all events of the
  /// instant, so the order of events has no influence.
  ///
  /// Return after each request that you add to the system (``EngineEffect/add(_:)``). If the system rejects
  /// the request, the bench reports ``ObservedEvent/Kind/addFailed`` before the next call.
  ///
  /// - Returns: Whether there are more requests to decide.
  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool

  /// Returns the state to store, in the engine's own format. The bench calls this method after
  /// ``EngineEffect/persist``.
  func storedState() -> [UInt8]

  /// Whether every call that changes the stored state also appends ``EngineEffect/persist``.
  ///
  /// If `true`, the bench calls ``storedState()`` only when it needs the state, instead of at every
  /// `persist`.
  static var persistsEveryChange: Bool { get }

  /// The reason why the engine cannot continue, for example because its process has ended, or `nil` while it
  /// works. A failure ends the run.
  var failure: EngineFailure? { get }

  /// Whether the engine may count requests and misses that have no consequences, instead of reporting them.
  ///
  /// The bench sets this property to `true` if it does not need individual reports. The engine may then omit
  /// the effects of reminders that were denied for the same reason or that missed the same trigger. The bench
  /// reads their counts with ``takeCounted(into:)``. An engine may ignore this property and report each
  /// reminder.
  var countsInBulk: Bool { get set }

  /// Appends the reminders that the engine has counted since the last call, and clears the engine's list.
  ///
  /// The bench calls this method after ``process(_:into:)`` for misses, and after ``settle(at:into:)`` for
  /// denials.
  mutating func takeCounted(into counted: inout [CountedReminders])

  /// Returns the events that the bench may omit from now on.
  ///
  /// The bench calls this method after it has settled an instant, and again after each later event. The
  /// default implementation omits no events.
  func irrelevantEvents(at moment: Moment) -> IrrelevantEvents
}

extension EngineUnderTest {
  public static var persistsEveryChange: Bool { false }
  public var failure: EngineFailure? { nil }
  public var countsInBulk: Bool {
    get { false }
    set {}
  }
  public mutating func takeCounted(into counted: inout [CountedReminders]) {}
  public func irrelevantEvents(at moment: Moment) -> IrrelevantEvents { .none }
}

/// A technical failure of an engine under test, in contrast to a wrong decision.
public struct EngineFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A message that describes the failure and what the user can do about it.
  public var description: String

  /// Creates a failure with a message for the user.
  public init(_ description: String) {
    self.description = description
  }
}

/// The state of the app and the phone when a process starts.
public struct ProcessLaunch: Hashable, Sendable {
  /// The state that earlier processes stored.
  public var store: StoreContents
  /// The person's permission for notifications.
  public var permission: NotificationPermission
  /// The readings of the phone's clocks at the start.
  public var moment: Moment
  /// The maximum number of pending requests that the system keeps for the app.
  public var pendingCapacity: Int
  /// The maximum number of regions that the system monitors for the app.
  public var regionCapacity: Int
  /// Whether the system may show a notification late. If `true`, the app observes each delivery.
  public var alarmsMayBeLate: Bool

  /// Creates a launch. By default, capacities are unlimited.
  public init(
    store: StoreContents, permission: NotificationPermission, moment: Moment, pendingCapacity: Int = .max,
    regionCapacity: Int = .max, alarmsMayBeLate: Bool = false
  ) {
    self.store = store
    self.permission = permission
    self.moment = moment
    self.pendingCapacity = pendingCapacity
    self.regionCapacity = regionCapacity
    self.alarmsMayBeLate = alarmsMayBeLate
  }
}

/// The contents of the app's store.
public enum StoreContents: Hashable, Sendable {
  /// Nothing was stored, or the stored state is lost.
  case empty
  /// The store is unreadable until the first unlock after a boot.
  case locked
  /// The last stored bytes, or only the part of them that was written to disk.
  case bytes([UInt8])

  /// The stored bytes, or `nil` if there are none or the store is locked.
  package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

/// The reason why an engine cannot use its stored state. The engine then starts as after a fresh
/// installation.
public enum StoreProblem: UInt8, Error, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The bytes do not start with the magic number of a stored state.
  case unknownForm
  /// A later version of the engine wrote the bytes.
  case newerVersion
  /// The bytes were truncated or changed: the end is missing or the checksum is wrong.
  case torn
  /// The checksum is correct, but the state contradicts itself.
  case contradictory

  /// The name in files and reports.
  public var name: String { String(describing: self) }
}
