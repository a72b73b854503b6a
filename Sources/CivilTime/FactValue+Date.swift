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
