package import TriggerModel

/// Weeks, months or years counted from an instant by the calendar of a zone: the same day and time of each that follows;
/// in a month that has no such day its last one, and in the month after it the day itself again.
package struct CalendarSteps: Sendable {
  private let recurrence: Recurrence
  private let zone: Zone
  /// A recurrence knows minutes; an instant is any millisecond of one.
  private let withinMinute: TimeSpan

  /// - Parameter frequency: No `once`.
  package init(_ frequency: Recurrence.Frequency, every interval: Int = 1, from start: Instant, in zone: Zone)
  {
    let local = zone.local(at: start)
    let minute = Int(local.millisecondOfDay) / 60_000
    recurrence = Recurrence(start: local.date, minute: minute, frequency: frequency, interval: interval)
    withinMinute = TimeSpan(milliseconds: Int64(local.millisecondOfDay) % 60_000)
    self.zone = zone
  }

  /// The step that follows the one at an instant; nil only beyond the calendar.
  package func next(after instant: Instant) -> Instant? {
    recurrence.next(atOrAfter: instant - withinMinute + .minutes(1), in: zone).map { $0 + withinMinute }
  }
}
