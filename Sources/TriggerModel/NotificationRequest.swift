/// The group of caps that apply to a notification.
public enum Bucket: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Critical notifications. Only the critical daily cap applies, not per-type caps or the minimum interval.
  case critical
  /// Notifications that the person requested. No daily cap, per-type cap or minimum interval applies.
  case user
  /// All other notifications. Daily caps, per-type caps and the minimum interval apply.
  case standard

  /// The name in files and reports.
  public var name: String { String(describing: self) }
}

/// The identifier of a request on one phone: the reminder, and the number among the reminder's requests.
///
/// Each reminder has its own counter, so adding a reminder to a file does not change the identifiers of other
/// requests.
public struct RequestID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The reminder that made the request.
  public var reminder: ReminderID
  /// The number of the request. The reminder's first request has the number 0.
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

  /// Hashes a single machine word, because every request looks up identifiers.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(reminder.rawValue) << 32 | UInt64(occurrence))
  }
}

/// A request for a notification, made by the reminder engine and decided by the cap scheduler.
public struct NotificationRequest: Hashable, Sendable, BitwiseCopyable {
  /// The identifier that decisions, deliveries and responses use.
  public var id: RequestID
  /// The type, to which per-type caps apply.
  public var type: TypeID
  /// The bucket, which determines the caps that apply.
  public var bucket: Bucket
  /// The priority among the requests of one instant and bucket. Requests with priority 0 are decided first.
  public var priority: UInt8
  /// The text to show, as an index into the list of the reminder's texts.
  public var copy: UInt8
  /// The instant of the match or occurrence, on the phone's wall clock.
  public var scheduledFor: Instant
  /// The instant of delivery, on the phone's wall clock. It is never before the instant of the request.
  public var deliverAt: Instant
  /// The wall-clock instant after which the notification is useless, or `.distantFuture` if there is none.
  public var expiresAt: Instant
  /// The position of the reminder in the order of names. It orders requests that are otherwise equal.
  public var rank: UInt32
  /// Whether `deliverAt` is a local time that moves with the phone's zone.
  public var isFloating: Bool
  /// Whether `scheduledFor` is the end of a length of time, such as that of a snooze. While `deliverAt`
  /// equals it, a change of the wall clock moves both, so that the length of time stays the same.
  public var isElapsed: Bool
  /// The pattern of a notification that the system repeats until the request is removed, or `nil` for a
  /// single delivery. `scheduledFor` is the first occurrence.
  public var repeats: SystemRepeat?

  /// Creates a request. By default, `rank` is the reminder's number.
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
  /// The order is (bucket, priority, scheduled instant, type, rank, id), which is total. It does not depend
  /// on the order of declarations if the numbers of types do not. Reordering a file then changes nothing.
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
  /// Whether the delivery moves when the wall clock is set, because the system counts an interval.
  @inlinable package var followsClock: Bool {
    repeats.map { $0.span != nil } ?? (isElapsed && deliverAt == scheduledFor)
  }

  /// Moves the times of the request, because the wall clock was set by `delta`.
  package mutating func shift(by delta: TimeSpan) {
    scheduledFor = scheduledFor + delta
    deliverAt = deliverAt + delta
  }

  /// The time after a request's delivery during which the system may still report a rejection. The system
  /// answers within milliseconds. The rest is a margin for an app that was suspended in between.
  @inlinable package static var confirmationTime: TimeSpan { .minutes(1) }

  /// The time after which a request counts as delivered without a report, if alarms may be late. It covers
  /// some hours in Doze and the longest delay that travel may cause.
  package static var longestLateness: TimeSpan { .days(2) }
}

/// An action that the person can perform on a notification without opening the app.
public enum NotificationAction: Hashable, Sendable, BitwiseCopyable {
  /// Marks the reminder's task as done, by setting the fact from which the reminder counts to the current
  /// instant.
  case done
  /// Snoozes the reminder for a time span.
  case snooze(TimeSpan)
}

/// An attachment of a notification: the kind and the size of a file. A system checks both before it accepts
/// the request.
public struct NotificationAttachment: Hashable, Sendable, BitwiseCopyable {
  /// The kind of a file. Systems limit the file size for each kind.
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
