import TextFormats

/// Leads from the words that a report prints to what they mean.
enum WordLinks {
  /// The page on which they are explained.
  static let page = "words.html"

  /// By their first letter, the longest first: a name may be the beginning of another. Without the figures, whose names
  /// are usual words as well: they stand at the head of columns.
  private static let names: [Character: [String]] = Dictionary(
    grouping: Set(ReportWord.all.filter { $0.stage != .report }.map(\.name))
  ) {
    $0.first ?? " "
  }.mapValues { $0.sorted { ($1.count, $0) < ($0.count, $1) } }

  /// A word that stands alone, as at the head of a column, linked to its explanation if it has one.
  static func alone(_ name: String) -> HTMLText {
    ReportWord.named(name).isEmpty ? "\(name)" : .link("\(name)", to: "\(page)#\(anchor(name))")
  }

  /// How a word is called within the page.
  static func anchor(_ name: String) -> String {
    name.replacing(" ", with: "-").replacing(",", with: "").replacing("%", with: "percent")
  }

  /// The text, with each word that has an explanation linked to it.
  static func link(_ text: String) -> HTMLText {
    var linked: HTMLText = ""
    var plain = ""
    var rest = text[...]
    var isWithinWord = false
    while let letter = rest.first {
      if !isWithinWord, let name = names[letter]?.first(where: { isWord($0, at: rest) }) {
        linked = linked + HTMLText(plain) + .link("\(name)", to: "\(page)#\(anchor(name))")
        plain = ""
        rest = rest.dropFirst(name.count)
        isWithinWord = true
      } else {
        plain.append(letter)
        isWithinWord = letter.isLetter || letter.isNumber
        rest = rest.dropFirst()
      }
    }
    return linked + HTMLText(plain)
  }

  private static func isWord(_ name: String, at rest: Substring) -> Bool {
    guard rest.hasPrefix(name) else { return false }
    let next = rest.dropFirst(name.count).first
    return next.map { !($0.isLetter || $0.isNumber) } ?? true
  }
}
