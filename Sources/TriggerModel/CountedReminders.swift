/// Up to 64 reminders with the same outcome at one instant, counted together instead of reported one by one.
///
/// They are the bits of a word. The engine's program determines the reminder of each bit. The words are the
/// same for all engines of one program.
public struct CountedReminders: Hashable, Sendable, BitwiseCopyable {
  /// The outcome, or a change of the reminders that wait.
  public enum Fate: Hashable, Sendable, BitwiseCopyable {
    /// The reminders observed their trigger, but their conditions failed.
    case missed(FailedWords)
    /// The scheduler denied the requests of all of them for this reason, with these blockers.
    case denied(Reason, ReasonSet)
    /// Only these reminders of the word wait for the trigger from now on. The region condition of some of
    /// them fails.
    case waiting(trigger: UInt32, outOfPlace: UInt64)
    /// A trigger occurred. Which of its waiting reminders miss it follows from its time. `word` is
    /// meaningless.
    case looked(EvaluationTime)
  }

  /// The word among the words of the program.
  public var word: UInt32
  /// The reminders. Zero if none waits, or if `word` is meaningless.
  public var bits: UInt64
  /// The outcome of all of them.
  public var fate: Fate

  package init(word: UInt32, bits: UInt64, _ fate: Fate) {
    self.word = word
    self.bits = bits
    self.fate = fate
  }
}

/// The reminders with a failing condition, by kind of condition.
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

/// The values at a trigger on which the conditions of its waiting reminders depend, except the regions.
public struct EvaluationTime: Hashable, Sendable, BitwiseCopyable {
  /// The trigger among those of the program.
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
