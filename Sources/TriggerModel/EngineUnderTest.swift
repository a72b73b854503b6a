/// What the bench tests: something that is told what a phone tells an app, and says what it wants done.
///
/// The built-in engine, one that a test suite writes, and an engine in another process take part on equal
/// terms. An engine is a value: a copy goes on exactly as the original would.
///
/// The bench plays the life of the app's process. Whenever one starts, it takes the engine as it was handed
/// over, before its first event, and calls ``launch(_:into:)`` with what the app had stored by then: nothing
/// else of an earlier process comes along.
public protocol EngineUnderTest: Sendable {
  /// A process of the app starts. Called once before the first event of each process.
  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect])

  /// The store, which was locked when the process started, can be read from now on: called before the event
  /// ``ObservedEvent/Kind/storeAvailable``.
  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect])

  /// Takes one observed event; appends what is to be done.
  ///
  /// Effects are carried out in order, and none of them answers at once: what comes of them arrives as
  /// later events.
  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect])

  /// Decides requests of this instant, all of whose events have been processed: together, so that the order
  /// of lines in a file changes nothing.
  ///
  /// An engine stops after a request that it hands to the system (``EngineEffect/add(_:)``): what the system
  /// says to it, a refusal comes as ``ObservedEvent/Kind/addFailed``, is told before the next is decided.
  ///
  /// - Returns: Whether there is more to decide.
  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool

  /// What is to be stored: asked for because of ``EngineEffect/persist``, in a form of the engine's own.
  func storedState() -> [UInt8]

  /// Whether every change of what is stored is followed by a ``EngineEffect/persist`` in the same call. The
  /// bench then asks for ``storedState()`` when it needs it, and not at every `persist`.
  static var persistsEveryChange: Bool { get }

  /// Why the engine can go on no more, as when its process has died: the run ends there. Nil while it works.
  var failure: EngineFailure? { get }

  /// Whether what comes to nothing may be counted instead of told: of reminders that ask and are denied alike, or
  /// miss their trigger alike, there are then no effects. The bench asks for it where nobody wants to know of each,
  /// and for what was counted with ``takeCounted(into:)``. An engine that cannot do so tells of each all the same.
  var countsAlike: Bool { get set }

  /// Appends what was counted since it was asked for last: after ``process(_:into:)`` what missed its trigger,
  /// after ``settle(at:into:)`` what was denied. Nothing is left of it then.
  mutating func takeCounted(into counted: inout [CountedReminders])

  /// What it need not be told from now on. The bench asks once all of an instant is settled, and again after whatever
  /// it tells then. An engine that does not say is told of everything.
  func indifference(at moment: Moment) -> Indifference
}

extension EngineUnderTest {
  public static var persistsEveryChange: Bool { false }
  public var failure: EngineFailure? { nil }
  public var countsAlike: Bool {
    get { false }
    set {}
  }
  public mutating func takeCounted(into counted: inout [CountedReminders]) {}
  public func indifference(at moment: Moment) -> Indifference { .none }
}

/// An engine under test has broken down, which is something else than a wrong decision.
public struct EngineFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String

  /// A breakdown, told to whoever runs the bench in these words.
  public init(_ description: String) {
    self.description = description
  }
}

/// What a process of the app finds when it starts.
public struct ProcessLaunch: Hashable, Sendable {
  /// What is left of what an earlier process of the app stored.
  public var store: StoreContents
  /// What the person allows the app to show.
  public var permission: NotificationPermission
  /// What the clocks of the phone read at the start.
  public var moment: Moment
  /// How many requests for later the system keeps of the app.
  public var pendingCapacity: Int
  /// How many regions the system watches for the app.
  public var regionCapacity: Int
  /// The system may show a request later than it was asked for. The app learns of it when it does.
  public var alarmsMayBeLate: Bool

  /// A start; without capacities that of a system that takes whatever it is asked for.
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

/// What an app finds in its store.
public enum StoreContents: Hashable, Sendable {
  /// Nothing was ever stored, or it is lost.
  case empty
  /// It cannot be read before the first unlock after a boot.
  case locked
  /// What was stored last, or as much of it as reached the disk.
  case bytes([UInt8])
}

/// Why an engine cannot use what it finds stored, and begins as after a fresh installation.
public enum StoreProblem: UInt8, Error, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// It does not begin as a stored state does.
  case unknownForm
  /// A later version of the engine has written it.
  case newerVersion
  /// The end is missing, or the checksum is another: it was cut or changed.
  case torn
  /// The checksum is right, and it says what no engine can have stored.
  case contradictory

  /// The name used in files and reports.
  public var name: String { String(describing: self) }
}
