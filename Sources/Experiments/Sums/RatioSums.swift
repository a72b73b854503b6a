/// Sums over people of two counts, their squares and their product: all that a ratio and its interval need.
///
/// Whole numbers, so parts of a population add up in any order to the same. With a million people of a thousand
/// requests each, the greatest is of the order of 10¹².
package struct RatioSums: WholeNumbers, Hashable, Sendable, BitwiseCopyable {
  package private(set) var numerator: Int64 = 0
  package private(set) var denominator: Int64 = 0
  package private(set) var numeratorSquared: Int64 = 0
  package private(set) var product: Int64 = 0
  package private(set) var denominatorSquared: Int64 = 0
  /// People with a denominator, and of these people with a numerator.
  package private(set) var counted: Int64 = 0
  package private(set) var counting: Int64 = 0

  package init() {}

  package mutating func add(_ counts: (numerator: Int64, denominator: Int64)) {
    let (n, d) = counts
    numerator &+= n
    denominator &+= d
    numeratorSquared &+= n &* n
    product &+= n &* d
    denominatorSquared &+= d &* d
    if d != 0 { counted &+= 1 }
    if n != 0 { counting &+= 1 }
  }

  package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
    body(&numerator)
    body(&denominator)
    body(&numeratorSquared)
    body(&product)
    body(&denominatorSquared)
    body(&counted)
    body(&counting)
  }

  /// Nil where there is nothing to divide by.
  package var ratio: Double? { denominator > 0 ? Double(numerator) / Double(denominator) : nil }

  /// The sum over people of (n · D − d · N)², where N and D are the totals: how far each person is from the
  /// ratio of all, exactly.
  var spread: Int128 {
    let (n, d) = (Int128(numerator), Int128(denominator))
    return d * d * Int128(numeratorSquared) - 2 * n * d * Int128(product)
      + n * n * Int128(denominatorSquared)
  }
}

/// Sums over people of the products of what they do under one policy and under another.
package struct PairSums: WholeNumbers, Hashable, Sendable, BitwiseCopyable {
  private var numerators: Int64 = 0
  private var numeratorByDenominator: Int64 = 0
  private var denominatorByNumerator: Int64 = 0
  private var denominators: Int64 = 0
  /// People of whom the two policies make different counts.
  package private(set) var differing: Int64 = 0

  package init() {}

  package mutating func add(
    _ a: (numerator: Int64, denominator: Int64), _ b: (numerator: Int64, denominator: Int64)
  ) {
    numerators &+= a.numerator &* b.numerator
    numeratorByDenominator &+= a.numerator &* b.denominator
    denominatorByNumerator &+= a.denominator &* b.numerator
    denominators &+= a.denominator &* b.denominator
    if a != b { differing &+= 1 }
  }

  package mutating func forEachNumber(_ body: (inout Int64) -> Void) {
    body(&numerators)
    body(&numeratorByDenominator)
    body(&denominatorByNumerator)
    body(&denominators)
    body(&differing)
  }

  /// The sum over people of (nₐ · Dₐ − dₐ · Nₐ) · (nᵦ · Dᵦ − dᵦ · Nᵦ).
  func joint(_ a: RatioSums, _ b: RatioSums) -> Int128 {
    let (na, da) = (Int128(a.numerator), Int128(a.denominator))
    let (nb, db) = (Int128(b.numerator), Int128(b.denominator))
    return da * db * Int128(numerators) - da * nb * Int128(numeratorByDenominator)
      - na * db * Int128(denominatorByNumerator) + na * nb * Int128(denominators)
  }
}
