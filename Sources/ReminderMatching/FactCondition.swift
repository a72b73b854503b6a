package import CivilTime
public import TriggerModel

/// A comparison of a quantity with a constant. Conditions on facts have no other form.
public struct FactCondition: Hashable, Sendable {
  /// The compared quantity, with the names of its facts.
  public enum Quantity: Hashable, Sendable {
    /// The value of a fact.
    case value(String)
    /// One number divided by another. It is unknown if either number is unknown or the divisor is zero.
    case ratio(String, String)
    /// The time since a fact was last set, in thousandths of a second.
    case age(String)
    /// The number of local dates since the instant that is the value of a fact, in thousandths of a day.
    case days(since: String)
    /// The time since the instant that is the value of a fact, in thousandths of a second.
    case time(since: String)
  }

  /// The relation between the quantity and the constant.
  public enum Comparison: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// Names and Booleans allow only `equal` and `notEqual`, because they have no order.
    case less, lessOrEqual, equal, notEqual, greaterOrEqual, greater
  }

  /// The left-hand side.
  public var quantity: Quantity
  /// The relation between the two sides.
  public var comparison: Comparison
  /// The constants. Only `equal` and `notEqual` can have several: the left side must then equal one of them,
  /// or differ from all of them. Numbers and ratios are in thousandths.
  public var constants: [FactValue]
  /// The reason to report if the condition fails: `conditionFailed`, `staleData`, `lowConfidence` or
  /// `notEntitled`.
  ///
  /// If the reason is `conditionFailed`, a missing value is reported as `staleData` instead.
  public var reason: Reason

  /// Creates a condition that compares a quantity with constants. The compiler checks the number of constants.
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

/// A fact condition with identifiers instead of names.
package struct CompiledFactCondition: Hashable, Sendable {
  package enum Quantity: Hashable, Sendable, BitwiseCopyable {
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

  /// The facts that the condition depends on.
  package var facts: [FactID] { quantity.facts }

  /// Whether the condition tests for equality or inequality, and not for order.
  package var isEquality: Bool { comparison == .equal || comparison == .notEqual }

  /// The reason to report if the quantity is unknown.
  var reasonIfUnknown: Reason { reason == .conditionFailed ? .staleData : reason }

  /// Returns whether the condition requires an entitlement that is missing.
  package func isUnpaid(in facts: FactStore, at moment: Moment, zone: Zone) -> Bool {
    reason == .notEntitled && failure(in: facts, at: moment, zone: zone) != nil
  }

  /// Returns the reason to report if the condition fails, or `nil` if it holds.
  package func failure(in facts: FactStore, at moment: Moment, zone: Zone) -> Reason? {
    guard let measured = quantity.measured(in: facts, at: moment, zone: zone) else { return reasonIfUnknown }
    return holds(measured) ? nil : reason
  }

  package func holds(_ measured: Measured) -> Bool {
    switch comparison {
    case .equal: constants.contains { measured.order($0.bits) == 0 }
    case .notEqual: !constants.contains { measured.order($0.bits) == 0 }
    case .less, .lessOrEqual, .greaterOrEqual, .greater: comparison.holds(measured.order(constants[0].bits))
    }
  }
}

extension FactCondition.Comparison {
  /// Returns whether the comparison holds for the given sign of the quantity minus the constant.
  @inline(__always)
  package func holds(_ order: Int) -> Bool {
    switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .equal: order == 0
    case .notEqual: order != 0
    case .greaterOrEqual: order >= 0
    case .greater: order > 0
    }
  }
}

/// A measured quantity, in the unit of the constants.
package enum Measured: Sendable, BitwiseCopyable {
  case bits(Int64)
  case quotient(Int64, Int64)

  /// Returns the exact sign of the difference between this quantity and a constant in thousandths.
  func order(_ constant: Int64) -> Int {
    switch self {
    case .bits(let bits): return bits < constant ? -1 : bits > constant ? 1 : 0
    case .quotient(let numerator, let denominator):
      // Compare numerator / denominator with constant / 1000 without a division.
      let left = numerator.multipliedFullWidth(by: 1_000)
      let right = constant.multipliedFullWidth(by: denominator)
      let sign = denominator < 0 ? -1 : 1
      if left == right { return 0 }
      return (left.high, left.low) < (right.high, right.low) ? -sign : sign
    }
  }
}

extension CompiledFactCondition.Quantity {
  /// The facts that the quantity depends on.
  package var facts: [FactID] {
    switch self {
    case .value(let fact), .age(let fact), .days(let fact), .time(let fact): [fact]
    case .ratio(let a, let b): [a, b]
    }
  }

  /// Whether the quantity grows with time, by one thousandth of a second per millisecond.
  var grows: Bool {
    switch self {
    case .age, .time: true
    case .value, .ratio, .days: false
    }
  }

  /// Whether the quantity depends on the local date.
  var followsDate: Bool { if case .days = self { true } else { false } }

  /// Returns the measured quantity, or `nil` if it is unknown.
  func measured(in facts: FactStore, at moment: Moment, zone: Zone) -> Measured? {
    switch self {
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
      guard let then = facts.date(fact, at: moment, zone) else { return nil }
      let now = zone.local(at: moment.wall).date
      return .bits(Int64(now.dayNumber - then.dayNumber) * 1_000)
    case .time(let fact):
      let value = facts.value(fact, at: moment, zone)
      if value.isMissing { return nil }
      return .bits((moment.wall - Instant(millisecondsSince1970: value.bits)).milliseconds)
    }
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
        subject: "a comparison takes one constant; only 'in' and 'not in' take several")
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
