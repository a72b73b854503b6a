public import CivilTime
public import TriggerModel

/// What an admitted request has taken from its caps. Delivery keeps it; cancelling, evicting, revoking
/// and a refusal by the operating system give it back.
public struct Reservation: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Of the request that was admitted.
  public var id: RequestID
  /// On the phone's wall clock.
  public var deliverAt: Instant
  /// Which caps by type count it.
  public var type: TypeID
  /// The local date of delivery, fixed at admission in the zone of that moment.
  public var day: CivilDate
  /// The lapse in which it was admitted.
  public var lapse: UInt32
  /// Which caps by day count it.
  public var bucket: Bucket
  /// True: ``deliverAt`` moves when the phone's zone changes. ``day`` stays.
  public var isFloating: Bool
  /// The system repeats it: after each delivery it stands for the next.
  public var repeats: SystemRepeat?

  /// By delivery, then by identifier.
  public static func < (a: Self, b: Self) -> Bool { (a.deliverAt, a.id) < (b.deliverAt, b.id) }
}

/// An admitted request that the counters do not know of yet.
struct UncountedTake: Hashable, Sendable, BitwiseCopyable {
  var reservation: Reservation
  var admitted: Moment
}

/// An immediate delivery that the operating system may still refuse.
struct Unconfirmed: Hashable, Sendable, BitwiseCopyable {
  var reservation: Reservation
  var delivered: Moment
  /// The latest delivery of its bucket before it.
  var previous: Moment?

  /// Whether a refusal still gives back what it took.
  func isOpen(at now: Moment) -> Bool {
    now.elapsed(since: delivered) <= NotificationRequest.confirmationTime
  }
}

/// A request that waits for the end of quiet hours. It has taken nothing.
public struct HeldRequest: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// As it was made: `deliverAt` is when it was to come, not when it is released.
  public var request: NotificationRequest
  /// When it is checked again, on the phone's wall clock.
  public var releaseAt: Instant

  /// By release, then by identifier.
  public static func < (a: Self, b: Self) -> Bool {
    (a.releaseAt, a.request.id) < (b.releaseAt, b.request.id)
  }
}
