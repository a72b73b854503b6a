/// Text from files, made safe to show.
package enum Printable {
  /// The text with U+FFFD in the place of control characters, which would move a terminal's cursor, change
  /// its colours or break a line of Markdown.
  package static func text(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control && !kept.contains(scalar)
      shown.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(shown)
  }
}
