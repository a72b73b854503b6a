/// The paths that a consumer handles, as words between slashes: `settings/{health|account}`, `auth/{flow}`.
///
/// A word stands for itself; `{a|b}` is one of several words, and `{name}` any one word.
public struct LinkPattern: Hashable, Sendable, CustomStringConvertible {
  enum Word: Hashable, Sendable {
    case oneOf([String])
    case any
  }

  /// As its author wrote it.
  public let description: String
  let words: [Word]

  /// Nil for what is no pattern: an empty word, or a brace that is not closed.
  public init?(_ text: String) {
    var words: [Word] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false) {
      guard let word = Self.word(part) else { return nil }
      words.append(word)
    }
    description = text
    self.words = words
  }

  private static func word(_ part: Substring) -> Word? {
    guard part.hasPrefix("{") || part.hasSuffix("}") else {
      return isPlain(part) ? .oneOf([String(part)]) : nil
    }
    guard part.count > 2, part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
    let names = part.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
    guard names.allSatisfy(isPlain) else { return nil }
    return names.count == 1 ? .any : .oneOf(names.map(String.init))
  }

  private static func isPlain(_ text: Substring) -> Bool {
    !text.isEmpty && !text.contains { "{}|?#: ".contains($0) }
  }

  /// - Complexity: O(n) in the words and their alternatives
  public func matches(_ link: DeepLink) -> Bool {
    link.path.count == words.count
      && zip(words, link.path).allSatisfy { word, text in
        switch word {
        case .oneOf(let names): names.contains(text)
        case .any: true
        }
      }
  }

  /// Whether some path is one of both patterns.
  public func overlaps(_ other: LinkPattern) -> Bool {
    words.count == other.words.count
      && zip(words, other.words).allSatisfy { pair in
        switch pair {
        case (.any, _), (_, .any): true
        case (.oneOf(let a), .oneOf(let b)): a.contains { b.contains($0) }
        }
      }
  }
}
