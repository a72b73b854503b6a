/// Up to 64 reminders with the same outcome at one instant, counted together instead of reported
/// individually.
///
/// They are the bits of a word. The engine's program determines the reminder of each bit. All engines of one
/// program use the same words.
public struct CountedReminders: Hashable, Sendable, BitwiseCopyable {
  /// The outcome of the reminders, or a change of the waiting reminders.
  public enum Fate: Hashable, Sendable, BitwiseCopyable {
    /// The reminders observed their trigger, but their conditions failed.
    case missed(FailedWords)
    /// The scheduler denied the requests of all of them for this reason, with these blockers.
    case denied(Reason, ReasonSet)
    /// From now on, exactly these reminders of the word wait for the trigger. For those in `outOfPlace`, the
    /// region condition fails.
    case waiting(trigger: UInt32, outOfPlace: UInt64)
    /// A trigger occurred. The waiting reminders that miss it follow from its time. `word` is unused.
    case looked(EvaluationTime)
  }

  /// The index of the word in the program.
  public var word: UInt32
  /// The reminders. Zero if none is waiting or if `word` is unused.
  public var bits: UInt64
  /// The outcome of all these reminders.
  public var fate: Fate

  package init(word: UInt32, bits: UInt64, _ fate: Fate) {
    self.word = word
    self.bits = bits
    self.fate = fate
  }
}

/// The reminders with a failing condition, by kind of condition.
public struct FailedWords: Hashable, Sendable, BitwiseCopyable {
  /// The reminders with a closed time window.
  public var timeWindow: UInt64
  /// The reminders with a failing weekday condition.
  public var weekdays: UInt64
  /// The reminders with a failing region condition.
  public var region: UInt64
  /// The reminders with a failing charging condition.
  public var charging: UInt64

  package init(timeWindow: UInt64, weekdays: UInt64, region: UInt64, charging: UInt64) {
    self.timeWindow = timeWindow
    self.weekdays = weekdays
    self.region = region
    self.charging = charging
  }
}

/// The values that determine which waiting reminders miss a trigger, except the regions.
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
