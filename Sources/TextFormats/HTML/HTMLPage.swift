/// A self-contained page without scripts or external resources. It supports light and dark mode, and screens
/// that are at least 360 pixels wide.
package struct HTMLPage {
  package var title: HTMLText
  /// The kind of the page, which identifies pages of this tool.
  package var kind: String
  /// Additional CSS rules.
  package var style: String
  package var body: [String] = []

  package init(_ title: HTMLText, kind: String, style: String = "") {
    self.title = title
    self.kind = kind
    self.style = style
  }

  /// Returns the tag that marks every page of a kind. The tag is near the start of the page.
  package static func mark(_ kind: String) -> String { "<meta name=\"generator\" content=\"\(kind)\">" }

  package var text: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">\(Self.mark(kind))<title>\(title.markup)</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
    <link rel="icon" href="data:,">
    <style>
    \(Self.style)\(style)</style></head><body><main>
    \(body.joined(separator: "\n"))
    </main></body></html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; --paper: light-dark(#ffffff, #0d1117); --ink: light-dark(#1f2328, #e6edf3);
      --first: light-dark(#0b5cad, #6cb6ff); --second: light-dark(#a34700, #ffa657); --quiet: light-dark(#59636e, #9198a1);
      --good: light-dark(#116329, #57d364); --bad: light-dark(#a40e26, #ff7b72) }
    body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: var(--paper); color: var(--ink) }
    main { max-width: 74rem; margin: auto; padding: 1rem; overflow-wrap: anywhere }
    main > p, main > ul { max-width: 48rem } a { color: var(--first) } code { overflow-wrap: anywhere }
    .note { color: var(--quiet); font-size: .9rem } footer { margin-top: 3rem; font-size: .85rem }
    .scroll { overflow-x: auto; margin: 1rem 0 }
    table { border-collapse: collapse; overflow-wrap: normal }
    th, td { border-bottom: 1px solid #8888; padding: .25rem .6rem; text-align: left; vertical-align: top; min-width: 4rem }
    th.number, td.number { text-align: right; font-variant-numeric: tabular-nums } td.number, td.time { white-space: nowrap }
    th:not(.number) { min-width: 6rem } td.words { min-width: 7rem; white-space: normal; overflow-wrap: anywhere } td.ratio { white-space: normal } td:not(.words) code { overflow-wrap: break-word }
    @media (max-width: 40rem) { th:not(.number) { min-width: 4rem } th, td { padding: .25rem .4rem; font-size: .9rem }
      table.stacked, .stacked tbody, .stacked tr, .stacked td { display: block } .stacked thead { display: none }
      .stacked tr { border-bottom: 1px solid #8888; padding: .4rem 0 } .stacked td { border: 0; padding: .1rem 0; white-space: normal } }

    """
}

/// A table on a page. A table that is wider than the page has its own scroll bar and can be scrolled with the
/// keyboard.
package struct HTMLTable {
  package struct Column {
    package var title: HTMLText
    package var isNumber: Bool
    /// Whether the column contains times. Times are never wrapped.
    package var isTime = false

    package static func time(_ title: HTMLText) -> Column {
      Column(title: title, isNumber: false, isTime: true)
    }
    package static func text(_ title: HTMLText) -> Column { Column(title: title, isNumber: false) }
    package static func number(_ title: HTMLText) -> Column { Column(title: title, isNumber: true) }
  }

  private let name: String
  private let columns: [Column]
  private let isStacked: Bool
  private var lines: [String] = []
  private var left: Int
  private var isFull = false
  /// The number of rows that were omitted because of the limit.
  package private(set) var leftOut = 0

  /// - Parameters:
  ///   - name: A label for screen readers.
  ///   - isStacked: Whether a narrow screen stacks the cells of a row. Use this if the cells are
  ///     understandable without the column headings.
  ///   - bytes: The maximum total length of all rows in bytes. Additional rows are only counted.
  package init(_ name: String, _ columns: [Column], isStacked: Bool = false, bytes: Int = 40_000) {
    self.isStacked = isStacked
    self.name = name
    self.columns = columns
    left = bytes
  }

  /// Adds a row if the limit allows it.
  /// - Parameters:
  ///   - cells: One cell for each column. Evaluated only if the row is added.
  ///   - anchor: The identifier of the row for links.
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

  /// Returns the style of a cell. Numbers are never wrapped. Long cells may be wrapped, even in a column of
  /// numbers.
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

/// HTML with its special characters escaped.
package struct HTMLText: Hashable, Sendable, ExpressibleByStringInterpolation {
  package private(set) var markup = ""
  /// The number of visible characters.
  package private(set) var length = 0

  private init(markup: String, length: Int) {
    self.markup = markup
    self.length = length
  }

  /// Escapes a string. Truncates it if it is too long.
  package init(_ text: String) {
    let text = text.count > Self.longest ? text.prefix(Self.longest - 1) + "…" : text
    self.init(markup: Markup.escape(text), length: text.count)
  }

  /// Escapes a literal.
  package init(stringLiteral text: String) { self.init(markup: Markup.escape(text), length: text.count) }

  package init(stringInterpolation: Interpolation) { self = stringInterpolation.text }

  package static func + (left: Self, right: Self) -> Self {
    Self(markup: left.markup + right.markup, length: left.length + right.length)
  }

  package static let lineBreak = Self(markup: "<br>", length: 0)

  package static func link(_ text: HTMLText, to target: String) -> Self {
    Self(markup: "<a href=\"\(Markup.escape(target))\">\(text.markup)</a>", length: text.length)
  }

  package static func code(_ text: HTMLText) -> Self {
    Self(markup: "<code>\(text.markup)</code>", length: text.length)
  }

  /// Wraps the text in a `span` element with a class.
  package static func span(_ text: HTMLText, _ style: String) -> Self {
    Self(markup: "<span class=\"\(style)\">\(text.markup)</span>", length: text.length)
  }

  /// The maximum length of a string in characters. It prevents long names in a file from making a page large
  /// or unreadable.
  private static let longest = 400

  /// Escapes interpolated values, except those that are HTML already.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text: HTMLText = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package mutating func appendLiteral(_ literal: String) { text = text + HTMLText(stringLiteral: literal) }
    package mutating func appendInterpolation(_ words: String) { text = text + HTMLText(words) }
    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      text = text + HTMLText(String(number))
    }
    package mutating func appendInterpolation(_ other: HTMLText) { text = text + other }
  }
}
