import CivilTime
import ReminderMatching
import TriggerModel

/// What an engine has written down beside its matches and facts: what the person asked of it, and what it
/// has undertaken.
struct Notebook: Sendable {
  /// Bit *r*: inside region *r*; of those that have no bit the facts know. Kept, because no platform tells a new
  /// process where it is; it starts one for every region that is entered or left.
  var inside: UInt32 = 0
  /// The regions that the system was asked to watch, where it watches fewer than reminders name; otherwise nil, as
  /// before the app knew where it is.
  var choice: PlaceChoice?
  /// Reminders that are put off.
  var snoozes = ReminderTable<Snooze>()
  /// Reminders that were put off into quiet hours, and what comes at the end of those.
  var deferredSnoozes = ReminderTable<Snooze.Deferred>()
  /// Reminders that an edit replaced: the declaration now in force.
  var edits = ReminderTable<UInt32>()
  /// Those that were taken back, and those that were not made yet.
  var cancelled: Set<ReminderID> = []
  /// Reminders that wait no longer because they have expired, and when that was.
  var expired = ReminderTable<Instant>()
  /// Ends of snoozes, and expiries.
  var deadlines = DeadlineQueue()
  /// The occurrence that each schedule is to wake the app for.
  var wakes = ReminderTable<Instant>()
  /// The occurrences of each schedule that were handed over beforehand.
  var handedOver = HoldingTable<HandedOver>()
  /// The occurrence of each schedule for which there was no room, as the system keeps only so many requests.
  var leftOut = ReminderTable<Instant>()
  /// What the system did not take of what was to be handed over.
  var failed: [ReminderID: FailedAdds] = [:]
  /// The days from which relative schedules count.
  var countedFrom = ReminderTable<DayOfFact>()
  /// What the system was asked to repeat.
  var standing = HoldingTable<StandingRequests>()
  /// The lapses that are planned for the time since the app was last opened.
  var plannedLapses = ReminderTable<PlannedLapse>()
  /// The zone in which schedules were planned last; nil before the first time.
  var plannedZone: ZoneID?
  /// The matches whose requests may still come to nothing.
  var openMatches = OpenMatches()

  /// A fresh installation's.
  init(of program: ReminderProgram) {
    cancelled = Set(program.createdLater)
    for (index, declaration) in program.ownDeclarations.enumerated() {
      let expires = program.plans[Int(declaration)].expires
      if expires == .distantFuture { continue }
      deadlines.insert(Deadline(at: expires, reminder: ReminderID(index), kind: .expiry))
    }
  }

  /// Whether a request is one by which a snooze asked again, and which quiet hours put off.
  func isDeferredSnooze(_ request: RequestID) -> Bool {
    deferredSnoozes[request.reminder]?.request.occurrence == request.occurrence
  }

  /// What was handed over for a reminder, or could not be, is of no importance any more.
  mutating func forgetPlans(of reminder: ReminderID) {
    handedOver[reminder] = nil
    leftOut[reminder] = nil
    failed[reminder] = nil
    standing[reminder] = nil
    deferredSnoozes[reminder] = nil
  }

  /// Nor is anything else of it, but for which declaration is in force, and whether it was taken back.
  mutating func forget(_ reminder: ReminderID) {
    forgetPlans(of: reminder)
    snoozes[reminder] = nil
    wakes[reminder] = nil
    plannedLapses[reminder] = nil
    openMatches.forget(reminder)
    expired[reminder] = nil
    countedFrom[reminder] = nil
  }
}

extension Notebook: Packable {
  mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.inside, \.plannedZone)
    parcel.keep(&choice, unless: choice == nil)
    parcel.carry(&cancelled)
    snoozes.pack(in: &parcel)
    deferredSnoozes.pack(in: &parcel)
    edits.pack(in: &parcel)
    expired.pack(in: &parcel)
    deadlines.pack(in: &parcel)
    wakes.pack(in: &parcel)
    handedOver.pack(HandedOver(), in: &parcel)
    leftOut.pack(in: &parcel)
    parcel.keep(&failed, unless: failed.isEmpty)
    countedFrom.pack(in: &parcel)
    standing.pack(StandingRequests(), in: &parcel)
    plannedLapses.pack(in: &parcel)
    openMatches.pack(in: &parcel)
  }
}
