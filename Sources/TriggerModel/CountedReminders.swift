/// Up to 64 reminders of which the same is to be said at one instant: they are counted, and nobody is told of
/// each alone.
///
/// They are bits of a word. Which reminder each bit stands for the engine's program says; the words of one program
/// are the same for every engine that is made of it.
public struct CountedReminders: Hashable, Sendable, BitwiseCopyable {
  public enum Fate: Hashable, Sendable, BitwiseCopyable {
    /// They saw their trigger and ask for nothing, as conditions do not hold.
    case missed(FailedWords)
    /// They asked, and the scheduler denied all of them for this reason, and these blockers.
    case denied(Reason, ReasonSet)
  }

  /// Which word of the program.
  public var word: UInt32
  /// Never none.
  public var bits: UInt64
  public var fate: Fate

  public init(word: UInt32, bits: UInt64, _ fate: Fate) {
    self.word = word
    self.bits = bits
    self.fate = fate
  }
}

/// By kind of condition, the bits of those reminders of which one of the kind does not hold.
public struct FailedWords: Hashable, Sendable, BitwiseCopyable {
  public var timeWindow: UInt64
  public var weekdays: UInt64
  public var region: UInt64
  public var charging: UInt64

  public init(timeWindow: UInt64, weekdays: UInt64, region: UInt64, charging: UInt64) {
    self.timeWindow = timeWindow
    self.weekdays = weekdays
    self.region = region
    self.charging = charging
  }
}
