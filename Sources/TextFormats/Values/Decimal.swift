/// Parses and writes decimal numbers without rounding.
package enum Decimal {
  /// Parses a number in thousandths, or returns `nil`. The number may have a minus sign and at most three
  /// decimals.
  package static func thousandths(_ text: some StringProtocol) -> Int64? {
    scaled(text, decimals: 3)
  }

  /// Parses a number in units of 10^-`decimals`, or returns `nil` if it is invalid or has more decimals.
  package static func scaled(_ text: some StringProtocol, decimals: Int) -> Int64? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2, !whole.isEmpty, whole.count <= 12,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let fraction = parts.count == 2 ? String(parts[1]) : "0"
    guard !fraction.isEmpty, fraction.count <= decimals else { return nil }
    let padded = fraction + String(repeating: "0", count: decimals - fraction.count)
    guard let value = Int64(String(whole) + padded) else { return nil }
    return isNegative ? -value : value
  }

  /// Returns a number in units of 10^-`decimals` as text without trailing zeros.
  package static func text(_ value: Int64, decimals: Int) -> String {
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    var fraction = padded.suffix(decimals)
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return (value < 0 ? "-" : "") + padded.dropLast(decimals) + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Parses a number or a percentage in millionths, or returns `nil`. For example, `25 %` gives 250,000.
  package static func millionths(_ text: String) -> Int64? {
    guard text.hasSuffix("%") else { return scaled(text, decimals: 6) }
    return scaled(text.dropLast().filter { $0 != " " }, decimals: 4)
  }
}

extension JSONValue {
  /// Returns a number in thousandths as a JSON number: 1,500 becomes 1.5. The result is exact for up to
  /// twelve digits before the decimal point, which is the limit in a file.
  package static func decimal(thousandths value: Int64) -> JSONValue {
    value % 1_000 == 0 ? .integer(Int(value / 1_000)) : .number(Double(value) / 1_000)
  }
}

extension UInt64 {
  /// The number as 16 lower-case hexadecimal digits.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
