/// Text as HTML, with its special characters escaped.
package struct HTMLText: Hashable, Sendable, ExpressibleByStringInterpolation {
  package private(set) var markup = ""
  /// How many characters of it are seen.
  package private(set) var length = 0

  private init(markup: String, length: Int) {
    self.markup = markup
    self.length = length
  }

  /// - Parameter text: Is escaped, and cut where it is very long.
  package init(_ text: String) {
    let text = text.count > Self.longest ? text.prefix(Self.longest - 1) + "…" : text
    self.init(markup: Markup.escape(text), length: text.count)
  }

  /// Words of the tool's own.
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

  /// In an element with a class.
  package static func span(_ text: HTMLText, _ style: String) -> Self {
    Self(markup: "<span class=\"\(style)\">\(text.markup)</span>", length: text.length)
  }

  /// A page stays readable, and small, whatever the names in a file are. In characters.
  private static let longest = 400

  /// What stands in `\(…)` is escaped, unless it is HTML.
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
