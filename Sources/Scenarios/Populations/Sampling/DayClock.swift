import CivilTime
import TriggerModel

/// Turns seconds after a local midnight into instants, quickly on days that are as long as others.
struct DayClock {
  private let zone: Zone
  private let date: CivilDate
  private let midnight: Instant
  /// It is as long as others.
  private let isPlain: Bool

  init(_ date: CivilDate, in zone: Zone) {
    self.date = date
    self.zone = zone
    midnight = zone.instant(of: LocalTime(date: date, millisecondOfDay: 0))
    let next = zone.instant(of: LocalTime(date: date + 1, millisecondOfDay: 0))
    isPlain = (next - midnight).milliseconds == 86_400_000
  }

  /// - Parameter second: 0 ..< 172,800; those of a second day are of the next date.
  @inline(__always)
  func instant(_ second: Int64) -> Instant {
    isPlain && second < 86_400 ? midnight + .seconds(second) : instantOfOtherDay(second)
  }

  @inline(never)
  private func instantOfOtherDay(_ second: Int64) -> Instant {
    if second >= 86_400 { return DayClock(date + 1, in: zone).instant(second - 86_400) }
    return zone.instant(of: LocalTime(date: date, millisecondOfDay: Int32(second * 1_000)))
  }
}
