/// A link taken apart: `fitme://nav/home` and `https://fitme.example/nav/home` both lead to `nav`, `home`.
///
/// Query and fragment say how to show a destination, not which one, and play no part.
public struct DeepLink: Hashable, Sendable {
  /// In lower case.
  public let scheme: String
  /// Of a universal link the host, in lower case; nil for a scheme of an app's own, whose host is the first
  /// word of its path.
  public let domain: String?
  /// Of a link of an app's own scheme the host, in lower case: `nav` of `fitme://nav/home`. Nil for a universal
  /// link, and for one that names none (`fitme:///nav/home`).
  public let host: String?
  /// The words of the path. Empty ones, as of a slash at the end, are left out.
  public let path: [String]

  /// Nil for what is no link with a scheme and a path.
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
      // The host of a URL has no case, and here it is the first word.
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
