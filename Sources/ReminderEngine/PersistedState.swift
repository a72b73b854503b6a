import CivilTime
import ReminderMatching
import TriggerModel

/// The state that an engine persists in addition to matches and facts.
struct PersistedState: Sendable {
  /// The regions that contain the phone: bit *r* for region *r*. Regions above bit 31 are stored among the
  /// facts.
  ///
  /// The value is persisted because a crossing may start a new process, and no platform reports to that
  /// process which regions contain the phone.
  var inside: UInt32 = 0
  /// The regions that the app has asked the system to watch, or `nil` if the system watches all of them or
  /// the app does not know its position.
  var choice: PlaceChoice?
  /// The declaration in force of each edited reminder.
  var edits = ReminderTable<UInt32>()
  /// The reminders that were cancelled or have not been created yet.
  var cancelled: Set<ReminderID> = []
  /// The reminders for which an initial enter counts as an arrival, although the app knows that the phone is
  /// inside the region.
  ///
  /// Either the reminder was created or edited inside a region that triggers it, or the app has just begun to
  /// watch a region and found itself inside.
  var expectingEnter: Set<ReminderID> = []
  /// The expired reminders, with the instants of their expiry.
  var expired = ReminderTable<Instant>()
  /// The ends of snoozes and the expiry instants.
  var deadlines = DeadlineQueue()
  /// The planning state of each reminder.
  var ledgers = LedgerTable()
  /// The zone in which schedules were last planned, or `nil` if they have not been planned yet.
  var plannedZone: ZoneID?
  /// The matches whose requests can still be undone.
  var openMatches = OpenMatches()

  /// Creates the state of a fresh installation.
  init(of program: ReminderProgram) {
    cancelled = Set(program.createdLater)
    for (index, declaration) in program.ownDeclarations.enumerated() {
      let expires = program.plans[Int(declaration)].expires
      if expires == .distantFuture { continue }
      deadlines.insert(Deadline(at: expires, reminder: ReminderID(index), kind: .expiry))
    }
  }

  /// Returns whether a request was made by a snooze that has ended, and is deferred or late.
  func isDeferredSnooze(_ request: RequestID) -> Bool {
    ledgers[request.reminder].deferredSnooze?.request.occurrence == request.occurrence
  }

  /// Discards a reminder's state, except its declaration in force and whether it is cancelled.
  mutating func forget(_ reminder: ReminderID) {
    ledgers[reminder] = Ledger()
    openMatches.forget(reminder)
    expectingEnter.remove(reminder)
    expired[reminder] = nil
  }
}

extension PersistedState: Packable {
  mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.inside, \.plannedZone)
    parcel.keep(&choice, unless: choice == nil)
    parcel.carry(&cancelled)
    parcel.carry(&expectingEnter)
    edits.pack(in: &parcel)
    expired.pack(in: &parcel)
    deadlines.pack(in: &parcel)
    ledgers.pack(in: &parcel)
    openMatches.pack(in: &parcel)
  }
}
