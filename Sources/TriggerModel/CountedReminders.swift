/// Up to 64 reminders that have the same outcome at one instant. They are counted together instead of being
/// reported individually.
///
/// Each reminder is a bit of a word. The engine's program assigns the bits, so all engines of one program use
/// the same words.
public struct CountedReminders: Hashable, Sendable, BitwiseCopyable {
  /// The outcome of the reminders, or a change of the set of waiting reminders.
  public enum Fate: Hashable, Sendable, BitwiseCopyable {
    /// The reminders were waiting and their trigger was observed, but conditions failed.
    case missed(FailedWords)
    /// The scheduler denied the requests of all these reminders for this reason, with these blockers.
    case denied(Reason, ReasonSet)
    /// From now on, exactly these reminders of the word wait for the trigger. The reminders in `outOfPlace`
    /// fail their region condition.
    case waiting(trigger: UInt32, outOfPlace: UInt64)
    /// A trigger occurred. The evaluation time determines which of the waiting reminders miss it. `word` is
    /// unused.
    case looked(EvaluationTime)
  }

  /// The index of the word in the program.
  public var word: UInt32
  /// The bits of the reminders. They are 0 if no reminder is waiting or `word` is unused.
  public var bits: UInt64
  /// The common outcome of these reminders.
  public var fate: Fate

  package init(word: UInt32, bits: UInt64, _ fate: Fate) {
    self.word = word
    self.bits = bits
    self.fate = fate
  }
}

/// The reminders for which a condition fails, by kind of condition.
public struct FailedWords: Hashable, Sendable, BitwiseCopyable {
  /// The reminders whose time window is closed.
  public var timeWindow: UInt64
  /// The reminders whose weekday condition fails.
  public var weekdays: UInt64
  /// The reminders whose region condition fails.
  public var region: UInt64
  /// The reminders whose charging condition fails.
  public var charging: UInt64

  package init(timeWindow: UInt64, weekdays: UInt64, region: UInt64, charging: UInt64) {
    self.timeWindow = timeWindow
    self.weekdays = weekdays
    self.region = region
    self.charging = charging
  }
}

/// The values that, together with regions, determine which waiting reminders miss a trigger.
public struct EvaluationTime: Hashable, Sendable, BitwiseCopyable {
  /// The index of the trigger in the program.
  public var trigger: UInt32
  /// The minute of the local day, 0…1,439.
  public var minute: UInt16
  /// The weekday, 0…6 from Monday.
  public var weekday: UInt8
  /// Whether the phone was charging, as far as the app knew.
  public var isCharging: Bool

  package init(trigger: UInt32, minute: Int, weekday: Int, isCharging: Bool) {
    self.trigger = trigger
    self.minute = UInt16(minute)
    self.weekday = UInt8(weekday)
    self.isCharging = isCharging
  }
}
