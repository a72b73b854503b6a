public import TriggerModel

extension SystemRepeat {
  /// As a recurrence that began long ago; nil for a span.
  ///
  /// A day that a month does not have is the first of the next (rule N5: the system matches as
  /// `nextTimePreservingSmallerComponents` does).
  private var recurrence: Recurrence? {
    let frequency: Recurrence.Frequency
    // January has every day, and 1600 every day of the year.
    var (month, day) = (1, 1)
    var weekdays: WeekdaySet?
    switch unit {
    case .daily: frequency = .daily
    case .weekly:
      frequency = .weekly
      weekdays = WeekdaySet(Weekday(daysAfterMonday: Int(self.day) - 1))
    case .monthly: (frequency, day) = (.monthly, Int(self.day))
    case .yearly: (frequency, month, day) = (.yearly, Int(self.month), Int(self.day))
    case .span: return nil
    }
    return Recurrence(
      start: CivilDate(year: 1_600, month: month, day: day), minute: Int(minute), frequency: frequency,
      skip: .forward, weekdays: weekdays)
  }

  /// The first occurrence after an instant, in the phone's zone; of a span, one span after the instant.
  public func next(after instant: Instant, in zone: Zone) -> Instant? {
    if let span { return instant + span }
    return recurrence?.next(atOrAfter: instant + TimeSpan(milliseconds: 1), in: zone)
  }
}
