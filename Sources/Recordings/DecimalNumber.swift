/// A decimal number exactly as a file states it, before rounding: significand × 10^exponent.
package struct DecimalNumber: Hashable, Sendable, BitwiseCopyable {
  package enum Grammar {
    /// RFC 8259: no plus sign, no leading zeros, and digits on both sides of the decimal point.
    case json
    /// The notation of instruments: also a plus sign, leading zeros, and a decimal point with digits on only
    /// one side.
    case lenient
  }

  package var isNegative = false
  /// The first 19 significant digits.
  package var significand: UInt64 = 0
  package var exponent = 0
  /// Whether all digits after the nineteenth are zero.
  package var isComplete = true
  /// The nearest double. Set only if digits after the nineteenth may affect it.
  private var rounded = 0.0
  /// Whether the number has neither a decimal point nor an exponent.
  package var isInteger = true

  /// Reads the number at `position` and advances `position` beyond it. Returns `nil`, without advancing, if
  /// there is no number.
  ///
  /// - Complexity: O(digits), without allocation.
  @inline(__always)
  package static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: inout Int, _ grammar: Grammar
  ) -> DecimalNumber? {
    var number = DecimalNumber()
    var i = position
    if i < bytes.count, bytes[i] == UInt8(ascii: "-") {
      number.isNegative = true
      i += 1
    } else if grammar == .lenient, i < bytes.count, bytes[i] == UInt8(ascii: "+") {
      i += 1
    }
    let whole = i
    number.takeDigits(bytes, &i, areFraction: false)
    var digits = i - whole
    if grammar == .json, digits == 0 || (digits > 1 && bytes[whole] == UInt8(ascii: "0")) { return nil }
    if i < bytes.count, bytes[i] == UInt8(ascii: ".") {
      number.isInteger = false
      i += 1
      let fraction = i
      number.takeDigits(bytes, &i, areFraction: true)
      if grammar == .json, i == fraction { return nil }
      digits += i - fraction
    }
    guard digits > 0, number.takeExponent(bytes, &i) else { return nil }
    if !number.isComplete { number.rounded = Self.round(UnsafeBufferPointer(rebasing: bytes[position..<i])) }
    position = i
    return number
  }

  /// Creates a number from `bytes`, or returns `nil` if they are not exactly one number.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>, _ grammar: Grammar) {
    var position = 0
    guard let number = Self.scan(bytes, at: &position, grammar), position == bytes.count else { return nil }
    self = number
  }

  private init() {}

  @inline(__always)
  private mutating func takeDigits(_ bytes: UnsafeBufferPointer<UInt8>, _ i: inout Int, areFraction: Bool) {
    var index = i
    var value = significand
    // A value below 10^18 has at most 18 digits, so another digit still fits into 64 bits.
    while index < bytes.count, value < 1_000_000_000_000_000_000 {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      value = value &* 10 &+ UInt64(digit)
      index += 1
    }
    significand = value
    if areFraction { exponent -= index - i }
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      if digit != 0 { isComplete = false }
      if !areFraction { exponent += 1 }
      index += 1
    }
    i = index
  }

  // The rare cases are functions that take only scalars, so that the number stays in registers.

  @inline(never)
  private static func round(_ text: UnsafeBufferPointer<UInt8>) -> Double {
    Double(String(decoding: text, as: UTF8.self)) ?? .nan
  }

  @inline(never)
  private static func round(_ significand: UInt64, _ exponent: Int) -> Double {
    Double("\(significand)e\(exponent)") ?? .nan
  }

  /// Reads an exponent if there is one. Returns `false` if no digits follow the `e`.
  @inline(__always)
  private mutating func takeExponent(_ bytes: UnsafeBufferPointer<UInt8>, _ i: inout Int) -> Bool {
    guard i < bytes.count, bytes[i] | 0x20 == UInt8(ascii: "e") else { return true }
    isInteger = false
    i += 1
    var isBelow = false
    if i < bytes.count, bytes[i] == UInt8(ascii: "-") || bytes[i] == UInt8(ascii: "+") {
      isBelow = bytes[i] == UInt8(ascii: "-")
      i += 1
    }
    let start = i
    var power = 0
    while i < bytes.count {
      let digit = bytes[i] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      power = min(power * 10 + Int(digit), 100_000)  // more is infinite, or zero, anyway
      i += 1
    }
    exponent += isBelow ? -power : power
    return i > start
  }
}

extension DecimalNumber {
  /// The nearest double, or infinity if the number is too large.
  ///
  /// In most cases, both the significand and the power of ten are exact doubles, and a single rounding gives
  /// the correct result (Clinger, 1990). The standard library handles all other cases.
  @inline(__always)
  package var double: Double {
    if isComplete, significand <= 1 << 53, abs(exponent) <= 22 {
      let exact = Double(significand)
      let value = exponent < 0 ? exact / Self.powers[-exponent] : exact * Self.powers[exponent]
      return isNegative ? -value : value
    }
    guard isComplete else { return rounded }
    let magnitude = Self.round(significand, exponent)
    return isNegative ? -magnitude : magnitude
  }

  /// Returns the number × 10^`places`, rounded down, or `nil` if the result does not fit into 64 bits.
  package func scaled(by places: Int) -> Int64? {
    let shift = exponent + places
    guard significand != 0 else { return 0 }
    guard shift <= 18 else { return nil }
    if shift >= 0 {
      var power: UInt64 = 1
      for _ in 0..<shift { power *= 10 }
      let (product, overflow) = significand.multipliedReportingOverflow(by: power)
      guard !overflow, product <= UInt64(Int64.max) else { return nil }
      return isNegative ? -Int64(product) : Int64(product)
    }
    var quotient = significand
    var isCut = !isComplete
    for _ in 0..<min(-shift, 20) {
      if quotient % 10 != 0 { isCut = true }
      quotient /= 10
    }
    guard quotient < UInt64(Int64.max) else { return nil }
    return isNegative ? -Int64(quotient) - (isCut ? 1 : 0) : Int64(quotient)
  }

  /// The powers of ten that a double represents exactly.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]
}
