/// One exact count of one row, before and after. The second channel of a comparison: no noise reaches it.
package struct CountChange: Hashable, Sendable {
  package var row: String
  package var name: String
  /// nil where the older side does not count this.
  package var before: Int?
  /// nil where the newer side no longer counts this.
  package var after: Int?

  package init(row: String, name: String, before: Int?, after: Int?) {
    self.row = row
    self.name = name
    self.before = before
    self.after = after
  }

  /// More work than this, in per cent of the count before, is a regression; of nothing, anything is.
  package static let limit = 2

  package var verdict: Verdict {
    guard let before, let after else { return .inconclusive }
    if after * 100 > before * (100 + Self.limit) { return .regression }
    if after * 100 < before * (100 - Self.limit) { return .improvement }
    return .noChange
  }

  /// Per cent more than before; nil of nothing.
  package var percent: Double? {
    guard let before, let after, before > 0 else { return nil }
    return (Double(after) / Double(before) - 1) * 100
  }

  /// Such as `daily 1000: looks 100 -> 110 (+10 %)`.
  package var description: String {
    let change = percent.map { " (\(signed($0)) %)" } ?? ""
    return "\(row): \(name) \(before.map(String.init) ?? "not counted") -> "
      + "\(after.map(String.init) ?? "not counted")\(change)"
  }

  /// What differs between two sets of counts, sorted by name.
  package static func changes(
    _ row: String, from before: [String: Int], to after: [String: Int]
  ) -> [CountChange] {
    let names = Set(before.keys).union(after.keys).sorted()
    return names.filter { before[$0] != after[$0] }
      .map { CountChange(row: row, name: $0, before: before[$0], after: after[$0]) }
  }
}

/// About three figures, with its sign.
func signed(_ number: Double) -> String { (number < 0 ? "" : "+") + brief(number) }
