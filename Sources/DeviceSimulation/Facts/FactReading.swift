import TriggerModel

/// The values that facts really have, and which of them the app may read.
struct FactReading: Hashable, Sendable {
  /// By fact; what is not said of one is that it is the app's own.
  private let access: [FactAccess]
  /// By fact.
  private var values: [FactValue]
  /// By fact: since when it has its value.
  private var since: [Instant]
  private(set) var denied: Set<FactSourceID>

  init(_ access: [FactAccess], denied: [FactSourceID]) {
    self.access = access
    values = Array(repeating: .missing, count: access.count)
    since = Array(repeating: .distantPast, count: access.count)
    self.denied = Set(denied)
  }

  func isAllowed(_ source: FactSourceID) -> Bool { !denied.contains(source) }

  func isReadable(_ fact: FactID) -> Bool {
    guard fact.index < access.count, let source = access[fact.index].source else { return true }
    return isAllowed(source)
  }

  /// Whether a fact really has a value.
  func isKnown(_ fact: FactID) -> Bool {
    fact.index < values.count && !values[fact.index].isMissing
  }

  /// A fact really takes a value.
  mutating func set(_ fact: FactID, _ value: FactValue, at now: Instant) {
    let missing = fact.index + 1 - values.count
    if missing > 0 {
      values.append(contentsOf: repeatElement(.missing, count: missing))
      since.append(contentsOf: repeatElement(.distantPast, count: missing))
    }
    values[fact.index] = value
    since[fact.index] = now
  }

  /// What the app makes of each fact that it knows anything of, in the order of the facts.
  var seen: [(fact: FactID, value: FactValue)] {
    values.indices.map { (FactID($0), seen(FactID($0))) }.filter { !$0.1.isMissing }
  }

  private func seen(_ fact: FactID) -> FactValue {
    isReadable(fact) ? values[fact.index] : access[fact.index].whenUnreadable
  }

  /// The user lets the app read there, or no longer.
  /// - Returns: The facts that look otherwise now, how, and since when they have been so.
  mutating func allow(
    _ source: FactSourceID, _ isAllowed: Bool, at now: Instant
  ) -> [(fact: FactID, value: FactValue, since: Instant)] {
    let facts = access.indices.filter { access[$0].source == source }.map { FactID($0) }
    let before = facts.map { seen($0) }
    if isAllowed { denied.remove(source) } else { denied.insert(source) }
    return zip(facts, before).map { ($0, seen($0), $1) }.filter { $0.1 != $0.2 }.map {
      ($0.0, $0.1, isAllowed && since[$0.0.index] > .distantPast ? since[$0.0.index] : now)
    }
  }
}

extension FactReading: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&values)
    parcel.carry(&since)
    parcel.carry(&denied)
  }
}
