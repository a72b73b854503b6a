public import NotificationGateway
public import ReminderEngine
public import ReminderMatching
public import TriggerModel

/// TriggerBench's own engine: the reminder engine, and behind it the cap scheduler.
///
/// What both have to remember when the process ends they ask for at once to be stored (`persist`), so that
/// what is stored is always their state, and a new process goes on from there:
///
/// ```swift
/// for effect in effects { if effect == .persist { write(engine.storedState()) } }
/// …
/// engine.launch(ProcessLaunch(store: .bytes(read()), permission: permission, moment: now), into: &effects)
/// ```
///
/// Before the first unlock after a boot the store cannot be read. An engine that went on with empty
/// counters would remind again of everything; this one lets its triggers pass and says `staleData`, and
/// plans nothing ahead until the store can be read.
public struct BuiltInEngine: EngineUnderTest {
  private var halves: JoinedHalves<ReminderEngine, NotificationGateway>

  /// Which reminders ask, with what it knows at present.
  public var reminders: ReminderEngine { halves.matching }
  /// What becomes of their requests, with what it has counted so far.
  public var gateway: NotificationGateway { halves.deciding }

  /// Both must have the same zones, and the gateway the types of the reminders' program.
  public init(reminders: ReminderEngine, gateway: NotificationGateway) {
    halves = JoinedHalves(reminders, gateway, names: reminders.program.storeNames)
  }

  public mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    halves.process(event, into: &effects)
  }

  public mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    halves.settle(at: moment, into: &effects)
  }

  /// Whether there is anything to decide at this instant: ``settle(at:into:)`` would do nothing otherwise.
  public func isUnsettled(at moment: Moment) -> Bool {
    let (matching, deciding) = (halves.matching, halves.deciding)
    return !halves.isClosed
      && (matching.isHolding || deciding.isUnsettled(at: moment) || deciding.hasReleases)
  }

  public var countsAlike: Bool {
    get { halves.countsAlike }
    set { halves.countsAlike = newValue }
  }

  public mutating func takeCounted(into counted: inout [CountedReminders]) {
    halves.takeCounted(into: &counted)
  }

  public func indifference(at moment: Moment) -> Indifference { halves.indifference(at: moment) }

  /// Why a reminder would, or would not, match if its trigger came now.
  public mutating func explain(_ reminder: ReminderID, at moment: Moment) -> Explanation? {
    halves.matching.explain(reminder, at: moment)
  }

  // MARK: - Reminders that come and go

  /// Takes up a reminder without compiling the others; it waits from now on, unless it is made later. Settle
  /// afterwards, as after an event.
  ///
  /// - Parameters:
  ///   - declaration: Its places, apps, facts and type are among the program's names; its own name is no other
  ///     reminder's.
  ///   - moment: What the clocks read now.
  ///   - effects: Takes up what is to be done, as with an event.
  /// - Returns: The number by which events and requests name it.
  /// - Throws: Why it cannot be compiled; it is not there then.
  @discardableResult
  public mutating func add(
    _ declaration: ReminderDeclaration, at moment: Moment, into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) -> ReminderID {
    try halves.add(declaration, at: moment, into: &effects)
  }

  /// Puts another declaration of the same name in a reminder's place, which waits anew.
  ///
  /// - Throws: Why it cannot be compiled; the old one stays then.
  public mutating func replace(
    _ reminder: ReminderID, with declaration: ReminderDeclaration, at moment: Moment,
    into effects: inout [EngineEffect]
  ) throws(ReminderCompileError) {
    try halves.replace(reminder, with: declaration, at: moment, into: &effects)
  }

  /// Takes a reminder back for good, with everything of it that is pending.
  public mutating func remove(
    _ reminder: ReminderID, at moment: Moment, into effects: inout [EngineEffect]
  ) {
    halves.remove(reminder, at: moment, into: &effects)
  }

  // MARK: - Storing

  public static var persistsEveryChange: Bool { true }

  /// Everything that both halves have to remember, in one form. Nothing while the store is locked: what it
  /// holds is not known then, and nobody asks for it to be changed.
  public func storedState() -> [UInt8] { halves.storedState() }

  /// The reminders that an update of the app has brought to an end, with the requests that the system may
  /// still hold: known after the launch, to be withdrawn by the app.
  public var endedReminders: [EndedReminder] { halves.deciding.endedReminders }

  public mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    halves.launch(launch, into: &effects)
  }

  public mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    halves.open(store, into: &effects)
  }
}

// MARK: - At rest

extension BuiltInEngine: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    halves.pack(in: &parcel)
    if parcel.isUnpacking { halves.names = halves.matching.program.storeNames }
  }
}
