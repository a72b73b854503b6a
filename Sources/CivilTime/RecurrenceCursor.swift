public import TriggerModel

/// Reads one recurrence in one zone for instants that are near each other: remembers what it found, so that what comes
/// next is mostly a comparison, or a division where it comes every day at one time.
public struct RecurrenceCursor: Sendable {
  /// The one that is read.
  public let recurrence: Recurrence
  /// Where its dates and times are local.
  public let zone: Zone
  @usableFromInline var days: SteadyDays?
  /// What was found last, and for which instant: so long nothing else comes.
  @usableFromInline var asked = Instant.distantFuture
  @usableFromInline var found = Instant.distantPast

  /// It has found nothing yet.
  public init(_ recurrence: Recurrence, in zone: Zone) {
    self.recurrence = recurrence
    self.zone = zone
  }

  /// As ``Recurrence/next(atOrAfter:in:)``.
  @inlinable @inline(__always)
  public mutating func next(atOrAfter instant: Instant) -> Instant? {
    if let next = days?.next(atOrAfter: instant) { return next }
    if instant >= asked, instant <= found { return found }
    return search(instant)
  }

  @usableFromInline @inline(never)
  mutating func search(_ instant: Instant) -> Instant? {
    let next = recurrence.next(atOrAfter: instant, in: zone)
    guard let next else { return nil }
    (asked, found) = (instant, next)
    days = recurrence.steadyDays(in: zone.segment(at: next))
    return next
  }
}
