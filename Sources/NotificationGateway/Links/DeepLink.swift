/// A parsed link. For example, `fitme://nav/home` and `https://fitme.example/nav/home` both have the path
/// `nav`, `home`.
///
/// The query and the fragment are ignored, because they do not affect the destination.
public struct DeepLink: Hashable, Sendable {
  /// The scheme in lower case.
  public let scheme: String
  /// The host of a universal link in lower case, or `nil` for a link with a custom scheme, whose host is the
  /// first word of the path.
  public let domain: String?
  /// The host of a link with a custom scheme in lower case, such as `nav` in `fitme://nav/home`. It is `nil`
  /// for a universal link, and for a link without a host (`fitme:///nav/home`).
  public let host: String?
  /// The words of the path. Empty words, such as one after a trailing slash, are removed.
  public let path: [String]

  /// Parses a link, or returns `nil` if the text lacks a scheme or a path.
  ///
  /// - Complexity: O(n) in the length of the text
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let name = text[..<colon]
    let rest = text[text.index(after: colon)...]
    guard Self.isScheme(name), rest.hasPrefix("//") else { return nil }
    let address = rest.dropFirst(2).prefix { $0 != "?" && $0 != "#" }
    var words = address.split(separator: "/").map(String.init)
    scheme = name.lowercased()
    if scheme == "https" || scheme == "http" {
      guard !words.isEmpty, !address.hasPrefix("/") else { return nil }
      domain = words.removeFirst().lowercased()
      host = nil
    } else {
      domain = nil
      // The first word is the host of the URL, which is case-insensitive.
      if !address.hasPrefix("/"), !words.isEmpty { words[0] = words[0].lowercased() }
      host = address.hasPrefix("/") ? nil : words.first
    }
    if words.isEmpty { return nil }
    path = words
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20 else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}

/// The paths that a consumer handles, as words between slashes, for example `settings/{health|account}` or
/// `auth/{rest...}`.
///
/// A plain word matches itself, `{a|b}` matches one of several words, and `{name}` matches any word.
/// `{name...}` matches any number of further words, including none, and is allowed only at the end.
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

  /// The pattern as its author wrote it.
  public let description: String
  /// The required words.
  let words: [Word]
  /// Whether further words may follow.
  let hasRest: Bool

  /// Parses a pattern, or returns `nil` if it has an empty word, an unclosed brace, or a word after
  /// `{name...}`.
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

  /// The words with which a matching path can begin, or `nil` if any word can.
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

  /// Returns whether the path of a link matches the pattern.
  ///
  /// - Complexity: O(n) in the words and their alternatives
  public func matches(_ link: DeepLink) -> Bool {
    (hasRest ? link.path.count >= words.count : link.path.count == words.count)
      && zip(words, link.path).allSatisfy { $0.matches($1) }
  }

  /// Returns whether a path exists that matches both patterns.
  public func overlaps(_ other: LinkPattern) -> Bool {
    guard words.count == other.words.count || (words.count < other.words.count ? hasRest : other.hasRest)
    else { return false }
    return zip(words, other.words).allSatisfy { $0.overlaps($1) }
  }
}
