/// The verdict of a comparison.
package enum Verdict: String, Sendable, CaseIterable {
  case regression, improvement
  case noChange = "no change"
  case inconclusive
}

/// A verdict, and the reason if it is inconclusive.
package struct Judgement: Hashable, Sendable {
  package var verdict: Verdict
  package var reason: String

  package init(_ verdict: Verdict, _ reason: String = "") {
    self.verdict = verdict
    self.reason = reason
  }

  /// Returns whether each row has an apparent change.
  ///
  /// An apparent change is significant after the correction for the number of rows. It is also greater than
  /// the precision, and greater than the apparent change from A to A.
  package static func candidates(_ looks: [Look], precision: Double) -> [Bool] {
    let significant = Holm.significant(looks.map(\.change.pValue))
    return zip(looks, significant).map { look, isSignificant in
      look.blocks >= Look.minimumBlocks && isSignificant
        && abs(look.change.estimate) > max(precision, look.noiseFloor)
    }
  }

  /// Returns the judgement of each row.
  ///
  /// - Parameters:
  ///   - first: The first measurement of each row.
  ///   - second: The second measurement, from new runs, of each row with an apparent change.
  ///   - precision: The smallest relevant change, as the natural logarithm of a ratio.
  package static func of(_ first: [Look], second: [Int: Look], precision: Double) -> [Judgement] {
    let candidates = candidates(first, precision: precision)
    let rows = first.indices.filter { candidates[$0] && second[$0] != nil }
    let confirmed = Self.candidates(rows.compactMap { second[$0] }, precision: precision)
    return first.indices.map { row in
      guard candidates[row] else { return unchanged(first[row], precision) }
      guard let place = rows.firstIndex(of: row), let again = second[row] else {
        return Judgement(.inconclusive, "no time left for a second measurement")
      }
      let isSlower = first[row].change.estimate > 0
      guard confirmed[place], (again.change.estimate > 0) == isSlower else {
        return Judgement(.inconclusive, "not confirmed by a second measurement")
      }
      return Judgement(isSlower ? .regression : .improvement)
    }
  }

  private static func unchanged(_ look: Look, _ precision: Double) -> Judgement {
    let change = look.change
    if look.blocks < Look.minimumBlocks {
      return Judgement(.inconclusive, "only \(look.blocks) blocks of runs within the budget")
    }
    if change.halfWidth > precision {
      return Judgement(.inconclusive, "too noisy: ± \(brief(RatioInterval.percent(change.halfWidth))) %")
    }
    if abs(change.estimate) <= precision { return Judgement(.noChange) }
    if abs(change.estimate) <= look.noiseFloor {
      let floor = brief(RatioInterval.percent(look.noiseFloor))
      return Judgement(.inconclusive, "below the noise floor of \(floor) %")
    }
    return Judgement(.inconclusive, "could be chance, given the number of rows")
  }
}
