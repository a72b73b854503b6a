package import CivilTime
package import TriggerModel

/// From where conditions are looked at: the zone's clock, and what else an event does not say. A process that
/// ends forgets it.
package struct Viewpoint: Sendable {
  package let zone: ZoneID
  package var isCharging: Bool
  private var clock: ZoneCursor
  private let quarters = QuarterTable.shared
  /// The stretch of the day that the last look lay in.
  private(set) var today = PlainDay.none
  /// What was seen last.
  private var current = LocalView()

  package init(_ zone: ZoneID, of zones: ZoneTable, isCharging: Bool = false) {
    self.zone = zone
    clock = ZoneCursor(zones[zone])
    self.isCharging = isCharging
  }

  /// What is seen at a moment of this zone.
  ///
  /// - Parameter inside: Bit *r*: inside region *r*.
  package mutating func view(at moment: Moment, inside: UInt32) -> LocalView {
    (current.moment, current.inside, current.isCharging) = (moment, inside, isCharging)
    if today.contains(moment.wall) {
      current.time = WindowTime(minute: today.minute(at: moment.wall), quarters)
    } else {
      moveToAnotherDay(at: moment)
    }
    return current
  }

  /// As ``view(at:inside:)``, at an instant of ``today``: no more than the rows of most triggers ask for.
  @inline(__always)
  func plainView(at wall: Instant, inside: UInt32) -> PlainView {
    PlainView(
      date: today.date, weekday: today.weekday, quarter: quarters[today.quarter(at: wall)],
      isCharging: isCharging, inside: inside)
  }

  @inline(never)
  private mutating func moveToAnotherDay(at moment: Moment) {
    today = clock.plainDay(around: moment.wall) ?? .none
    if today.contains(moment.wall) {
      (current.date, current.weekday, current.specialHands) = (today.date, today.weekday, nil)
      current.time = WindowTime(minute: today.minute(at: moment.wall), quarters)
    } else {
      let hands = clock.hands(at: moment.wall)
      current.date = clock.local(at: moment.wall).date
      (current.weekday, current.specialHands) = (current.date.weekday, hands)
      current.time = WindowTime(hands)
    }
  }
}

extension PlainDay {
  /// No stretch at all: what is known before the first event.
  fileprivate static let none = PlainDay(
    date: CivilDate(dayNumber: 0), start: .distantPast, end: .distantPast, midnight: .distantPast)
}
