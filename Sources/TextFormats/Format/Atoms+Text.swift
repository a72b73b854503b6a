extension Atom<String> {
  /// Letters beyond ASCII as a plain range: not every reader of a schema knows Unicode classes.
  package static var namePattern: String { "[A-Za-z_\u{C0}-\u{FFFD}][A-Za-z0-9_.\u{C0}-\u{FFFD}-]*" }

  /// A name that the author gives to something.
  package static var newName: Atom {
    Atom<String>.simple(
      "NAME", "a name: a letter, then letters, digits, '.', '_' or '-'", pattern: namePattern,
      write: { name, _ in .string(name) }
    ) { text in
      isPlainName(text) || isName(text) ? text : nil
    }.reserving(["all"], for: "everything of a kind").checked { name, word, reader in
      guard name.utf8.count > longestName else { return name }
      reader.error(
        "a name of \(name.utf8.count) bytes is too long: it has \(longestName) at most", at: word.position,
        hint: "say what is long in a title or a description")
      return nil
    }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || "_.-".contains($0) }
  }

  /// A name of ASCII letters and digits, as most are: characters are slow to tell apart.
  private static func isPlainName(_ text: String) -> Bool {
    var isFirst = true
    return !text.isEmpty
      && text.utf8.allSatisfy { byte in
        defer { isFirst = false }
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "_"):
          return true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): return !isFirst
        default: return false
        }
      }
  }

  /// In bytes of UTF-8. A report says a reminder's name beside each of its notifications, so that without a limit no
  /// number of these would limit the report.
  private static var longestName: Int { 200 }

  /// Names that have a meaning of their own in sentences.
  package func reserving(_ words: [String], for use: String) -> Atom {
    checked { name, word, reader in
      guard words.contains(name) else { return name }
      reader.error(
        "the name '\(name)' is reserved: it is a word for \(use)", at: word.position,
        hint: "choose another name")
      return nil
    }
  }

  /// Any text that is not empty.
  package static var text: Atom {
    Atom(name: "TEXT", meaning: "a text", pattern: #"[\s\S]+"#, write: notEmpty) { word, _ in word.text }
  }

  /// The value of a setting: a word or a number.
  package static var setting: Atom {
    Atom(
      name: "VALUE", meaning: "a word or a number", pattern: ".+",
      jsonTypes: ["string", "number", "boolean"],
      write: notEmpty
    ) { word, _ in word.text }
  }

  private static func notEmpty(_ text: String, _ writer: Writer) -> JSONValue {
    text.isEmpty ? writer.problem("the text is empty") : .string(text)
  }
}
