/// What a Swift file shows to others, as swift-format lays it out: each declaration begins a line.
struct PublicDeclarations {
  /// A declaration without a comment of documentation: what it is called, and its line.
  private(set) var silent: [(name: Substring, line: Substring)] = []
  /// What its public protocols ask for, by name: who conforms to one need not say it again.
  private(set) var requirements: Set<Substring> = []

  init(_ source: String) {
    var isCommented = false
    // By indentation: the line that what stands deeper belongs to.
    var owners: [Int: Substring] = [:]
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      let indent = line.count - text.count
      if text.hasPrefix("///") {
        isCommented = true
      } else if !text.hasPrefix("//"), !Self.isAttribute(text) {
        let owner = owners[indent - 2] ?? ""
        let isRequirement = owner.hasPrefix("public protocol ")
        let isCase = owner.hasPrefix("public enum ") && text.hasPrefix("case ")
        if isRequirement || isCase || Self.isPublic(text), let name = Self.name(of: text) {
          if isRequirement { requirements.insert(name) }
          if !isCommented { silent.append((name, text)) }
        }
        if let first = text.first, !"})".contains(first) { owners[indent] = text }
        isCommented = false
      }
    }
  }

  /// Of the declaration on the next line.
  private static func isAttribute(_ line: Substring) -> Bool {
    line.hasPrefix("@") && line.split(separator: " ").allSatisfy { $0.hasPrefix("@") }
  }

  private static func isPublic(_ line: Substring) -> Bool {
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
    return words.first == "public" && words.dropFirst().first != "import"
  }

  /// Nil: it declares nothing, or an operator, of which its sign says what it does.
  private static func name(of line: Substring) -> Substring? {
    let named = /\b(?:func|var|let|struct|enum|class|actor|protocol|typealias|associatedtype|case) `?(\w+)/
    return line.firstMatch(of: named)?.1 ?? line.firstMatch(of: /\b(?:init|subscript)\W*\w*/)?.0
  }
}
