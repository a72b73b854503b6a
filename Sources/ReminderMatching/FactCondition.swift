package import CivilTime
public import TriggerModel

/// One comparison of a quantity with a constant: the whole grammar of what an app may ask of its facts.
public struct FactCondition: Hashable, Sendable {
  public enum Quantity: Hashable, Sendable {
    /// The value of a fact.
    case value(String)
    /// One number divided by another; unknown when either is, or when the divisor is zero.
    case ratio(String, String)
    /// The time since a fact was last set, in thousandths of a second.
    case age(String)
    /// Local dates crossed since the instant that a fact holds, in thousandths of a day.
    case days(since: String)
    /// Time that has passed since the instant that a fact holds, in thousandths of a second.
    case time(since: String)
  }

  public enum Comparison: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case less, lessOrEqual, equal, notEqual, greaterOrEqual, greater
  }

  public var quantity: Quantity
  public var comparison: Comparison
  /// The constants; more than one only with `equal` (one of them) and `notEqual` (none of them).
  /// Numbers and ratios in thousandths.
  public var constants: [FactValue]
  /// What to report when it does not hold: `conditionFailed`, `staleData`, `lowConfidence` or
  /// `notEntitled`. A missing value is always `staleData` unless this says otherwise.
  public var reason: Reason

  public init(
    _ quantity: Quantity, _ comparison: Comparison, _ constants: [FactValue],
    reason: Reason = .conditionFailed
  ) {
    self.quantity = quantity
    self.comparison = comparison
    self.constants = constants
    self.reason = reason
  }
}

/// A fact condition with identifiers in place of names.
package struct CompiledFactCondition: Hashable, Sendable {
  package enum Quantity: Hashable, Sendable {
    case value(FactID)
    case ratio(FactID, FactID)
    case age(FactID)
    case days(since: FactID)
    case time(since: FactID)
  }

  package var quantity: Quantity
  var comparison: FactCondition.Comparison
  package var constants: [FactValue]
  var reason: Reason

  /// The facts that it is about.
  package var facts: [FactID] {
    switch quantity {
    case .value(let fact), .age(let fact), .days(let fact), .time(let fact): [fact]
    case .ratio(let a, let b): [a, b]
    }
  }

  /// Nil when the condition holds, otherwise the reason to report.
  package func failure(in facts: FactStore, at moment: Moment, zone: Zone) -> Reason? {
    guard let quantity = measured(in: facts, at: moment, zone: zone) else {
      return reason == .conditionFailed ? .staleData : reason
    }
    return holds(quantity) ? nil : reason
  }

  /// The quantity in the unit of the constants, or nil when it is not known.
  private func measured(in facts: FactStore, at moment: Moment, zone: Zone) -> Measured? {
    switch quantity {
    case .value(let fact):
      let value = facts.value(fact, at: moment, zone)
      return value.isMissing ? nil : .bits(value.bits)
    case .ratio(let a, let b):
      let (numerator, denominator) = (facts.value(a, at: moment, zone), facts.value(b, at: moment, zone))
      if numerator.isMissing || denominator.isMissing || denominator.bits == 0 { return nil }
      return .quotient(numerator.bits, denominator.bits)
    case .age(let fact):
      guard let setAt = facts.setAt(fact), !facts.value(fact, at: moment, zone).isMissing else { return nil }
      return .bits(moment.elapsed(since: setAt).milliseconds)
    case .days(let fact):
      let value = facts.value(fact, at: moment, zone)
      if value.isMissing { return nil }
      let then = zone.local(at: Instant(millisecondsSince1970: value.bits)).date
      let now = zone.local(at: moment.wall).date
      return .bits(Int64(now.dayNumber - then.dayNumber) * 1_000)
    case .time(let fact):
      let value = facts.value(fact, at: moment, zone)
      if value.isMissing { return nil }
      return .bits((moment.wall - Instant(millisecondsSince1970: value.bits)).milliseconds)
    }
  }

  private enum Measured {
    case bits(Int64)
    case quotient(Int64, Int64)

    /// The sign of the difference to a constant in thousandths, exact.
    func order(_ constant: Int64) -> Int {
      switch self {
      case .bits(let bits): return bits < constant ? -1 : bits > constant ? 1 : 0
      case .quotient(let numerator, let denominator):
        // numerator / denominator against constant / 1000, without dividing.
        let left = numerator.multipliedFullWidth(by: 1_000)
        let right = constant.multipliedFullWidth(by: denominator)
        let sign = denominator < 0 ? -1 : 1
        if left == right { return 0 }
        return (left.high, left.low) < (right.high, right.low) ? -sign : sign
      }
    }
  }

  private func holds(_ quantity: Measured) -> Bool {
    switch comparison {
    case .less: quantity.order(constants[0].bits) < 0
    case .lessOrEqual: quantity.order(constants[0].bits) <= 0
    case .greater: quantity.order(constants[0].bits) > 0
    case .greaterOrEqual: quantity.order(constants[0].bits) >= 0
    case .equal: constants.contains { quantity.order($0.bits) == 0 }
    case .notEqual: !constants.contains { quantity.order($0.bits) == 0 }
    }
  }
}

/// What the app knows: the value of each fact, and when it was set.
package struct FactStore: Hashable, Sendable {
  private var values: [FactValue]
  private var setTimes: [Moment?]
  /// The local days on which the facts of a day were said.
  private var days: [Int32]
  /// See ``EngineNames/dayEnds``.
  private let dayEnds: [FactValue?]

  package init(dayEnds: [FactValue?]) {
    values = Array(repeating: .missing, count: dayEnds.count)
    setTimes = Array(repeating: nil, count: dayEnds.count)
    days = Array(repeating: Int32.max, count: dayEnds.count)
    self.dayEnds = dayEnds
  }

  /// What a fact is worth at a moment: the value that was said, or that of a day that is over.
  package func value(_ fact: FactID, at moment: Moment, _ zone: Zone) -> FactValue {
    guard let end = dayEnds[fact.index] else { return values[fact.index] }
    return zone.local(at: moment.wall).date.dayNumber > days[fact.index] ? end : values[fact.index]
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

extension NameResolver {
  func resolve(_ fact: FactCondition, in declaration: ReminderDeclaration)
    throws(ReminderCompileError) -> CompiledFactCondition
  {
    if fact.constants.isEmpty
      || fact.constants.count > 1 && fact.comparison != .equal && fact.comparison != .notEqual
    {
      throw ReminderCompileError(
        code: .invalidFactCondition, reminder: declaration.id,
        subject: "a comparison takes one constant; several go with 'in' and 'not in' only")
    }
    let quantity: CompiledFactCondition.Quantity
    switch fact.quantity {
    case .value(let name): quantity = .value(try known(names.fact(name), name, declaration))
    case .age(let name): quantity = .age(try known(names.fact(name), name, declaration))
    case .days(let name): quantity = .days(since: try known(names.fact(name), name, declaration))
    case .time(let name): quantity = .time(since: try known(names.fact(name), name, declaration))
    case .ratio(let a, let b):
      quantity = .ratio(try known(names.fact(a), a, declaration), try known(names.fact(b), b, declaration))
    }
    return CompiledFactCondition(
      quantity: quantity, comparison: fact.comparison, constants: fact.constants, reason: fact.reason)
  }
}
