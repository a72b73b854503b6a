/// A table of a page. What is wider than the page scrolls within itself, also from the keyboard.
package struct HTMLTable {
  package struct Column {
    package var title: HTMLText
    package var isNumber: Bool
    /// Its cells are never broken into lines.
    package var isTime = false

    package static func time(_ title: HTMLText) -> Column {
      var column = Column(title: title, isNumber: false)
      column.isTime = true
      return column
    }
    package static func text(_ title: HTMLText) -> Column { Column(title: title, isNumber: false) }
    package static func number(_ title: HTMLText) -> Column { Column(title: title, isNumber: true) }

    package init(title: HTMLText, isNumber: Bool) {
      self.title = title
      self.isNumber = isNumber
    }
  }

  private let name: String
  private let columns: [Column]
  private let isStacked: Bool
  private var lines: [String] = []
  private var left: Int
  private var isFull = false
  /// How many rows found no room.
  package private(set) var leftOut = 0

  /// - Parameters:
  ///   - name: For those who cannot see it.
  ///   - isStacked: On a narrow screen the cells of a row stand below each other; for tables whose cells need no
  ///     heading to be understood.
  ///   - bytes: So long its rows may become together; what comes after is counted.
  package init(_ name: String, _ columns: [Column], isStacked: Bool = false, bytes: Int = 40_000) {
    self.isStacked = isStacked
    self.name = name
    self.columns = columns
    left = bytes
  }

  /// Adds a row, if there is room.
  /// - Parameters:
  ///   - cells: One for each column; they are made only where there is room.
  ///   - anchor: By which a link leads to the row.
  package mutating func add(_ cells: @autoclosure () -> [HTMLText], anchor: String? = nil) {
    if isFull { return leftOut += 1 }
    let cells = cells()
    let line =
      "<tr\(anchor.map { " id=\"\($0)\"" } ?? "")>"
      + zip(columns, cells).map { column, cell in
        "<td\(Self.style(cell, column))>\(cell.markup)</td>"
      }.joined() + "</tr>"
    left -= line.utf8.count
    if left < 0 {
      isFull = true
      leftOut = 1
    } else {
      lines.append(line)
    }
  }

  /// Numbers stay in one line, words do not: what is said in place of a number, and what would make a tall column.
  private static func style(_ cell: HTMLText, _ column: Column) -> String {
    if column.isTime { return " class=\"time\"" }
    if cell.length > 30 { return column.isNumber ? " class=\"number words\"" : " class=\"words\"" }
    if column.isNumber { return cell.length > 12 ? " class=\"number ratio\"" : " class=\"number\"" }
    return ""
  }

  package var markup: [String] {
    let head = columns.map { column in
      "<th scope=\"col\"\(column.isNumber ? " class=\"number\"" : "")>\(column.title.markup)</th>"
    }
    return [
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(HTMLText("Table: \(name)").markup)\">",
      "<table\(isStacked ? " class=\"stacked\"" : "")><thead><tr>\(head.joined())</tr></thead><tbody>",
    ] + lines + ["</tbody></table></div>"]
  }
}
