public import NotificationGateway
public import ReminderEngine
public import ReminderMatching
public import TriggerModel

/// The built-in engine of TriggerBench: the reminder engine, followed by the cap scheduler.
///
/// The engine emits `persist` after every change of the state that its halves must store. The stored state is
/// therefore always current, and a new process continues from it:
///
/// ```swift
/// for effect in effects { if effect == .persist { write(engine.storedState()) } }
/// …
/// engine.launch(ProcessLaunch(store: .bytes(read()), permission: permission, moment: now), into: &effects)
/// ```
///
/// The store is unreadable before the first unlock after a boot. If the engine started with empty counters
/// then, it would repeat all reminders. Until the store is readable, the engine therefore skips triggers with
/// the reason `staleData` and schedules nothing in advance.
public struct BuiltInEngine: EngineUnderTest {
  private var halves: JoinedHalves<ReminderEngine, NotificationGateway>

  /// The reminder engine in its current state.
  public var reminders: ReminderEngine { halves.matching }
  /// The cap scheduler in its current state.
  public var gateway: NotificationGateway { halves.deciding }

  /// Creates an engine. Both halves must have the same zones, and the gateway must have the types of the
  /// reminder program.
  public init(reminders: ReminderEngine, gateway: NotificationGateway) {
    halves = JoinedHalves(reminders, gateway, names: reminders.program.storeNames)
  }

  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    halves.process(event, into: &effects)
  }

  public mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    halves.settle(at: moment, into: &effects)
  }

  /// Returns whether there are decisions to make at this instant. If not, ``settle(at:into:)`` has no effect.
  public func isUnsettled(at moment: Moment) -> Bool {
    let (matching, deciding) = (halves.matching, halves.deciding)
    return !halves.isClosed
      && (matching.isHolding || deciding.isUnsettled(at: moment) || deciding.hasReleases)
  }

  public var countsInBulk: Bool {
    get { halves.countsInBulk }
    set { halves.countsInBulk = newValue }
  }

  public mutating func takeCounted(into counted: inout [CountedReminders]) {
    halves.takeCounted(into: &counted)
  }

  public func irrelevantEvents(at moment: Moment) -> IrrelevantEvents { halves.irrelevantEvents(at: moment) }

  /// Explains whether a trigger would make a reminder match now, and what would prevent the match.
  public mutating func explain(_ reminder: ReminderID, at moment: Moment) -> Explanation? {
    halves.matching.explain(reminder, at: moment)
  }

  // MARK: - Changing reminders

  /// Adds a reminder without compiling the others again. The engine evaluates it immediately, unless it is
  /// declared to be created later. Then call ``settle(at:into:)``, as after an event.
  ///
  /// - Parameters:
  ///   - declaration: A declaration with a new id. Its regions, apps, facts and types must be among the
  ///     program's names.
  ///   - moment: The current moment.
  ///   - effects: The array to which effects are appended, as for an event.
  /// - Returns: The identifier that events and requests use.
  /// - Throws: A compile error. The reminder is then not added.
  @discardableResult
  public mutating func add(
    _ declaration: ReminderDeclaration, at moment: Moment, into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) -> ReminderID {
    try halves.add(declaration, at: moment, into: &effects)
  }

  /// Replaces the declaration of a reminder with another one of the same id, and evaluates it immediately.
  ///
  /// - Throws: A compile error. The old declaration is then kept.
  public mutating func replace(
    _ reminder: ReminderID, with declaration: ReminderDeclaration, at moment: Moment,
    into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) {
    try halves.replace(reminder, with: declaration, at: moment, into: &effects)
  }

  /// Removes a reminder and all of its pending requests.
  public mutating func remove(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    halves.remove(reminder, at: moment, into: &effects)
  }

  // MARK: - Storing

  public static var persistsEveryChange: Bool { true }

  /// Returns the state of both halves in one form. While the store is locked, its contents are unknown. The
  /// result is then empty, and the engine does not emit `persist`.
  public func storedState() -> [UInt8] { halves.storedState() }

  /// The reminders that an update of the app has removed, with their requests that may still be pending. The
  /// app must withdraw these requests. The list is available after the launch.
  public var endedReminders: [EndedReminder] { halves.deciding.endedReminders }

  public mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    halves.launch(launch, into: &effects)
  }

  public mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    halves.open(store, into: &effects)
  }
}

// MARK: - Packing

extension BuiltInEngine: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    halves.pack(in: &parcel)
    if parcel.isUnpacking { halves.names = halves.matching.program.storeNames }
  }
}
