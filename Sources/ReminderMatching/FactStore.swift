package import CivilTime
package import TriggerModel

/// The value of each fact that the app knows, and the moment when it was set.
package struct FactStore: Hashable, Sendable {
  package var values: [FactValue]
  package var setTimes: [Moment?]
  /// The local days on which daily facts were set.
  package var days: [Int32]
  /// The regions that the phone is in, of those that have no bit in a view. See
  /// ``TriggerModel/DenseID/hasBit``.
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

  /// Returns the value of a fact at a moment. For a daily fact, this is the default once the day of the last
  /// value is over.
  package func value(_ fact: FactID, at moment: Moment, _ zone: Zone) -> FactValue {
    guard let end = dayEnds[fact.index] else { return values[fact.index] }
    return zone.local(at: moment.wall).date.dayNumber > days[fact.index] ? end : values[fact.index]
  }

  /// Returns the date of a fact, or `nil` if it is unknown. If the fact is an instant, returns its local
  /// date.
  package func date(_ fact: FactID, at moment: Moment, _ zone: Zone) -> CivilDate? {
    let value = value(fact, at: moment, zone)
    // A store may contain any value, but dates beyond the year 9999 are not supported.
    guard !value.isMissing, value.bits.magnitude < 253_402_300_800_000 else { return nil }
    return isDate[fact.index] ? value.date : zone.local(at: Instant(millisecondsSince1970: value.bits)).date
  }

  package func setAt(_ fact: FactID) -> Moment? { setTimes[fact.index] }

  /// The facts that have been set.
  package var known: [(fact: FactID, value: FactValue, setAt: Moment)] {
    values.indices.compactMap { index in setTimes[index].map { (FactID(index), values[index], $0) } }
  }

  /// Sets the value of a fact and the instant from which it holds, even if the value is unchanged.
  ///
  /// - Parameters:
  ///   - age: How long the value has already been valid when the app observes it.
  ///   - zone: The zone of the moment.
  /// - Returns: Whether the value changed, or `false` for a fact that the program does not declare.
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

/// Determines which facts must be measured to bring the rows of failing fact conditions up to date.
package struct FactSync: Sendable {
  /// The facts that were set since the last update. They do not matter if all facts must be measured.
  private(set) var changed: [FactID] = []
  private var isWhole = true
  /// The wall-clock instants between which the rows are valid, unless the clock is set.
  private var from = Instant.distantPast
  private var until = Instant.distantPast
  /// The clock difference, the boot number and the zone at the last update.
  private var difference = Instant.distantPast
  private var boot: UInt32 = 0
  private var zone = ZoneID(0)

  /// The number of changes after which all facts are measured again.
  private static let maximumChanges = 32

  /// Requires that all facts are measured again.
  package mutating func forget() { self = FactSync() }

  package mutating func changed(_ fact: FactID) {
    if isWhole || changed.last == fact { return }
    if changed.count == Self.maximumChanges { return forget() }
    changed.append(fact)
  }

  @inline(__always)
  package func isUpToDate(at moment: Moment) -> Bool {
    moment.wall < until && changed.isEmpty && !isStale(at: moment)
  }

  /// Returns whether the clock was set, the phone was booted, or the zone changed since the last update.
  @inline(__always)
  package func isStale(at moment: Moment) -> Bool {
    isWhole || moment.wall < from || moment.clockDifference != difference
      || moment.uptime.boot != boot || moment.zone != zone
  }

  /// Requires an update because conditions have been added.
  package mutating func requireUpdate() { until = .distantPast }

  package mutating func markUpToDate(at moment: Moment, until next: Instant) {
    changed.removeAll(keepingCapacity: true)
    isWhole = false
    (from, until) = (moment.wall, next)
    difference = moment.clockDifference
    (boot, zone) = (moment.uptime.boot, moment.zone)
  }
}

extension Moment {
  /// The wall-clock time minus the uptime, which is constant until the clock is set.
  @inline(__always)
  fileprivate var clockDifference: Instant { wall - uptime.span }
}
