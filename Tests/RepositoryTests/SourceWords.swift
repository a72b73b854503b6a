/// The words and braces of a Swift file, without comments and string literals. Interpolated code in a
/// literal, such as `\(count)`, is included.
struct SourceWords {
  private(set) var words: [Substring] = []

  init(_ source: String) {
    var reader = Reader(rest: source[...])
    reader.readCode(into: &words, untilParenthesis: false)
  }

  /// The types declared at the top level of the file. Nested types are excluded, as are aliases of types in
  /// other modules such as `typealias Scenario = ScenarioModel.Scenario`.
  var declaredTypes: Set<Substring> {
    var types: Set<Substring> = []
    var depth = 0
    for (index, word) in words.enumerated() {
      switch word {
      case "{": depth += 1
      case "}": depth -= 1
      case "struct", "class", "enum", "protocol", "actor", "typealias":
        guard depth == 0, let name = words[(index + 1)...].first, Self.namesType(name) else { continue }
        let isHandedOn = word == "typealias" && words[(index + 2)...].prefix(2).last == name
        if !isHandedOn { types.insert(name) }
      default: break
      }
    }
    return types
  }

  /// All words that may be the name of a type.
  var typeNames: Set<Substring> { Set(words.filter(Self.namesType)) }

  private static func namesType(_ word: Substring) -> Bool { word.first?.isUppercase == true }

  private struct Reader {
    var rest: Substring

    mutating func readCode(into words: inout [Substring], untilParenthesis: Bool) {
      var depth = 0
      while let character = rest.first {
        if character.isLetter || character == "_" {
          let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
          words.append(word)
          rest = rest[word.endIndex...]
        } else if character == "/", rest.hasPrefix("//") {
          rest = rest.drop { !$0.isNewline }
        } else if character == "/", rest.hasPrefix("/*") {
          skipComment()
        } else if let hashes = openingOfText {
          readText(hashes: hashes, into: &words)
        } else {
          if character == "(" { depth += 1 }
          if character == ")" { depth -= 1 }
          if character == "{" || character == "}" { words.append(rest.prefix(1)) }
          rest.removeFirst()
          if untilParenthesis, depth < 0 { return }
        }
      }
    }

    /// Comments can be nested.
    private mutating func skipComment() {
      var depth = 0
      repeat {
        if rest.hasPrefix("/*") {
          depth += 1
          rest.removeFirst(2)
        } else if rest.hasPrefix("*/") {
          depth -= 1
          rest.removeFirst(2)
        } else {
          rest.removeFirst()
        }
      } while depth > 0 && !rest.isEmpty
    }

    /// The number of `#` signs before the opening quotation mark of a literal, or `nil` if no literal starts
    /// here.
    private var openingOfText: Int? {
      guard rest.first == "#" || rest.first == "\"" else { return nil }
      let hashes = rest.prefix { $0 == "#" }
      return rest[hashes.endIndex...].first == "\"" ? hashes.count : nil
    }

    private mutating func readText(hashes: Int, into words: inout [Substring]) {
      let marks = String(repeating: "#", count: hashes)
      rest.removeFirst(hashes)
      let quotes = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
      rest.removeFirst(quotes.count)
      while !rest.isEmpty {
        if rest.hasPrefix(quotes + marks) { return rest.removeFirst(quotes.count + hashes) }
        if rest.hasPrefix("\\" + marks + "(") {
          rest.removeFirst(hashes + 2)
          readCode(into: &words, untilParenthesis: true)
        } else if rest.hasPrefix("\\" + marks) {
          rest = rest.dropFirst(hashes + 2)
        } else {
          rest.removeFirst()
        }
      }
    }
  }
}
