/// The group of caps that apply to a notification.
public enum Bucket: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Only a daily cap of its own applies; no caps by type and no minimum interval.
  case critical
  /// Requested by the person: no daily cap, caps by type or minimum interval apply.
  case user
  /// All other notifications: daily caps, caps by type and minimum interval apply.
  case standard

  /// The name in files and reports.
  public var name: String { String(describing: self) }
}

/// The identifier of a request of one phone: the reminder, and the number of the request of that reminder.
///
/// It does not use a counter that reminders share, so that adding a reminder to a file does not change the
/// identifiers of other requests.
public struct RequestID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The reminder that made the request.
  public var reminder: ReminderID
  /// The number of the request, 0 for the reminder's first one.
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

  /// Hashes one word, because identifiers are looked up for every request.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(reminder.rawValue) << 32 | UInt64(occurrence))
  }
}

/// A request for a notification, from the reminder engine to the cap scheduler.
public struct NotificationRequest: Hashable, Sendable, BitwiseCopyable {
  /// The identifier that decisions, deliveries and responses use.
  public var id: RequestID
  /// The type for caps by type.
  public var type: TypeID
  /// The bucket, which determines the caps that apply.
  public var bucket: Bucket
  /// The priority among the requests of one instant and bucket; 0 is decided first.
  public var priority: UInt8
  /// The text to show, as a position in the reminder's texts.
  public var copy: UInt8
  /// The instant of the match or occurrence on the phone's wall clock.
  public var scheduledFor: Instant
  /// The instant of delivery on the phone's wall clock, not before the request is made.
  public var deliverAt: Instant
  /// The wall-clock instant after which the notification is useless, or `.distantFuture`.
  public var expiresAt: Instant
  /// The position of the reminder in the order of names. It decides between requests that are otherwise
  /// equal.
  public var rank: UInt32
  /// Whether `deliverAt` is a local time, which moves when the phone's zone changes.
  public var isFloating: Bool
  /// The pattern by which the system repeats the notification until the request is removed, or `nil` for a
  /// single one. `scheduledFor` is the first time.
  public var repeats: SystemRepeat?

  /// Creates a request. By default the reminder's number is used as `rank`.
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

  /// Returns whether `a` is decided before `b` among the requests of one instant.
  ///
  /// The order is (bucket, priority, scheduled instant, type, rank, id). It is total. It does not depend on
  /// the order of declaration if the numbers of types do not, so permuting a file changes nothing.
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
  /// The time after its delivery within which the system may refuse a request. The system answers within
  /// milliseconds; the margin covers an app that was suspended in between.
  @inlinable package static var confirmationTime: TimeSpan { .minutes(1) }

  /// The time after which a request counts as delivered without a report, where alarms may be late: hours in
  /// Doze, plus the hours by which travel may postpone it.
  package static var longestLateness: TimeSpan { .days(2) }
}

/// An action that the person can perform on a notification without opening the app.
public enum NotificationAction: Hashable, Sendable, BitwiseCopyable {
  /// The reminder's task is done: the fact from which it counts is set to the present instant.
  case done
  /// The reminder is snoozed for a time span.
  case snooze(TimeSpan)
}

/// An attachment of a notification, as far as a system checks it before it accepts the request: the kind of
/// the file and its size.
public struct NotificationAttachment: Hashable, Sendable, BitwiseCopyable {
  /// The kind of a file. Systems limit the size of each kind.
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

  /// The attachment as it is written in a file: `image 800 KB`, `movie 60 MB`.
  public var words: String {
    kilobytes % 1_024 == 0 ? "\(kind.name) \(kilobytes / 1_024) MB" : "\(kind.name) \(kilobytes) KB"
  }

  /// Creates an attachment of any size. The system decides whether it is too large.
  public init(kind: Kind, kilobytes: Int) {
    self.kind = kind
    self.kilobytes = kilobytes
  }
}
