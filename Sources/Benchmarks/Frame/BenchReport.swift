import TriggerModel

/// What one suite measured.
package struct BenchReport: Sendable {
  package var suite: String
  /// What the size counts, such as `reminders`; the key of the size in JSON.
  package var sizeName: String
  package var rows: [BenchRow]
  /// What a reader must know to believe the table.
  package var notes: [String]

  package init(suite: String, sizeName: String, rows: [BenchRow], notes: [String] = []) {
    self.suite = suite
    self.sizeName = sizeName
    self.rows = rows
    self.notes = notes
    setGrowthExponents()
  }

  private mutating func setGrowthExponents() {
    for index in rows.indices {
      let row = rows[index]
      let smaller = rows.filter { $0.mode == row.mode && $0.size < row.size }.max { $0.size < $1.size }
      guard let smaller, smaller.nsPerEvent > 0, smaller.size > 0, row.nsPerEvent > 0 else { continue }
      let time = DeterministicMath.log(row.nsPerEvent / smaller.nsPerEvent)
      rows[index].growthExponent = time / DeterministicMath.log(Double(row.size) / Double(smaller.size))
    }
    let grows = rows.contains { $0.growthExponent != nil }
    if grows { notes.append("growth: the power of the size by which ns/event grow, from the size before") }
  }
}

/// Numbers as tables show them: about three figures, no exponent.
package func brief(_ number: Double) -> String {
  if number.magnitude >= 100 { return String(Int(number.rounded())) }
  let digits: Double = number.magnitude >= 10 ? 10 : 100
  let rounded = (number * digits).rounded() / digits
  return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
}
