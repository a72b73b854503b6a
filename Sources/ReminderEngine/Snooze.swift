import ReminderMatching
import TriggerModel

/// A reminder that the person has put off.
struct Snooze: Hashable, Sendable, BitwiseCopyable {
  /// On the wall clock.
  var until: Instant
  /// What was asked for then; nil where there was nothing to put off, or it has expired by then.
  var request: Request?

  struct Request: Hashable, Sendable, BitwiseCopyable {
    /// Its number.
    var occurrence: UInt32
    /// The text that was put off.
    var copy: UInt8
  }
}
