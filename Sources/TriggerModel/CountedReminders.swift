/// Up to 64 reminders of which the same is to be said at one instant: they are counted, and nobody is told of
/// each alone.
///
/// They are bits of a word. Which reminder each bit stands for the engine's program says; the words of one program
/// are the same for every engine that is made of it.
public struct CountedReminders: Hashable, Sendable, BitwiseCopyable {
  /// What became of them, or what they wait for from now on.
  public enum Fate: Hashable, Sendable, BitwiseCopyable {
    /// They saw their trigger and ask for nothing, as conditions do not hold.
    case missed(FailedWords)
    /// They asked, and the scheduler denied all of them for this reason, and these blockers.
    case denied(Reason, ReasonSet)
    /// From now on they wait for a trigger, and no others of their word; of some the region is the wrong one.
    case waiting(trigger: UInt32, outOfPlace: UInt64)
    /// A trigger came: of those that wait for it some miss it, which follows from when it came. No word is meant.
    case looked(LookTime)
  }

  /// Which word of the program.
  public var word: UInt32
  /// None where nobody waits, and where no word is meant.
  public var bits: UInt64
  /// What is to be said of all of them.
  public var fate: Fate

  package init(word: UInt32, bits: UInt64, _ fate: Fate) {
    self.word = word
    self.bits = bits
    self.fate = fate
  }
}

/// By kind of condition, the bits of those reminders of which one of the kind does not hold.
public struct FailedWords: Hashable, Sendable, BitwiseCopyable {
  /// Those whose window of the local day is closed.
  public var timeWindow: UInt64
  /// Those that ask for other weekdays.
  public var weekdays: UInt64
  /// Those that ask for a region, or its outside, where the phone is not.
  public var region: UInt64
  /// Those that ask for the charger, or its absence, against what is.
  public var charging: UInt64

  package init(timeWindow: UInt64, weekdays: UInt64, region: UInt64, charging: UInt64) {
    self.timeWindow = timeWindow
    self.weekdays = weekdays
    self.region = region
    self.charging = charging
  }
}

/// When a trigger came, for the conditions of those that wait for it: all but those on regions.
public struct LookTime: Hashable, Sendable, BitwiseCopyable {
  /// Which of the program's.
  public var trigger: UInt32
  /// Of the local day, 0…1,439.
  public var minute: UInt16
  /// 0…6, from Monday.
  public var weekday: UInt8
  /// Whether the phone was on the charger, as the app knew.
  public var isCharging: Bool

  package init(trigger: UInt32, minute: Int, weekday: Int, isCharging: Bool) {
    self.trigger = trigger
    self.minute = UInt16(minute)
    self.weekday = UInt8(weekday)
    self.isCharging = isCharging
  }
}
