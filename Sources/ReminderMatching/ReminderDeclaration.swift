package import CivilTime
public import TriggerModel

/// A reminder as declared by its author, with names instead of indices.
///
/// Any of the ``triggers`` starts an evaluation. All of the ``conditions`` must hold at that instant.
public struct ReminderDeclaration: Hashable, Sendable {
  /// The identifier, which is unique among the reminders of one engine.
  public var id: String
  /// The triggers: at least one, and at most one schedule.
  public var triggers: [Trigger]
  /// The conditions that must hold when the trigger occurs. If there are none, every trigger is a match.
  public var conditions: [Condition]
  /// The conditions that withdraw pending and deferred requests as soon as one of them holds.
  ///
  /// They are evaluated whenever a fact in them changes.
  public var withdrawals: [FactCondition]
  /// How often the reminder may fire.
  public var repeats: Repeat
  /// The wall-clock instant at which the reminder expires.
  public var expires: Instant
  /// Whether the reminder does not exist until the person creates it. See
  /// ``TriggerModel/ObservedEvent/Kind/create``.
  public var isCreatedLater: Bool
  /// The notification that a match requests.
  public var notification: NotificationDeclaration

  /// Creates a reminder. By default it fires once.
  public init(
    id: String, triggers: [Trigger], conditions: [Condition] = [], withdrawals: [FactCondition] = [],
    repeats: Repeat = .once, expires: Instant = .distantFuture, isCreatedLater: Bool = false,
    notification: NotificationDeclaration
  ) {
    self.id = id
    self.triggers = triggers
    self.conditions = conditions
    self.withdrawals = withdrawals
    self.repeats = repeats
    self.expires = expires
    self.isCreatedLater = isCreatedLater
    self.notification = notification
  }

  /// The regions that the triggers and conditions name.
  package var regions: [String] {
    triggers.compactMap(\.region) + conditions.compactMap(\.region)
  }
}

/// How often a reminder may fire.
public enum Repeat: Hashable, Sendable {
  /// Once.
  case once
  /// At most once per local day, week or month. A week begins on the program's first day of the week.
  case daily, weekly, monthly
  /// At every match, and at every occurrence of a schedule.
  case always
}

/// The notification of a reminder, and how it counts towards caps.
public struct NotificationDeclaration: Hashable, Sendable {
  /// The type, which determines the caps by type.
  public var type: String
  /// The bucket, unless the ``criticalConditions`` hold.
  public var bucket: Bucket
  /// The conditions that move the request to the critical bucket if all of them hold at the match. If there
  /// are none, the request is never moved.
  public var criticalConditions: [FactCondition]
  /// The priority. Requests with priority 0 are decided first.
  public var priority: UInt8
  /// The texts by stage. The *n*-th request shows the *n*-th text, and later requests show the last one.
  public var copy: [Copy]
  /// The link that a tap opens, or an empty string.
  public var link: String
  /// The time after the match during which the notification is useful, or `nil` for no limit.
  public var usefulFor: TimeSpan?
  /// The name in analytics events such as `reminder_{event}_shown`, or `nil` to use the type in snake case.
  public var event: String?
  /// The actions that the person can perform without opening the app.
  public var actions: [NotificationAction]
  /// The attachment, or `nil`.
  public var attachment: NotificationAttachment?

  /// A text of a notification.
  public struct Copy: Hashable, Sendable {
    /// The title, which a system shows in bold.
    public var title: String
    /// The text below the title. It may be empty.
    public var body: String

    /// Creates a text, by default without a body.
    public init(title: String, body: String = "") {
      self.title = title
      self.body = body
    }
  }

  /// Creates a notification. By default it is in the standard bucket and has a medium priority.
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
  /// Whether the reminder has a schedule whose dates do not depend on a fact.
  package var recurs: Bool {
    triggers.contains {
      switch $0 {
      case .scheduled: $0.countsFrom == nil
      case .repeating(.calendar): true
      default: false
      }
    }
  }

  /// Returns the reason why the system cannot repeat this reminder and what to declare instead, or `nil` if
  /// it can.
  package func problem(of repetition: RepeatingSchedule) -> (text: String, remedy: String)? {
    if repeats != .always {
      return (
        "a reminder that the system repeats fires at every occurrence",
        "leave out 'repeat', or write 'repeat: always'"
      )
    }
    if expires != .distantFuture {
      return (
        "a reminder that the system repeats cannot expire",
        "leave out 'expires', or schedule single occurrences in advance, for example 'ahead 5'"
      )
    }
    return repetition.problem
  }
}
