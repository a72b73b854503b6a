public import CivilTime
public import TriggerModel

/// A reminder as its author states it, with names instead of indices.
///
/// Any one of ``triggers`` makes the engine look; all of ``conditions`` must hold at that instant.
public struct ReminderDeclaration: Hashable, Sendable {
  /// Unique among the reminders of one engine.
  public var id: String
  public var triggers: [Trigger]
  public var conditions: [Condition]
  /// As soon as one of these holds its reason is gone: what is held or pending of it is taken back. They
  /// are looked at whenever a fact that they name takes another value.
  public var withdrawals: [FactCondition]
  /// How often it may fire.
  public var repeats: Repeat
  /// From this wall-clock instant on it is expired.
  public var expires: Instant
  public var notification: NotificationDeclaration

  public init(
    id: String, triggers: [Trigger], conditions: [Condition] = [], withdrawals: [FactCondition] = [],
    repeats: Repeat = .once, expires: Instant = .distantFuture, notification: NotificationDeclaration
  ) {
    self.id = id
    self.triggers = triggers
    self.conditions = conditions
    self.withdrawals = withdrawals
    self.repeats = repeats
    self.expires = expires
    self.notification = notification
  }

  /// The regions that its triggers and conditions name.
  var regions: [String] {
    triggers.compactMap(\.region) + conditions.compactMap(\.region)
  }
}

/// The event that makes the engine look at a reminder.
public enum Trigger: Hashable, Sendable {
  case unlock
  case chargingStarted
  case chargingStopped
  /// Another app came to the front.
  case appOpened(String)
  /// Our own app came to the front.
  case opened
  case regionEntered(String)
  case regionExited(String)
  /// A fact took another value.
  case factChanged(String)
  /// An occurrence of a schedule is due.
  case scheduled(Schedule)
  /// The app has not been opened for some days.
  case lapsed(Lapse)
}

/// Local times on some days after the app was last opened, such as the third, fifth and seventh.
///
/// A closed app evaluates nothing: when it is opened, and when it first starts, every stage is handed to
/// the system beforehand, with its conditions looked at as for that instant; opening it again takes
/// back what is left, and plans anew. The n-th stage shows the n-th text.
public struct Lapse: Hashable, Sendable {
  /// Local dates crossed since the opening, at least 1, ascending.
  public var days: [Int]
  /// Minute of the local day, 0 ... 1439.
  public var minute: Int

  public init(days: [Int], minute: Int) {
    self.days = days
    self.minute = minute
  }
}

/// Occurrences of a recurrence, and how the app learns of them.
public struct Schedule: Hashable, Sendable {
  public var recurrence: Recurrence
  /// How many occurrences are handed to the system beforehand, so that they appear though the app is
  /// closed; their conditions are looked at when they are handed over. 0: the app is woken at each
  /// occurrence and looks then.
  public var ahead: Int

  public init(_ recurrence: Recurrence, ahead: Int = 0) {
    self.recurrence = recurrence
    self.ahead = ahead
  }
}

/// What must hold at the instant of the trigger.
public enum Condition: Hashable, Sendable {
  /// The local time of day lies in the window.
  case timeWindow(DailyWindow)
  /// The local weekday is one of these.
  case weekdays(WeekdaySet)
  case inside(String)
  case outside(String)
  case charging(Bool)
  case fact(FactCondition)
}

/// How often a reminder may fire.
public enum Repeat: Hashable, Sendable {
  /// Once, ever.
  case once
  /// At most once in each local day, week (from the week's first day) or month.
  case daily, weekly, monthly
  /// At every match, and at every occurrence of a schedule.
  case always
}

/// One comparison of a quantity with a constant: the whole grammar of what an app may ask of its facts.
public struct FactCondition: Hashable, Sendable {
  public enum Quantity: Hashable, Sendable {
    /// The value of a fact.
    case value(String)
    /// One number divided by another; unknown when either is, or when the divisor is zero.
    case ratio(String, String)
    /// The time since a fact was last set, in thousandths of a second.
    case age(String)
    /// Local dates crossed since the instant that a fact holds, in thousandths of a day.
    case days(since: String)
  }

  public enum Comparison: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case less, lessOrEqual, equal, notEqual, greaterOrEqual, greater
  }

  public var quantity: Quantity
  public var comparison: Comparison
  /// The constants; more than one only with `equal` (one of them) and `notEqual` (none of them).
  /// Numbers and ratios in thousandths.
  public var constants: [FactValue]
  /// What to report when it does not hold: `conditionFailed`, `staleData`, `lowConfidence` or
  /// `notEntitled`. A missing value is always `staleData` unless this says otherwise.
  public var reason: Reason

  public init(
    _ quantity: Quantity, _ comparison: Comparison, _ constants: [FactValue],
    reason: Reason = .conditionFailed
  ) {
    self.quantity = quantity
    self.comparison = comparison
    self.constants = constants
    self.reason = reason
  }
}

/// What a reminder shows, and what its caps count it as.
public struct NotificationDeclaration: Hashable, Sendable {
  /// What the per-type caps count; by default the reminder's own id.
  public var type: String
  public var bucket: Bucket
  /// 0 is served first.
  public var priority: UInt8
  /// The texts, one per stage: the n-th request shows the n-th text, later ones the last.
  public var copy: [Copy]
  /// Where a tap leads; empty for nowhere in particular.
  public var link: String
  /// For how long after the match it is of use; nil for always.
  public var usefulFor: TimeSpan?

  public struct Copy: Hashable, Sendable {
    public var title: String
    public var body: String

    public init(title: String, body: String = "") {
      self.title = title
      self.body = body
    }
  }

  public init(
    type: String, bucket: Bucket = .standard, priority: UInt8 = 100, copy: [Copy] = [],
    link: String = "", usefulFor: TimeSpan? = nil
  ) {
    self.type = type
    self.bucket = bucket
    self.priority = priority
    self.copy = copy
    self.link = link
    self.usefulFor = usefulFor
  }
}

extension Trigger {
  /// The region that it names.
  fileprivate var region: String? {
    switch self {
    case .regionEntered(let name), .regionExited(let name): name
    default: nil
    }
  }
}

extension Condition {
  /// The region that it names.
  fileprivate var region: String? {
    switch self {
    case .inside(let name), .outside(let name): name
    default: nil
    }
  }
}
