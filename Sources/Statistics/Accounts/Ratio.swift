/// One count out of another. Always printed with both.
package struct Ratio: Hashable, Sendable, CustomStringConvertible {
  package var numerator: Int
  package var denominator: Int

  package init(_ numerator: Int, of denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// In the given fraction of one, rounded half up; nil when there is nothing to divide by.
  package func rounded(to parts: Int) -> Int? {
    denominator > 0 ? (2 * numerator * parts + denominator) / (2 * denominator) : nil
  }

  /// "25.0 % (5 of 20)", or "none (0 of 0)".
  package var description: String {
    let percent = rounded(to: 1_000).map { "\($0 / 10).\($0 % 10) %" } ?? "none"
    return "\(percent) (\(numerator) of \(denominator))"
  }
}
