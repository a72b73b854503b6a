import CivilTime
import TriggerModel

/// Turns seconds after a local midnight into instants, quickly on days that are as long as others.
struct DayClock {
  private let zone: Zone
  private let date: CivilDate
  private let midnight: Instant
  private let next: Instant

  init(_ date: CivilDate, in zone: Zone) {
    self.date = date
    self.zone = zone
    midnight = zone.instant(of: LocalTime(date: date, millisecondOfDay: 0))
    next = zone.instant(of: LocalTime(date: date + 1, millisecondOfDay: 0))
  }

  /// - Parameter second: 0 ..< 172,800; those of a second day are of the next date.
  func instant(_ second: Int64) -> Instant {
    if second >= 86_400 { return DayClock(date + 1, in: zone).instant(second - 86_400) }
    if (next - midnight).milliseconds == 86_400_000 {
      return midnight + TimeSpan(milliseconds: second * 1_000)
    }
    return zone.instant(of: LocalTime(date: date, millisecondOfDay: Int32(second * 1_000)))
  }
}
