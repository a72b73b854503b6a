package import CivilTime
package import TriggerModel

/// What the conditions are about, at one instant: computed once per event.
package struct LocalView {
  package internal(set) var moment = Moment(
    wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
  package internal(set) var date = CivilDate(dayNumber: 0)
  var weekday = CivilDate(dayNumber: 0).weekday
  /// Nil where a day is plain, as most are: both hands show the wall's minute.
  var specialHands: WindowHands?
  /// By the hands.
  var time = WindowTime(minute: 0)
  var isCharging = false
  /// Bit *r*: inside region *r*.
  var inside: UInt32 = 0

  var hands: WindowHands {
    if let specialHands { return specialHands }
    let wall = Int64(date.dayNumber) * 1_440 + Int64(time.minute)
    return WindowHands(start: wall, end: wall)
  }

  /// Outside a fold.
  var plain: PlainView {
    PlainView(date: date, weekday: weekday, quarter: time.rows, isCharging: isCharging, inside: inside)
  }

  /// In the hours around a fold the two hands differ, and edges alone do not say what is open.
  @inline(__always)
  var isInFold: Bool { specialHands.map { $0.start != $0.end } ?? false }

  /// For how long the open row of a bucket holds.
  @inline(__always)
  func slot(of bucket: UnsafePointer<TriggerBucket>) -> Int32 {
    if isInFold { return BucketState.unknown }
    let row = bucket.pointee.minuteRow
    return row == TriggerBucket.noWindows ? 0 : time.slot(hasMinutes: row > 0)
  }

  /// Which of the conditions fail, and the reason of the first; nil when all hold.
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
