import BitRows
package import CivilTime
package import TriggerModel

/// What the conditions are about, at one instant: computed once per event.
package struct LocalView {
  package var moment: Moment
  package var date: CivilDate
  var weekday: Weekday
  var minute: Int
  var hands: WindowHands
  var isCharging: Bool
  /// Bit *r*: inside region *r*.
  var inside: UInt32

  package init(
    moment: Moment, date: CivilDate, weekday: Weekday, minute: Int, hands: WindowHands, isCharging: Bool,
    inside: UInt32
  ) {
    self.moment = moment
    self.date = date
    self.weekday = weekday
    self.minute = minute
    self.hands = hands
    self.isCharging = isCharging
    self.inside = inside
  }

  /// In the hours around a fold the two hands differ, and edges alone do not say what is open.
  @inline(__always)
  var isInFold: Bool { hands.start != hands.end }

  var windowTime: WindowTime { isInFold ? WindowTime(hands) : WindowTime(minute: minute) }

  /// Everything but the time of day that the rows of a bucket depend on, in one word.
  @inline(__always)
  func key(regions: UInt32) -> UInt32 {
    UInt32(weekday.rawValue) | (isCharging ? 8 : 0) | (inside & regions) << 4
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
