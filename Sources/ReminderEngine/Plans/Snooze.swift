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
    /// When the occurrence that it stands for is due by itself; the distant past where that was due before.
    package var standsFor: Instant

    package init(occurrence: UInt32, copy: UInt8, standsFor: Instant = .distantPast) {
      self.occurrence = occurrence
      self.copy = copy
      self.standsFor = standsFor
    }
  }

  /// A request by which a snooze asked again, and which quiet hours put off: the person asked for it, and no condition
  /// ends it.
  package struct Deferred: Hashable, Sendable, BitwiseCopyable {
    package var request: Request
    /// When the system is to show it; the distant future while it is not asked to.
    package var deliverAt: Instant

    package init(_ request: Request, deliverAt: Instant = .distantFuture) {
      self.request = request
      self.deliverAt = deliverAt
    }
  }
}
