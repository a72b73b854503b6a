import CivilTime
import ReminderMatching
import TriggerModel

/// The state that an engine persists in addition to its matches and facts.
struct PersistedState: Sendable {
  /// The regions that the phone is in: bit *r* for region *r*. Regions beyond bit 31 are kept in the facts.
  ///
  /// Persisted because a crossing starts a new process, and no platform tells that process which regions it
  /// is in.
  var inside: UInt32 = 0
  /// The regions that the system was asked to watch. `nil` if it watches all of them or the app's position is
  /// unknown.
  var choice: PlaceChoice?
  /// The declaration in force of each reminder that was edited.
  var edits = ReminderTable<UInt32>()
  /// The reminders that were cancelled, and those that were not created yet.
  var cancelled: Set<ReminderID> = []
  /// The reminders for which an initial enter is an arrival although the app knows that the phone is inside.
  ///
  /// They were created or edited in a region that they wait for, or the app has just begun to watch a region
  /// because it found its position inside.
  var expectingEnter: Set<ReminderID> = []
  /// The reminders that have expired, and when they did.
  var expired = ReminderTable<Instant>()
  /// The ends of snoozes, and expiries.
  var deadlines = DeadlineQueue()
  /// The planning state of each reminder.
  var ledgers = LedgerTable()
  /// The zone in which schedules were planned last, or `nil` before the first time.
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

  /// Whether a request was made by a snooze and is deferred or late.
  func isDeferredSnooze(_ request: RequestID) -> Bool {
    ledgers[request.reminder].deferredSnooze?.request.occurrence == request.occurrence
  }

  /// Forgets everything about a reminder except its declaration in force and whether it is cancelled.
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
