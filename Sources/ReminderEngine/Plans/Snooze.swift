package import TriggerModel

/// A snooze of a reminder.
package struct Snooze: Hashable, Sendable, BitwiseCopyable {
  /// The end of the snooze on the wall clock.
  package var until: Instant
  /// The request for the end of the snooze, or `nil` if there is nothing to repeat or the reminder expires
  /// before the end.
  package var request: Request?

  /// The clocks to which ``until`` refers, if the person snoozed for a length of time. `nil` if the person
  /// chose the end.
  package var clocks: ClockPair?

  package init(until: Instant, request: Request? = nil, clocks: ClockPair? = nil) {
    self.until = until
    self.request = request
    self.clocks = clocks
  }

  /// Adopts the current clocks. If the wall clock was set, moves the end so that the length of time stays the
  /// same.
  ///
  /// After a reboot the end is not moved, because only the wall clock measures a length of time across a
  /// boot.
  mutating func follow(_ clocks: ClockPair) {
    guard let old = self.clocks else { return }
    self.clocks = clocks
    if old.boot == clocks.boot { until = until + (clocks.wallAtBoot - old.wallAtBoot) }
  }

  package struct Request: Hashable, Sendable, BitwiseCopyable {
    /// The number of the request.
    package var occurrence: UInt32
    /// The index of the text to show again.
    package var copy: UInt8
    /// The due time of the occurrence that the request replaces, or the distant past if it was already due.
    package var standsFor: Instant

    package init(occurrence: UInt32, copy: UInt8, standsFor: Instant = .distantPast) {
      self.occurrence = occurrence
      self.copy = copy
      self.standsFor = standsFor
    }
  }

  /// The deferred request of an ended snooze. No condition withdraws it, because the person requested it.
  package struct Deferred: Hashable, Sendable, BitwiseCopyable {
    package var request: Request
    /// The delivery instant, or the distant future while the system does not hold the request.
    package var deliverAt: Instant

    package init(_ request: Request, deliverAt: Instant = .distantFuture) {
      self.request = request
      self.deliverAt = deliverAt
    }
  }
}
