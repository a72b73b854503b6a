package import CivilTime
package import TriggerModel

/// What the app knows: the value of each fact, and when it was set.
package struct FactStore: Hashable, Sendable {
  package var values: [FactValue]
  package var setTimes: [Moment?]
  /// The local days on which the facts of a day were said.
  package var days: [Int32]
  /// The regions that the phone is in, of those that have no bit of a view: see ``TriggerModel/DenseID/hasBit``.
  package var farRegions = RegionSet()
  /// See ``EngineNames/dayEnds``.
  private let dayEnds: [FactValue?]
  /// See ``EngineNames/isDate``.
  private let isDate: [Bool]

  package init(_ names: EngineNames) {
    values = Array(repeating: .missing, count: names.facts.count)
    setTimes = Array(repeating: nil, count: names.facts.count)
    days = Array(repeating: Int32.max, count: names.facts.count)
    dayEnds = names.dayEnds
    isDate = names.isDate
  }

  /// What a fact is worth at a moment: the value that was said, or that of a day that is over.
  package func value(_ fact: FactID, at moment: Moment, _ zone: Zone) -> FactValue {
    guard let end = dayEnds[fact.index] else { return values[fact.index] }
    return zone.local(at: moment.wall).date.dayNumber > days[fact.index] ? end : values[fact.index]
  }

  /// The local date that a fact holds, or that of the instant that it holds; nil when it is not known.
  package func date(_ fact: FactID, at moment: Moment, _ zone: Zone) -> CivilDate? {
    let value = value(fact, at: moment, zone)
    // Beyond the year 9999, either way, no calendar has a date: a store may hold anything.
    guard !value.isMissing, value.bits.magnitude < 253_402_300_800_000 else { return nil }
    return isDate[fact.index] ? value.date : zone.local(at: Instant(millisecondsSince1970: value.bits)).date
  }

  package func setAt(_ fact: FactID) -> Moment? { setTimes[fact.index] }

  /// The facts that were ever told of.
  package var known: [(fact: FactID, value: FactValue, setAt: Moment)] {
    values.indices.compactMap { index in setTimes[index].map { (FactID(index), values[index], $0) } }
  }

  /// Notes a value and since when it holds, whether it is a new one or not.
  ///
  /// - Parameters:
  ///   - age: for how long it has held at the moment at which the app is told.
  ///   - zone: the one of the moment.
  /// - Returns: Whether the value is another; false when the fact is not one of the program's.
  package mutating func set(
    _ fact: FactID, _ value: FactValue, at moment: Moment, age: TimeSpan = .zero, _ zone: Zone
  ) -> Bool {
    guard fact.index < values.count else { return false }
    let before = self.value(fact, at: moment, zone)
    let setAt = age == .zero ? moment : moment.earlier(by: age)
    values[fact.index] = value
    setTimes[fact.index] = setAt
    if dayEnds[fact.index] != nil { days[fact.index] = zone.local(at: setAt.wall).date.dayNumber }
    return before != self.value(fact, at: moment, zone)
  }
}
