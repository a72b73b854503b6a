public import CivilTime
public import TriggerModel

/// What the scheduler must remember when its process ends: all of its persisted state, as one value. It is
/// stored as ``NotificationGateway/storedState(names:)``.
///
/// It takes a few hundred bytes and 12 more per notification type.
public struct GatewayState: Hashable, Sendable {
  /// How often a type was delivered or is reserved.
  public struct TypeCounts: Hashable, Sendable, BitwiseCopyable {
    /// Ever.
    public var lifetime: UInt32 = 0
    /// Since the lapse numbered ``lapseNumber`` began; of no meaning in a later lapse.
    fileprivate var lapse: UInt32 = 0
    fileprivate var lapseNumber: UInt32 = 0
  }

  /// By ``TriggerModel/TypeID``; after those of the policy the ones that are known no longer.
  public internal(set) var types: [TypeCounts]
  /// Types that are known no longer. What they took stays: one that comes back with another update has not
  /// become new by that.
  var retiredTypes: [String] = []
  /// The requests of the present instant, in no particular order until they are decided. Stored, so that a
  /// process that ends between a match and its decision does not lose the request.
  var collected: [NotificationRequest] = []
  /// The release that the app was last asked to wake us for.
  var announcedRelease = Instant.distantFuture
  /// Delivered at once, and perhaps still within the time in which the system may refuse them.
  var unconfirmed: [Unconfirmed] = []
  /// Admitted and not yet delivered, in order of delivery.
  public internal(set) var pending: [Reservation] = []
  /// Waiting for the end of quiet hours, in order of release.
  public internal(set) var held: [HeldRequest] = []
  /// Put off until quiet hours end, and handed to the system for that instant, where it was not taken away since:
  /// what they have taken, and the instant, stands in ``pending``. Here they are as they were asked for.
  var released: [NotificationRequest] = []
  /// Of the ``pending``, those for an instant that no journey moves, as they were asked for: elsewhere its hour may be a
  /// quiet one. And some that are pending no longer.
  var fixed: [NotificationRequest] = []
  /// The critical request that the system was asked for last: what gives way to it is taken back once it is known that
  /// the system has taken that.
  var preempting: NotificationRequest?
  /// What the person has chosen in the settings of the app.
  public var preferences = NotificationPreferences()

  var days = DayCounts()
  /// Counts how often the app was opened: each opening ends a lapse.
  var lapse: UInt32 = 0
  /// Admitted, and not counted yet because counters lag behind: in order of admission.
  var uncounted: [UncountedTake] = []
  /// The latest delivery of the standard bucket; its monotonic reading is what the interval counts from.
  var lastStandard: Moment?
  /// The latest delivery of the critical bucket.
  var lastCritical: Moment?
  /// How the two clocks stood to each other when last looked at.
  var clocks: ClockPair?
  /// The zone that the phone was set to when last looked at.
  var zone: ZoneID?

  init(typeCount: Int) {
    types = Array(repeating: TypeCounts(), count: typeCount)
  }

  /// Deliveries and reservations of the standard bucket by local day, in order: of the days to come, of
  /// today, and of the latest days before it.
  public var dailyCounts: [(day: CivilDate, count: UInt32)] { days.days(of: .standard) }

  /// Deliveries and reservations of a type since the app was last opened.
  public func lapseCount(_ type: TypeID) -> UInt32 {
    let counts = types[type.index]
    return counts.lapseNumber == lapse ? counts.lapse : 0
  }

  /// Counts a request among the deliveries of its type, bucket and day. `kept` days before today are kept.
  mutating func take(_ reservation: Reservation, today: CivilDate, keeping kept: Int) {
    let index = reservation.type.index
    types[index].lifetime.countUp()
    if reservation.lapse == lapse {
      types[index].lapse = lapseCount(reservation.type)
      types[index].lapse.countUp()
      types[index].lapseNumber = lapse
    }
    switch reservation.bucket {
    case .standard:
      days.add(.standard, on: reservation.day, today: today, keeping: kept)
      days.add(.type(reservation.type), on: reservation.day, today: today, keeping: kept)
    case .critical: days.add(.critical, on: reservation.day, today: today, keeping: kept)
    case .user: break
    }
  }

