package import TriggerModel

package enum FactSourceSubject {}

/// A source of facts that the user can forbid the app to read, for example the system's health data.
package typealias FactSourceID = DenseID<FactSourceSubject>

/// The source of a fact, and the value that the app assumes while it cannot read that source.
package struct FactAccess: Hashable, Sendable, BitwiseCopyable {
  /// The source, or `nil` if the fact belongs to the app and is always readable.
  package var source: FactSourceID?
  /// The value that the app assumes while it cannot read the fact. Because a denied read looks like missing
  /// data, an app may assume zero.
  package var whenUnreadable: FactValue

  package init(source: FactSourceID? = nil, whenUnreadable: FactValue = .missing) {
    self.source = source
    self.whenUnreadable = whenUnreadable
  }
}

/// The true values of facts and the app's permissions to read them.
struct FactReading: Hashable, Sendable {
  /// The source of each fact. A fact without an entry belongs to the app.
  private let access: [FactAccess]
  /// The true value of each fact.
  private var values: [FactValue]
  /// The instant of the last change of each fact.
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

  /// Returns whether a fact has a value, even if the app cannot read it.
  func isKnown(_ fact: FactID) -> Bool {
    fact.index < values.count && !values[fact.index].isMissing
  }

  mutating func set(_ fact: FactID, _ value: FactValue, at now: Instant) {
    values.grow(toHold: fact.index, filling: .missing)
    since.grow(toHold: fact.index, filling: .distantPast)
    values[fact.index] = value
    since[fact.index] = now
  }

  /// The facts with a value that the app can read or assumes, in the order of the facts.
  var seen: [(fact: FactID, value: FactValue)] {
    values.indices.map { (FactID($0), seen(FactID($0))) }.filter { !$0.1.isMissing }
  }

  private func seen(_ fact: FactID) -> FactValue {
    isReadable(fact) ? values[fact.index] : access[fact.index].whenUnreadable
  }

  /// Allows or forbids the app to read a source.
  /// - Returns: The facts whose value changed for the app, each with the new value and the instant since
  ///   which the fact has had it.
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
