import Pages
import ReportWords

/// Leads from the words that a report prints to what they mean.
enum WordLinks {
  /// The page on which they are explained.
  static let page = "words.html"

  /// By their first letter, the longest first: a name may be the beginning of another.
  private static let names: [Character: [String]] = Dictionary(grouping: Set(ReportWord.all.map(\.name))) {
    $0.first ?? " "
  }.mapValues { $0.sorted { ($1.count, $0) < ($0.count, $1) } }

  /// How a word is called within the page.
  static func anchor(_ name: String) -> String { name.replacing(" ", with: "-").replacing(",", with: "") }

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
