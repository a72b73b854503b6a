/// Holm's correction: when many rows are looked at, one of them seems to have changed by chance alone.
package enum Holm {
  /// The rows whose change is more than chance, such that the probability of one wrong row or more stays
  /// below `level`, however the rows depend on each other.
  package static func significant(_ pValues: [Double], level: Double = 0.05) -> [Bool] {
    var significant = pValues.map { _ in false }
    let ascending = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    for (rank, row) in ascending.enumerated() {
      guard pValues[row] <= level / Double(pValues.count - rank) else { break }
      significant[row] = true
    }
    return significant
  }
}
