/// The paths that a consumer handles, as words between slashes: `settings/{health|account}`, `auth/{rest...}`.
///
/// A word stands for itself; `{a|b}` is one of several words, `{name}` any one word, and `{name...}`, at the end
/// only, whatever is left of the path: any number of words, none included.
public struct LinkPattern: Hashable, Sendable, CustomStringConvertible {
  enum Word: Hashable, Sendable {
    case oneOf([String])
    case any

    func matches(_ text: String) -> Bool {
      switch self {
      case .oneOf(let names): names.contains(text)
      case .any: true
      }
    }

    func overlaps(_ other: Word) -> Bool {
      switch (self, other) {
      case (.any, _), (_, .any): true
      case (.oneOf(let a), .oneOf(let b)): a.contains { b.contains($0) }
      }
    }
  }

  /// As its author wrote it.
  public let description: String
  /// Those that must be there.
  let words: [Word]
  /// Whether more may follow them.
  let hasRest: Bool

  /// Nil for what is no pattern: an empty word, a brace that is not closed, or something behind the rest.
  public init?(_ text: String) {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    hasRest = parts.last.map(Self.isRest) ?? false
    if hasRest { parts.removeLast() }
    var words: [Word] = []
    for part in parts {
      guard let word = Self.word(part) else { return nil }
      words.append(word)
    }
    description = text
    self.words = words
  }

  /// The words that a path can begin with; nil: any.
  public var firstWords: [String]? {
    switch words.first {
    case .oneOf(let names): names
    case .any, nil: nil
    }
  }

  private static func isRest(_ part: Substring) -> Bool {
    part.hasPrefix("{") && part.hasSuffix("...}") && isPlain(part.dropFirst().dropLast(4))
  }

  private static func word(_ part: Substring) -> Word? {
    guard part.hasPrefix("{") || part.hasSuffix("}") else {
      return isPlain(part) ? .oneOf([String(part)]) : nil
    }
    guard part.count > 2, part.hasPrefix("{"), part.hasSuffix("}") else { return nil }
    let names = part.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
    guard names.allSatisfy({ isPlain($0) && !$0.hasSuffix("...") }) else { return nil }
    return names.count == 1 ? .any : .oneOf(names.map(String.init))
  }

  private static func isPlain(_ text: Substring) -> Bool {
    !text.isEmpty && !text.contains { "{}|?#*: ".contains($0) }
  }

  /// - Complexity: O(n) in the words and their alternatives
  public func matches(_ link: DeepLink) -> Bool {
    (hasRest ? link.path.count >= words.count : link.path.count == words.count)
      && zip(words, link.path).allSatisfy { $0.matches($1) }
  }

  /// Whether some path is one of both patterns.
  public func overlaps(_ other: LinkPattern) -> Bool {
    guard words.count == other.words.count || (words.count < other.words.count ? hasRest : other.hasRest)
    else { return false }
    return zip(words, other.words).allSatisfy { $0.overlaps($1) }
  }
}
