/// The group of caps that apply to a notification.
public enum Bucket: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Critical notifications. Only the critical daily cap applies, and no caps by type and no minimum
  /// interval.
  case critical
  /// Notifications that the person requested. No daily cap, cap by type or minimum interval applies.
  case user
  /// All other notifications. Daily caps, caps by type and the minimum interval apply.
  case standard

  /// The name in files and reports.
  public var name: String { String(describing: self) }
}

/// The identifier of a request on one phone: the reminder, and the number among the requests of that
/// reminder.
///
/// Each reminder has its own counter, so adding a reminder to a file does not change the identifiers of other
/// requests.
public struct RequestID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The reminder that made the request.
  public var reminder: ReminderID
  /// The number of the request, which is 0 for the first request of the reminder.
  public var occurrence: UInt32

  /// Creates an identifier.
  @inlinable
  public init(reminder: ReminderID, occurrence: UInt32) {
    self.reminder = reminder
    self.occurrence = occurrence
  }

  @inlinable
  public static func < (a: RequestID, b: RequestID) -> Bool {
    (a.reminder, a.occurrence) < (b.reminder, b.occurrence)
  }

  /// Hashes a single machine word, because identifiers are looked up for every request.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(reminder.rawValue) << 32 | UInt64(occurrence))
  }
}

/// A request for a notification, which the reminder engine makes to the cap scheduler.
public struct NotificationRequest: Hashable, Sendable, BitwiseCopyable {
  /// The identifier that decisions, deliveries and responses use.
  public var id: RequestID
  /// The type, which determines the caps by type.
  public var type: TypeID
  /// The bucket, which determines the caps that apply.
  public var bucket: Bucket
  /// The priority among the requests of one instant and bucket. Requests with priority 0 are decided first.
  public var priority: UInt8
  /// The text to show, as a position in the list of the reminder's texts.
  public var copy: UInt8
  /// The instant of the match or occurrence on the phone's wall clock.
  public var scheduledFor: Instant
  /// The instant of delivery on the phone's wall clock. It is never before the instant at which the request
  /// is made.
  public var deliverAt: Instant
  /// The wall-clock instant after which the notification is useless, or `.distantFuture`.
  public var expiresAt: Instant
  /// The position of the reminder in the order of names. It determines the order of requests that are
  /// otherwise equal.
  public var rank: UInt32
  /// Whether `deliverAt` is a local time that moves with the phone's zone.
  public var isFloating: Bool
  /// Whether `scheduledFor` is the end of a length of time, such as that of a snooze. While `deliverAt` equals
  /// it, a change of the wall clock shifts both, so that the length of time stays the same.
  public var isElapsed: Bool
  /// The pattern of a notification that the system repeats until the request is removed, or `nil` for a
  /// single delivery. `scheduledFor` is the first occurrence.
  public var repeats: SystemRepeat?

  /// Creates a request. By default the reminder's number is used as `rank`.
  public init(
    id: RequestID, type: TypeID, bucket: Bucket, priority: UInt8 = 0, copy: UInt8 = 0,
    scheduledFor: Instant, deliverAt: Instant, expiresAt: Instant = .distantFuture, rank: UInt32? = nil,
    isFloating: Bool = false, isElapsed: Bool = false, repeats: SystemRepeat? = nil
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
    self.isElapsed = isElapsed
    self.repeats = repeats
  }

  /// Returns whether `a` is decided before `b` among the requests of one instant.
  ///
  /// The order is (bucket, priority, scheduled instant, type, rank, id), which is total. As long as the
  /// numbers of types do not depend on the order of declarations, neither does this order. A different order
  /// in a file then changes nothing.
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
  /// Whether a change of the wall clock shifts the delivery: an interval of the system, not a date.
  @inlinable package var followsClock: Bool {
    repeats.map { $0.span != nil } ?? (isElapsed && deliverAt == scheduledFor)
  }

  /// The time after a request's delivery during which the system may still reject it. The system answers
  /// within milliseconds, and the rest is a margin for an app that was suspended in between.
  @inlinable package static var confirmationTime: TimeSpan { .minutes(1) }

  /// If alarms may be late, the time after which a request counts as delivered even without a report. It
  /// covers some hours in Doze, plus the longest delay that travel may cause.
  package static var longestLateness: TimeSpan { .days(2) }
}

/// An action that the person can perform on a notification without opening the app.
public enum NotificationAction: Hashable, Sendable, BitwiseCopyable {
  /// Marks the reminder's task as done. The fact from which the reminder counts is set to the current
  /// instant.
  case done
  /// Snoozes the reminder for a time span.
  case snooze(TimeSpan)
}

/// An attachment of a notification: the kind and the size of a file. A system checks both before it accepts
/// the request.
public struct NotificationAttachment: Hashable, Sendable, BitwiseCopyable {
  /// The kind of a file. Systems limit the size of each kind of file.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// A picture, a sound, or a video.
    case image, audio, movie

    /// The name in files.
    public var name: String { String(describing: self) }
  }

  /// The kind of the file.
  public var kind: Kind
  /// The size in kilobytes of 1,024 bytes.
  public var kilobytes: Int

  /// The attachment in the notation of files, such as `image 800 KB` or `movie 60 MB`.
  public var words: String {
    kilobytes % 1_024 == 0 ? "\(kind.name) \(kilobytes / 1_024) MB" : "\(kind.name) \(kilobytes) KB"
  }

  /// Creates an attachment of any size. The system decides whether it is too large.
  public init(kind: Kind, kilobytes: Int) {
    self.kind = kind
    self.kilobytes = kilobytes
  }
}
