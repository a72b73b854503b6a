/// The engine that the bench tests. It observes what a phone reports to an app, and returns effects.
///
/// The built-in engine, an engine of a test suite, and an engine in another process take part on equal terms.
/// An engine is a value: a copy continues exactly as the original would.
///
/// The bench simulates the processes of the app. Each process starts with a copy of the engine that was
/// passed to the bench, which has observed no event. The bench then calls ``launch(_:into:)`` with the stored
/// state. No other state of an earlier process survives.
public protocol EngineUnderTest: Sendable {
  /// Starts a process of the app. Called once per process, before its first event.
  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect])

  /// Provides the contents of a store that was locked when the process started. Called before the event
  /// ``ObservedEvent/Kind/storeAvailable``.
  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect])

  /// Processes one observed event and appends effects.
  ///
  /// Effects are carried out in order. Their results are reported as later events.
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Decides the requests of this instant. Called after all events of the instant, so that their order makes
  /// no difference.
  ///
  /// Return after each request that is handed to the system (``EngineEffect/add(_:)``). A refusal is reported
  /// as ``ObservedEvent/Kind/addFailed`` before the next call.
  ///
  /// - Returns: Whether more requests must be decided.
  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool

  /// Returns the state to store, in the engine's own format. Called after ``EngineEffect/persist``.
  func storedState() -> [UInt8]

  /// Whether every change of the stored state is followed by ``EngineEffect/persist`` in the same call.
  ///
  /// If `true`, the bench calls ``storedState()`` only when it needs the state, and not at every `persist`.
  static var persistsEveryChange: Bool { get }

  /// The reason why the engine can no longer continue, or `nil` while it works. For example, its process has
  /// ended. A failure ends the run.
  var failure: EngineFailure? { get }

  /// Whether requests and misses without consequences may be counted instead of reported.
  ///
  /// The bench sets this to `true` if it does not need individual reports. The engine may then omit the
  /// effects of reminders that were denied for the same reason or that missed the same trigger. The bench
  /// calls ``takeCounted(into:)`` to read their counts. An engine may ignore this property and report each
  /// reminder.
  var countsInBulk: Bool { get set }

  /// Appends the reminders that were counted since the last call, and clears the engine's list.
  ///
  /// Called after ``process(_:into:)`` for misses, and after ``settle(at:into:)`` for denials.
  mutating func takeCounted(into counted: inout [CountedReminders])

  /// Returns the events that the bench may omit from now on.
  ///
  /// Called after an instant is settled, and again after every subsequent event. The default omits no events.
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

/// A technical failure of an engine under test, as opposed to a wrong decision.
public struct EngineFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A description of what happened and what to do.
  public var description: String

  /// Creates a failure with a message for the user of the bench.
  public init(_ description: String) {
    self.description = description
  }
}

/// The state of the app and the phone when a process starts.
public struct ProcessLaunch: Hashable, Sendable {
  /// The stored state that earlier processes have left.
  public var store: StoreContents
  /// The person's permission for notifications.
  public var permission: NotificationPermission
  /// The phone's clocks at the start.
  public var moment: Moment
  /// The maximum number of pending requests that the system keeps for the app.
  public var pendingCapacity: Int
  /// The maximum number of regions that the system monitors for the app.
  public var regionCapacity: Int
  /// Whether the system may show a request later than requested. If so, the app observes each delivery.
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
  /// Nothing was stored, or it is lost.
  case empty
  /// The store cannot be read before the first unlock after a boot.
  case locked
  /// The last stored bytes, or the part of them that was written to disk.
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
  /// The end is missing or the checksum is wrong, because the bytes were truncated or changed.
  case torn
  /// The checksum is correct, but no engine can have stored this state.
  case contradictory

  /// The name in files and reports.
  public var name: String { String(describing: self) }
}
