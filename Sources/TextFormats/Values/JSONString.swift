extension [UInt8] {
  /// Adds a text as JSON writes it, quotation marks included.
  package mutating func append(quoting string: String) {
    append(UInt8(ascii: "\""))
    defer { append(UInt8(ascii: "\"")) }
    var string = string
    // Nearly all texts are as they are.
    let isPlain = string.withUTF8 { text in
      for byte in text {
        guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
          return false
        }
      }
      append(contentsOf: text)
      return true
    }
    if isPlain { return }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": self += "\\\"".utf8
      case "\\": self += "\\\\".utf8
      case "\n": self += "\\n".utf8
      case "\t": self += "\\t".utf8
      case "\r": self += "\\r".utf8
      // The last of these YAML, which reads JSON too, would take for the end of a line, or refuse.
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        let digits = String(scalar.value, radix: 16)
        self += ("\\u" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits).utf8
      default: self += String(scalar).utf8
      }
    }
  }
}
