import CivilTime
import TriggerModel

/// When the periods end that a purchase began: on the day of the purchase in each following week, month or year, and at
/// its time; in a month that has no such day, on its last one, and in the month after it on the day of the purchase
/// again. They are counted where the person bought, wherever the phone is later.
struct BillingDates {
  private let recurrence: Recurrence
  private let zone: Zone
  /// A recurrence knows minutes; a purchase comes at any millisecond of one.
  private let withinMinute: TimeSpan

  init(_ period: BillingPeriod, from purchase: Instant, in zone: Zone) {
    let local = zone.local(at: purchase)
    let frequency: Recurrence.Frequency =
      switch period {
      case .week: .weekly
      case .month: .monthly
      case .year: .yearly
      }
    let minute = Int(local.millisecondOfDay) / 60_000
    recurrence = Recurrence(start: local.date, minute: minute, frequency: frequency)
    withinMinute = TimeSpan(milliseconds: Int64(local.millisecondOfDay) % 60_000)
    self.zone = zone
  }

  /// The end of the period that begins then; nil only beyond the calendar.
  func end(after start: Instant) -> Instant? {
    recurrence.next(atOrAfter: start - withinMinute + .minutes(1), in: zone).map { $0 + withinMinute }
  }
}
