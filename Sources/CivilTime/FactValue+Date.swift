public import TriggerModel

/// Values of facts that hold a date.
extension FactValue {
  /// A day of the calendar, as the milliseconds of its midnight if it were UTC.
  public static func date(_ date: CivilDate) -> FactValue {
    FactValue(bits: Int64(date.dayNumber) * minutesPerDay * 60_000)
  }

  /// The day; one beyond the calendar is its first or last.
  public var date: CivilDate {
    CivilDate(dayNumber: Int32(clamping: bits.floorDivided(by: minutesPerDay * 60_000)))
  }
}

/// The day from which a reminder's relative days are counted.
package struct DayOfFact: Hashable, Sendable, BitwiseCopyable {
  /// What the fact was worth.
  package var value: FactValue
  /// The local date of it, where the phone was when the app learned of it.
  package var date: CivilDate
  /// What it was worth where it holds an instant.
  package var instant: Instant { Instant(millisecondsSince1970: value.bits) }

  /// The years of the calendar, 1 to 9999, but for what relative days may add.
  private static let dates = CivilDate(year: 11, month: 1, day: 1)...CivilDate(year: 9_989, month: 1, day: 1)

  /// Nil when no calendar has the date.
  package init?(value: FactValue, date: CivilDate) {
    guard Self.dates.contains(date) else { return nil }
    self.value = value
    self.date = date
  }
}
