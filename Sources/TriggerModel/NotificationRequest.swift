/// Which caps a notification answers to.
public enum Bucket: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Has a day cap of its own, and no type cap or minimum interval.
  case critical
  /// Asked for by the person: no day cap, type cap or minimum interval.
  case user
  /// Everything else: day cap, type cap and minimum interval.
  case standard

  /// The name used in files and reports.
  public var name: String { String(describing: self) }
}

/// Names one request of one phone: the reminder, and the how-manieth request of that reminder.
///
/// Derived from what happened, never from a counter shared between reminders, so that adding a
/// reminder to a file does not rename the requests of the others.
public struct RequestID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Whose request it is.
  public var reminder: ReminderID
  /// 0 for the reminder's first request.
  public var occurrence: UInt32

  /// Names a request by what it is, whether it was made or not.
  @inlinable
  public init(reminder: ReminderID, occurrence: UInt32) {
    self.reminder = reminder
    self.occurrence = occurrence
  }

  @inlinable
  public static func < (a: RequestID, b: RequestID) -> Bool {
    (a.reminder, a.occurrence) < (b.reminder, b.occurrence)
  }

  /// One word, because these are looked up for every request.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(reminder.rawValue) << 32 | UInt64(occurrence))
  }
}

/// A wish to notify, on its way from the reminder engine to the cap scheduler.
public struct NotificationRequest: Hashable, Sendable, BitwiseCopyable {
  /// By which decisions, deliveries and responses name it.
  public var id: RequestID
  /// What the per-type caps count.
  public var type: TypeID
  /// Which caps it answers to.
  public var bucket: Bucket
  /// 0 is served first among the requests of one instant and bucket.
  public var priority: UInt8
  /// Which of the reminder's texts to show, counted from 0.
  public var copy: UInt8
  /// When the reminder was due, on the phone's wall clock: the instant of the match, or the occurrence.
  public var scheduledFor: Instant
  /// When the notification is to appear, on the phone's wall clock; not before the request is made.
  public var deliverAt: Instant
  /// From this wall-clock instant on it is no longer of use; `.distantFuture` if always.
  public var expiresAt: Instant
  /// The place of the reminder among all in the order of their names: what decides between requests that
  /// are equal in everything before.
  public var rank: UInt32
  /// True: `deliverAt` means a time of the local day, and moves when the phone's zone changes.
  public var isFloating: Bool
  /// The system shows it again and again by this pattern, until it is taken back; `scheduledFor` is the first
  /// time that is meant. Nil: once.
  public var repeats: SystemRepeat?

  /// A wish; without a `rank`, the reminder's number stands in for it.
  public init(
    id: RequestID, type: TypeID, bucket: Bucket, priority: UInt8 = 0, copy: UInt8 = 0,
    scheduledFor: Instant, deliverAt: Instant, expiresAt: Instant = .distantFuture, rank: UInt32? = nil,
    isFloating: Bool = false, repeats: SystemRepeat? = nil
  ) {
    self.id = id
    self.type = type
    self.bucket = bucket
    self.priority = priority
    self.copy = copy
    self.scheduledFor = scheduledFor
    self.deliverAt = deliverAt
    self.expiresAt = expiresAt
    self.rank = rank ?? id.reminder.rawValue
    self.isFloating = isFloating
    self.repeats = repeats
  }

  /// The order in which the requests of one instant are decided: (bucket, priority, scheduled
  /// instant, type, rank, id). Total, and without the order of declaration as long as types are numbered
  /// without it: permuting a file changes nothing.
  public static func isDecidedBefore(_ a: Self, _ b: Self) -> Bool {
    if a.bucket != b.bucket { return a.bucket.rawValue < b.bucket.rawValue }
    if a.priority != b.priority { return a.priority < b.priority }
    if a.scheduledFor != b.scheduledFor { return a.scheduledFor < b.scheduledFor }
    if a.type != b.type { return a.type < b.type }
    if a.rank != b.rank { return a.rank < b.rank }
    return a.id < b.id
  }
}

extension NotificationRequest {
  /// How long after its delivery a request may turn out to be refused. The system answers within milliseconds; the
  /// margin is for an app that was suspended in between.
  @inlinable package static var confirmationTime: TimeSpan { .minutes(1) }

  /// How long after its time a request may still be shown where alarms may be late: hours in Doze, and as many more as
  /// a journey puts it off. After that it counts as delivered, though nobody has told the app.
  package static var longestLateness: TimeSpan { .days(2) }
}
