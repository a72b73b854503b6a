public import CivilTime
public import TriggerModel

/// The persistent state of the scheduler, as one value.
///
/// It is stored as ``NotificationGateway/storedState(names:)``. It takes a few hundred bytes, and 12 more per
/// notification type.
public struct GatewayState: Hashable, Sendable {
  /// The number of deliveries and reservations of one type.
  public struct TypeCounts: Hashable, Sendable, BitwiseCopyable {
    /// The count since installation.
    public var lifetime: UInt32 = 0
    /// The count in the lapse ``lapseNumber``; meaningless in a later lapse.
    fileprivate var lapse: UInt32 = 0
    fileprivate var lapseNumber: UInt32 = 0
  }

  /// The counts by ``TriggerModel/TypeID``. Types that no longer exist follow those of the policy.
  public internal(set) var types: [TypeCounts]
  /// The names of types that no longer exist. Their counts are kept in case an update restores the type.
  var retiredTypes: [String] = []
  /// The undecided requests of the present instant, unsorted unless `Memory.isSorted` is set.
  ///
  /// Stored so that no request is lost if the process ends between a match and its decision.
  var collected: [NotificationRequest] = []
  /// The release for which the app was last asked to wake the engine.
  var requestedWake = Instant.distantFuture
  /// Immediate deliveries that the system may still refuse. Also contains some older ones.
  var unconfirmedDeliveries: [UnconfirmedDelivery] = []
  /// Admitted requests that are not delivered yet, in order of delivery.
  public internal(set) var pending: [Reservation] = []
  /// Requests deferred until the end of quiet hours, in order of release.
  public internal(set) var deferred: [DeferredRequest] = []
  /// Deferred requests that were handed to the system for their release, in their original form.
  ///
  /// Their reservations and release instants are in ``pending``.
  var released: [NotificationRequest] = []
  /// The ``pending`` requests that may be decided again, in their original form.
  ///
  /// A zone change can move a fixed instant into quiet hours, and a deferred request can take the quota of a
  /// later one. Also contains some that are no longer pending.
  var originals: [NotificationRequest] = []
  /// The critical request that was last handed to the system. It pre-empts other requests only after the
  /// system has accepted it.
  var lastCriticalAdded: NotificationRequest?
  /// The person's choices in the app's settings.
  public var preferences = NotificationPreferences()

  var days = DayCounts()
  /// The number of times the app was opened. Each opening ends a lapse.
  var lapse: UInt32 = 0
  /// Admitted requests that lagging counters do not include yet, in order of admission.
  var uncounted: [UncountedAdmission] = []
  /// The latest standard delivery. The minimum interval is measured from its monotonic reading.
  var lastStandard: Moment?
  /// The latest critical delivery.
  var lastCritical: Moment?
  /// The relation of the two clocks at the last event.
  var clocks: ClockPair?
  /// The zone of the phone at the last event.
  var zone: ZoneID?

  init(typeCount: Int) {
    types = Array(repeating: TypeCounts(), count: typeCount)
  }

  /// The standard deliveries and reservations by local day, in order. Covers today, the latest days before,
  /// and future days.
  public var dailyCounts: [(day: CivilDate, count: UInt32)] { days.days(of: .standard) }

  /// Returns the number of deliveries and reservations of a type since the app was last opened.
  public func lapseCount(_ type: TypeID) -> UInt32 {
    let counts = types[type.index]
    return counts.lapseNumber == lapse ? counts.lapse : 0
  }

