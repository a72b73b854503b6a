package import TriggerModel

/// A reminder that the person has put off.
package struct Snooze: Hashable, Sendable, BitwiseCopyable {
  /// On the wall clock.
  package var until: Instant
  /// What was asked for then; nil where there was nothing to put off, or it has expired by then.
  package var request: Request?

  package init(until: Instant, request: Request? = nil) {
    self.until = until
    self.request = request
  }

  package struct Request: Hashable, Sendable, BitwiseCopyable {
    /// Its number.
    package var occurrence: UInt32
    /// The text that was put off.
    package var copy: UInt8

    package init(occurrence: UInt32, copy: UInt8) {
      self.occurrence = occurrence
      self.copy = copy
    }
  }
}
