package import CivilTime
package import TriggerModel

/// From where conditions are looked at: the zone's clock, and what else an event does not say. A process that
/// ends forgets it.
package struct Viewpoint: Sendable {
  package let zone: ZoneID
  package var isCharging: Bool
  private var clock: ZoneCursor
  /// The stretch of the day that the last look lay in.
  private var today = PlainDay.none

  package init(_ zone: ZoneID, of zones: ZoneTable, isCharging: Bool = false) {
    self.zone = zone
    self.isCharging = isCharging
    clock = ZoneCursor(zones[zone])
  }

  /// What is seen at a moment of this zone.
  ///
  /// - Parameter inside: Bit *r*: inside region *r*.
  @inline(__always)
  package mutating func view(at moment: Moment, inside: UInt32) -> LocalView {
    guard today.contains(moment.wall) else { return viewOnAnotherDay(at: moment, inside: inside) }
    return view(at: moment, today, inside: inside)
  }

  @inline(__always)
  private func view(at moment: Moment, _ today: PlainDay, inside: UInt32) -> LocalView {
    let minute = today.minute(at: moment.wall)
    let wall = Int64(today.date.dayNumber) * 1_440 + Int64(minute)
    return LocalView(
      moment: moment, date: today.date, weekday: today.weekday, minute: minute,
      hands: WindowHands(start: wall, end: wall), isCharging: isCharging, inside: inside)
  }

  @inline(never)
  private mutating func viewOnAnotherDay(at moment: Moment, inside: UInt32) -> LocalView {
    if let day = clock.plainDay(around: moment.wall) {
      today = day
      return view(at: moment, day, inside: inside)
    }
    let local = clock.local(at: moment.wall)
    return LocalView(
      moment: moment, date: local.date, weekday: local.date.weekday, minute: local.minuteOfDay,
      hands: clock.hands(at: moment.wall), isCharging: isCharging, inside: inside)
  }
}

extension PlainDay {
  /// No stretch at all: what is known before the first event.
  fileprivate static let none = PlainDay(
    date: CivilDate(dayNumber: 0), start: .distantPast, end: .distantPast, midnight: .distantPast)
}