  /// Counts a reservation for its type, bucket and day. Of the days before today, only the latest `kept`
  /// remain.
  mutating func record(_ reservation: Reservation, today: CivilDate, keeping kept: Int) {
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

  /// Reverts ``record(_:today:keeping:)``. The lapse count is reverted only within the same lapse.
  mutating func revert(_ reservation: Reservation) {
    if let index = uncounted.firstIndex(where: { $0.reservation.id == reservation.id }) {
      uncounted.remove(at: index)
      return
    }
    let index = reservation.type.index
    if types[index].lifetime > 0 { types[index].lifetime -= 1 }
    if reservation.lapse == lapse, lapseCount(reservation.type) > 0 { types[index].lapse -= 1 }
    switch reservation.bucket {
    case .standard:
      days.remove(.standard, on: reservation.day)
      days.remove(.type(reservation.type), on: reservation.day)
    case .critical: days.remove(.critical, on: reservation.day)
    case .user: break
    }
  }

  /// Resets the state as if the app were deleted, except the lifetime counts of `kept` types.
  mutating func reinstall(keepingLifetimeOf kept: TypeSet) {
    var fresh = GatewayState(typeCount: types.count - retiredTypes.count)
    for index in fresh.types.indices where kept.contains(TypeID(index)) {
      fresh.types[index].lifetime = types[index].lifetime
    }
    fresh.clocks = clocks
    fresh.zone = zone
    fresh.requestedWake = requestedWake
    self = fresh
  }

  /// Resets the state but keeps the allocated capacity. The first call reserves capacity for a typical
  /// person.
  mutating func reset() {
    unconfirmedDeliveries.reserveCapacity(8)
    days.reserveCapacity(32)
    types.removeLast(retiredTypes.count)
    for index in types.indices { types[index] = TypeCounts() }
    retiredTypes = []
    collected.removeAll(keepingCapacity: true)
    requestedWake = .distantFuture
    unconfirmedDeliveries.removeAll(keepingCapacity: true)
    pending.removeAll(keepingCapacity: true)
    deferred.removeAll(keepingCapacity: true)
    released.removeAll(keepingCapacity: true)
    originals.removeAll(keepingCapacity: true)
    lastCriticalAdded = nil
    preferences = NotificationPreferences()
    days.removeAll()
    lapse = 0
    uncounted.removeAll(keepingCapacity: true)
    lastStandard = nil
    lastCritical = nil
    clocks = nil
    zone = nil
  }

  /// Adjusts a state that was created without a policy to the number of types of a policy.
  mutating func resize(typeCount: Int) {
    let count = typeCount + retiredTypes.count
    types.removeLast(max(0, types.count - count))
    while types.count < count { types.append(TypeCounts()) }
  }

  /// Sets the counts of a type to their stored values. `count` belongs to the present lapse.
  mutating func setCounts(_ type: TypeID, lifetime: UInt32, lapse count: UInt32) {
    types[type.index] = TypeCounts(lifetime: lifetime, lapse: count, lapseNumber: lapse)
  }

  mutating func insertPending(_ reservation: Reservation) {
    pending.insert(reservation, at: pending.firstIndex { reservation < $0 } ?? pending.endIndex)
  }

  mutating func insertDeferred(_ entry: DeferredRequest) {
    deferred.insert(entry, at: deferred.firstIndex { entry < $0 } ?? deferred.endIndex)
  }
}

/// An admitted request, in the form that the caps count.
///
/// A reservation is kept at delivery. Cancellation, eviction, revocation and refusal by the operating system
/// release it.
public struct Reservation: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The identifier of the admitted request.
  public var id: RequestID
  /// The instant of delivery on the phone's wall clock.
  public var deliverAt: Instant
  /// The type, for the caps by type.
  public var type: TypeID
  /// The local date of delivery, fixed at admission in the zone of that moment.
  public var day: CivilDate
  /// The lapse in which the request was admitted.
  public var lapse: UInt32
  /// The bucket, for the caps by day.
  public var bucket: Bucket
  /// Whether ``deliverAt`` moves when the phone's zone changes. ``day`` does not change.
  public var isFloating: Bool
  /// Whether a change of the wall clock shifts ``deliverAt``, because it is the end of a length of time. ``day``
  /// does not change.
  public var isElapsed = false
  /// The repetition by the system, or `nil` for a single delivery. The reservation advances after each
  /// delivery.
  public var repeats: SystemRepeat?

  /// Orders by delivery, then by identifier.
  public static func < (a: Self, b: Self) -> Bool { (a.deliverAt, a.id) < (b.deliverAt, b.id) }
}

/// An admitted request that the lagging counters do not include yet.
struct UncountedAdmission: Hashable, Sendable, BitwiseCopyable {
  var reservation: Reservation
  var admitted: Moment
}

/// An immediate delivery that the operating system may still refuse.
struct UnconfirmedDelivery: Hashable, Sendable, BitwiseCopyable {
  var reservation: Reservation
  var delivered: Moment
  /// The latest earlier delivery of its bucket.
  var previous: Moment?

  /// Returns whether a refusal would still revert the counts of the delivery.
  func isOpen(at now: Moment) -> Bool {
    now.elapsed(since: delivered) <= NotificationRequest.confirmationTime
  }
}

/// A request deferred until the end of quiet hours. It reserves nothing.
public struct DeferredRequest: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The original request. Its `deliverAt` is the requested instant, not the release.
  public var request: NotificationRequest
  /// The instant of the next check on the phone's wall clock.
  public var releaseAt: Instant

  /// Orders by release, then by identifier.
  public static func < (a: Self, b: Self) -> Bool {
    (a.releaseAt, a.request.id) < (b.releaseAt, b.request.id)
  }
}
