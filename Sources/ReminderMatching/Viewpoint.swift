package import CivilTime
package import TriggerModel

/// The context of an evaluation that is not part of the event: the calendar of the zone, and the charging
/// state. It is not part of the stored state.
package struct Viewpoint: Sendable {
  package let zone: ZoneID
  package var isCharging: Bool
  private var clock: ZoneCursor
  private let quarters = QuarterTable.shared
  /// The part of the day that contained the last view.
  private(set) var today = PlainDay.none
  /// The last view.
  private var current = LocalView()

  package init(_ zone: ZoneID, of zones: ZoneTable, isCharging: Bool = false) {
    self.zone = zone
    clock = ZoneCursor(zones[zone])
    self.isCharging = isCharging
  }

  /// Returns the view at a moment in this zone.
  ///
  /// - Parameter inside: The regions that the phone is in: bit *r* for region *r*.
  package mutating func view(at moment: Moment, inside: UInt32) -> LocalView {
    (current.moment, current.inside, current.isCharging) = (moment, inside, isCharging)
    if today.contains(moment.wall) {
      current.time = WindowTime(minute: today.minute(at: moment.wall), quarters)
    } else {
      moveToAnotherDay(at: moment)
    }
    return current
  }

  /// Returns the view at a moment, but with the date and the time of day of another instant.
  package mutating func view(at moment: Moment, atTimeOf instant: Instant, inside: UInt32) -> LocalView {
    var view = view(at: moment.foreseen(at: instant), inside: inside)
    view.moment = moment
    return view
  }

  /// Returns the part of the view on which the rows of most triggers depend, at an instant within ``today``.
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
  /// An empty part of a day, before the first event.
  fileprivate static let none = PlainDay(
    date: CivilDate(dayNumber: 0), start: .distantPast, end: .distantPast, midnight: .distantPast)
}

/// The values that conditions depend on at one instant, computed once per event.
package struct LocalView {
  package internal(set) var moment = Moment(
    wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
  package internal(set) var date = CivilDate(dayNumber: 0)
  var weekday = CivilDate(dayNumber: 0).weekday
  /// The minutes with which the starts and ends of windows are compared, or `nil` on a plain day, on which
  /// both are the minute of the wall clock.
  var specialHands: WindowHands?
  /// The time of day that is compared with windows.
  var time = WindowTime(minute: 0)
  var isCharging = false
  /// The regions that the phone is in: bit *r* for region *r*.
  var inside: UInt32 = 0

  var hands: WindowHands {
    if let specialHands { return specialHands }
    let wall = Int64(date.dayNumber) * 1_440 + Int64(time.minute)
    return WindowHands(start: wall, end: wall)
  }

  /// The same view in a form for use outside a fold, where a single time of day applies to all windows.
  var plain: PlainView {
    PlainView(date: date, weekday: weekday, quarter: time.rows, isCharging: isCharging, inside: inside)
  }

  /// Whether the instant is near a fold, where the two minutes differ. A slot does not determine which
  /// windows are open there.
  @inline(__always)
  var isInFold: Bool { specialHands.map { $0.start != $0.end } ?? false }

  /// Returns the slot for which the open row of a bucket is valid.
  @inline(__always)
  func slot(of bucket: UnsafePointer<TriggerBucket>) -> Int32 {
    if isInFold { return BucketState.unknown }
    let row = bucket.pointee.minuteRow
    return row == TriggerBucket.noWindows ? 0 : time.slot(hasMinutes: row > 0)
  }

  /// Returns the kinds of conditions that fail, and the reason of the first one that fails, or `nil` if all
  /// conditions hold.
  package func failures(
    of conditions: [CompiledCondition], facts: FactStore, zone: Zone
  ) -> (reason: Reason, kinds: ConditionKinds)? {
    var reason: Reason?
    var kinds: ConditionKinds = []
    for condition in conditions {
      guard let why = failure(condition, facts: facts, zone: zone) else { continue }
      reason = reason ?? why
      kinds.formUnion(condition.kinds)
    }
    return reason.map { ($0, kinds) }
  }
}
