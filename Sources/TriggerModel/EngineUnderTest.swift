/// An engine that the bench tests. It observes what a phone reports to an app, and returns effects.
///
/// The bench treats the built-in engine, an engine of a test suite, and an engine in another process in the
/// same way. An engine is a value. A copy continues exactly as the original would.
///
/// The bench simulates the processes of the app. Each process starts with a copy of the engine that was
/// passed to the bench, which has not observed any event. The bench then calls ``launch(_:into:)`` with the
/// stored state, which is all that remains of earlier processes.
public protocol EngineUnderTest: Sendable {
  /// Starts a process of the app. The bench calls this method once per process, before the first event.
  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect])

  /// Provides the contents of a store that was locked when the process started. The bench calls this method
  /// before the event ``ObservedEvent/Kind/storeAvailable``.
  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect])

  /// Processes one observed event and appends effects.
  ///
  /// The bench carries out effects in order, and reports their results as later events.
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Decides the requests of this instant. The bench calls this method after all events of the instant, so
  /// that the order of events makes no difference.
  ///
  /// Return after each request that you hand to the system (``EngineEffect/add(_:)``). If the system rejects
  /// it, the bench reports ``ObservedEvent/Kind/addFailed`` before the next call.
  ///
  /// - Returns: Whether more requests must be decided.
  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool

  /// Returns the state to store, in the engine's own format. The bench calls this method after
  /// ``EngineEffect/persist``.
  func storedState() -> [UInt8]

  /// Whether the engine appends ``EngineEffect/persist`` after every change of its stored state, in the same
  /// call.
  ///
  /// If `true`, the bench calls ``storedState()`` only when it needs the state, and not at every `persist`.
  static var persistsEveryChange: Bool { get }

  /// The reason why the engine can no longer continue, for example because its process has ended, or `nil`
  /// while it works. A failure ends the run.
  var failure: EngineFailure? { get }

  /// Whether the engine may count requests and misses without consequences instead of reporting them.
  ///
  /// The bench sets this property to `true` if it does not need individual reports. The engine may then omit
  /// the effects of reminders that were denied for the same reason or that missed at the same trigger. The
  /// bench calls ``takeCounted(into:)`` to read their counts. An engine may also ignore this property and
  /// report each reminder.
  var countsInBulk: Bool { get set }

  /// Appends the reminders that were counted since the last call, and clears the engine's list.
  ///
  /// The bench calls this method after ``process(_:into:)`` for misses, and after ``settle(at:into:)`` for
  /// denials.
  mutating func takeCounted(into counted: inout [CountedReminders])

  /// Returns the events that the bench may omit from now on.
  ///
  /// The bench calls this method after an instant is settled, and again after every later event. The default
  /// implementation omits no events.
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
  /// A description of what happened and what the user can do.
  public var description: String

  /// Creates a failure with a message for the user of the bench.
  public init(_ description: String) {
    self.description = description
  }
}

/// The state of the app and the phone when a process starts.
public struct ProcessLaunch: Hashable, Sendable {
  /// The stored state of earlier processes.
  public var store: StoreContents
  /// The person's permission for notifications.
  public var permission: NotificationPermission
  /// The readings of the phone's clocks at the start.
  public var moment: Moment
  /// The maximum number of pending requests that the system keeps for the app.
  public var pendingCapacity: Int
  /// The maximum number of regions that the system monitors for the app.
  public var regionCapacity: Int
  /// Whether the system may show a notification later than requested. If so, the app observes each delivery.
  public var alarmsMayBeLate: Bool

  /// Creates a launch. By default the capacities are unlimited.
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

/// The content of the app's store.
public enum StoreContents: Hashable, Sendable {
  /// Nothing was stored, or the stored state is lost.
  case empty
  /// The store cannot be read before the first unlock after a boot.
  case locked
  /// The bytes that were stored last, or only the part of them that was written to disk.
  case bytes([UInt8])

  /// The stored bytes, or `nil` if there are none or they cannot be read.
  package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

/// The reason why an engine cannot use its stored state. The engine then starts as after a fresh
/// installation.
public enum StoreProblem: UInt8, Error, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The bytes do not begin with the magic number of a stored state.
  case unknownForm
  /// A later version of the engine wrote the bytes.
  case newerVersion
  /// The end is missing or the checksum is wrong, so the bytes were truncated or changed.
  case torn
  /// The checksum is correct, but no engine can have stored this state.
  case contradictory

  /// The name in files and reports.
  public var name: String { String(describing: self) }
}
