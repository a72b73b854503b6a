import BitRows
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
  private var today = PlainDay.none
  /// What was seen last. It is changed in place, for a copy would cost as much as a look.
  var current = LocalView()

  package init(_ zone: ZoneID, of zones: ZoneTable, isCharging: Bool = false) {
    self.zone = zone
    clock = ZoneCursor(zones[zone])
    self.isCharging = isCharging
  }

  /// What is seen at a moment of this zone.
  ///
  /// - Parameter inside: Bit *r*: inside region *r*.
  package mutating func view(at moment: Moment, inside: UInt32) -> LocalView {
    move(to: moment, inside: inside)
    current.moment = moment
    return current
  }

  /// As ``view(at:inside:)``: it is the current one then, but for the moment, which few looks ask for.
  @inline(__always)
  mutating func move(to moment: Moment, inside: UInt32) {
    current.inside = inside
    current.isCharging = isCharging
    if today.contains(moment.wall) {
      current.time = WindowTime(minute: today.minute(at: moment.wall), quarters)
    } else {
      moveToAnotherDay(at: moment)
    }
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
