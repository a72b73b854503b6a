package import CivilTime
public import TriggerModel

/// A reminder as its author states it, with names instead of indices.
///
/// Any one of ``triggers`` makes the engine look; all of ``conditions`` must hold at that instant.
public struct ReminderDeclaration: Hashable, Sendable {
  /// Unique among the reminders of one engine.
  public var id: String
  /// One at least, and one schedule at most.
  public var triggers: [Trigger]
  /// What must hold when the trigger comes; none: it always asks.
  public var conditions: [Condition]
  /// As soon as one of these holds its reason is gone: what is held or pending of it is taken back. They
  /// are looked at whenever a fact that they name takes another value.
  public var withdrawals: [FactCondition]
  /// How often it may fire.
  public var repeats: Repeat
  /// From this wall-clock instant on it is expired.
  public var expires: Instant
  /// It does not exist until the person makes it: see ``TriggerModel/ObservedEvent/Kind/create``.
  public var isMadeLater: Bool
  /// What it asks for when it matches.
  public var notification: NotificationDeclaration

  /// A reminder that fires once, as long as nothing else is said.
  public init(
    id: String, triggers: [Trigger], conditions: [Condition] = [], withdrawals: [FactCondition] = [],
    repeats: Repeat = .once, expires: Instant = .distantFuture, isMadeLater: Bool = false,
    notification: NotificationDeclaration
  ) {
    self.id = id
    self.triggers = triggers
    self.conditions = conditions
    self.withdrawals = withdrawals
    self.repeats = repeats
    self.expires = expires
    self.isMadeLater = isMadeLater
    self.notification = notification
  }

  /// The regions that its triggers and conditions name.
  package var regions: [String] {
    triggers.compactMap(\.region) + conditions.compactMap(\.region)
  }
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

/// What a reminder shows, and what its caps count it as.
public struct NotificationDeclaration: Hashable, Sendable {
  /// What the per-type caps count; by default the reminder's own id.
  public var type: String
  /// Which caps it answers to while the ``criticalConditions`` do not hold.
  public var bucket: Bucket
  /// When there are any, and all of them hold at the match, the request is in the critical bucket instead.
  public var criticalConditions: [FactCondition]
  /// 0 is served first.
  public var priority: UInt8
  /// The texts, one per stage: the n-th request shows the n-th text, later ones the last.
  public var copy: [Copy]
  /// Where a tap leads; empty for nowhere in particular.
  public var link: String
  /// For how long after the match it is of use; nil for always.
  public var usefulFor: TimeSpan?
  /// Its name in analytics events, `reminder_{event}_shown`; nil: the type in snake case.
  public var event: String?
  /// What the person can do on it without opening the app.
  public var actions: [NotificationAction]
  /// Nil: none.
  public var attachment: NotificationAttachment?

  /// A text.
  public struct Copy: Hashable, Sendable {
    /// The line that a system shows in bold.
    public var title: String
    /// What stands below it; may be empty.
    public var body: String

    /// Without a body, a title alone.
    public init(title: String, body: String = "") {
      self.title = title
      self.body = body
    }
  }

  /// Of the standard bucket and a priority in the middle, where nothing else is said.
  public init(
    type: String, bucket: Bucket = .standard, criticalConditions: [FactCondition] = [],
    priority: UInt8 = 100, copy: [Copy] = [], link: String = "", usefulFor: TimeSpan? = nil,
    event: String? = nil, actions: [NotificationAction] = [],
    attachment: NotificationAttachment? = nil
  ) {
    self.type = type
    self.bucket = bucket
    self.criticalConditions = criticalConditions
    self.priority = priority
    self.copy = copy
    self.link = link
    self.usefulFor = usefulFor
    self.event = event
    self.actions = actions
    self.attachment = attachment
  }
}

extension ReminderDeclaration {
  /// Why the system cannot repeat this reminder, and what to write instead; nil when it can.
  package func problem(of repetition: RepeatingSchedule) -> (text: String, remedy: String)? {
    if repeats != .always {
      return (
        "what the system repeats fires at every occurrence", "leave out 'repeat', or write 'repeat: always'"
      )
    }
    if expires != .distantFuture {
      return (
        "what the system repeats has no end: it knows of no expiry",
        "leave out 'expires', or hand occurrences over one by one, such as 'ahead 5'"
      )
    }
    return repetition.problem
  }
}
