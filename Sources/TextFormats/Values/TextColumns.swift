/// Rows of cells as lines for a terminal, in columns as wide as they need to be, two spaces apart.
package enum TextColumns {
  /// - Parameters:
  ///   - rows: Of as many cells each.
  ///   - isNumber: By column: its cells end at one place, and do not begin at one.
  package static func lines(_ rows: [[String]], isNumber: (Int) -> Bool = { _ in false }) -> [String] {
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = columns.map { column in
        let gap = String(repeating: " ", count: widths[column] - row[column].count)
        return isNumber(column) ? gap + row[column] : row[column] + gap
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