  /// Takes back what ``take(_:today:keeping:)`` counted; the lapse count only within the same lapse.
  mutating func giveBack(_ reservation: Reservation) {
    if let index = uncounted.firstIndex(where: { $0.reservation.id == reservation.id }) {
      uncounted.remove(at: index)
      return
    }
    let index = reservation.type.index
    if types[index].lifetime > 0 { types[index].lifetime -= 1 }
    if reservation.lapse == lapse, lapseCount(reservation.type) > 0 { types[index].lapse -= 1 }
    switch reservation.bucket {
    case .standard:
      days.giveBack(.standard, on: reservation.day)
      days.giveBack(.type(reservation.type), on: reservation.day)
    case .critical: days.giveBack(.critical, on: reservation.day)
    case .user: break
    }
  }

  /// Forgets what goes with the app's data when the app is deleted.
  mutating func reinstall(keepingLifetimeOf kept: TypeSet) {
    var fresh = GatewayState(typeCount: types.count - retiredTypes.count)
    for index in fresh.types.indices where kept.contains(TypeID(index)) {
      fresh.types[index].lifetime = types[index].lifetime
    }
    fresh.clocks = clocks
    fresh.zone = zone
    fresh.announcedRelease = announcedRelease
    self = fresh
  }

  /// Forgets everything, and keeps the memory of its tables, which have room for an ordinary person from the
  /// first time on.
  mutating func reset() {
    unconfirmed.reserveCapacity(8)
    days.reserveCapacity(32)
    types.removeLast(retiredTypes.count)
    for index in types.indices { types[index] = TypeCounts() }
    retiredTypes = []
    collected.removeAll(keepingCapacity: true)
    announcedRelease = .distantFuture
    unconfirmed.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    held.removeAll(keepingCapacity: true)
    released.removeAll(keepingCapacity: true)
    fixed.removeAll(keepingCapacity: true)
    preempting = nil
    preferences = NotificationPreferences()
    days.removeAll()
    lapse = 0
    uncounted.removeAll(keepingCapacity: true)
    lastStandard = nil
    lastCritical = nil
    clocks = nil
    zone = nil
  }

  /// Brings a state that was put together without a policy to the types of one.
  mutating func resize(typeCount: Int) {
    let count = typeCount + retiredTypes.count
    types.removeLast(max(0, types.count - count))
    while types.count < count { types.append(TypeCounts()) }
  }

  /// Sets the counts of a type, as they were stored; `lapse` is that of the present lapse.
  mutating func setCounts(_ type: TypeID, lifetime: UInt32, lapse count: UInt32) {
    types[type.index] = TypeCounts(lifetime: lifetime, lapse: count, lapseNumber: lapse)
  }

  mutating func insertPending(_ reservation: Reservation) {
    pending.insert(reservation, at: pending.firstIndex { reservation < $0 } ?? pending.endIndex)
  }

  mutating func insertHeld(_ entry: HeldRequest) {
    held.insert(entry, at: held.firstIndex { entry < $0 } ?? held.endIndex)
  }
}

/// How the wall clock and the monotonic clock stand to each other, which changes when somebody sets the
/// wall clock and when the phone boots.
struct ClockPair: Hashable, Sendable, BitwiseCopyable {
  var boot: UInt32
  /// The wall clock when the monotonic clock read zero.
  var wallAtBoot: Instant

  init(boot: UInt32, wallAtBoot: Instant) {
    self.boot = boot
    self.wallAtBoot = wallAtBoot
  }

  init(_ moment: Moment) {
    boot = moment.uptime.boot
    wallAtBoot = moment.wall - moment.uptime.span
  }

  /// What both clocks read, or would have read, when the wall clock reads `wall`.
  func moment(wall: Instant, zone: ZoneID) -> Moment {
    Moment(wall: wall, uptime: Uptime(boot: boot, span: wall - wallAtBoot), zone: zone)
  }

  /// An earlier moment of another boot as this boot's clocks would have read it; one that lies in the
  /// future, because the wall clock was set back, counts as now.
  func reckon(_ earlier: Moment, at now: Moment) -> Moment {
    moment(wall: now.wall - now.elapsed(since: earlier), zone: earlier.zone)
  }
}
