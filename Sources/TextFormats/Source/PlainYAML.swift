/// Parses the common part of YAML byte by byte: mappings and lists by indentation or in brackets, strings on
/// one line with or without quotes, paragraphs after `>-`, and comments.
///
/// Yams, which supports all of YAML and reports errors, parses everything else: anchors, tags, other
/// multi-line strings, escapes, tabs, and every file with an error. If this parser accepts a file, both
/// parsers return the same tree with the same positions. `bench load` compares their speed.
struct PlainYAML {
  /// Thrown if Yams must parse the file, because it is not plain or has an error.
  private struct NotPlain: Error {}

  private struct Scalar {
    var text: String
    var isQuoted = false
    /// Whether the string contains a doubled quote. If so, the columns of its characters differ from those in
    /// the file.
    var isShifted = false
    var position: SourcePosition
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: UInt16
  private let isASCII: Bool
  private var at = 0
  private var line = 1
  private var lineStart = 0
  /// The end of the line that contains the byte at `at`.
  private var lineEnd = 0
  private var nodes = 0

  /// The maximum number of values in a file. A file with 100,000 reminders has half as many.
  private static let nodeLimit = 2_000_000

  /// Returns the tree of a text and the number of the last line that was read. The tree is `nil` if Yams must
  /// parse the text.
  ///
  /// - Complexity: O(bytes)
  static func read(_ text: String, file: UInt16) -> (root: Node?, line: Int) {
    var text = text
    return text.withUTF8 { bytes in
      guard let isASCII = isPrintable(bytes) else { return (nil, 1) }
      var reader = PlainYAML(bytes: bytes, file: file, isASCII: isASCII)
      let root = try? reader.document()
      return (root, reader.line)
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, file: UInt16, isASCII: Bool) {
    (self.bytes, self.file, self.isASCII) = (bytes, file, isASCII)
  }

  /// Returns whether the text is ASCII. Returns `nil` if it contains unprintable characters, or line ends
  /// other than a line feed.
  private static func isPrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    var isASCII = true
    for index in bytes.indices {
      switch bytes[index] {
      case 0x0A, 0x20..<0x7F: continue
      case 0..<0x20, 0x7F: return nil
      // U+0080 to U+009F, including the line end U+0085.
      case 0xC2: if bytes[index + 1] < 0xA0 { return nil }
      // The line ends U+2028 and U+2029.
      case 0xE2:
        if bytes[index + 1] == 0x80, bytes[index + 2] == 0xA8 || bytes[index + 2] == 0xA9 { return nil }
      // The byte order mark, U+FFFE and U+FFFF.
      case 0xEF: if bytes[index + 1] >= 0xBB { return nil }
      default: break
      }
      isASCII = false
    }
    return isASCII
  }

  // MARK: Positions

  private var isAtEnd: Bool { at >= bytes.count }

  /// Returns the byte at an index, or a line feed after the end of the text.
  private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0x0A }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }

  private static func isBracketOrComma(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
    default: false
    }
  }

  /// The indentation of the first token of a line, or of the token after a dash.
  private var indent: Int { isAtEnd ? -1 : at - lineStart }

  private var position: SourcePosition {
    get throws(NotPlain) {
      if isASCII { return SourcePosition(line: line, column: at - lineStart + 1, file: file) }
      // Counting the characters of a long line repeatedly would take quadratic time.
      guard lineEnd - lineStart <= 4_096 else { throw NotPlain() }
      let scalars = bytes[lineStart..<at].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
      return SourcePosition(line: line, column: scalars + 1, file: file)
    }
  }

  private mutating func beginLine() {
    at += 1
    line += 1
    findLine()
  }

  private mutating func findLine() {
    lineStart = at
    lineEnd = bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
  }

  private mutating func skipSpaces() {
    while byte(at) == 0x20 { at += 1 }
  }

  /// Skips blank lines and comments up to the next token.
  private mutating func skipToContent() throws(NotPlain) {
    while !isAtEnd {
      switch bytes[at] {
      case 0x20: at += 1
      case 0x0A: beginLine()
      case UInt8(ascii: "#") where at == lineStart || bytes[at - 1] == 0x20: at = lineEnd
      default:
        // A document marker.
        guard at > lineStart || !(marks("---") || marks("...")) else { throw NotPlain() }
        return
      }
    }
  }

  private func marks(_ sign: StaticString) -> Bool {
    (0..<3).allSatisfy { byte(at + $0) == sign.utf8Start[$0] } && Self.isBlank(byte(at + 3))
  }

  /// Requires that the rest of the line is empty or a comment.
  private mutating func finishLine() throws(NotPlain) {
    skipSpaces()
    guard byte(at) == 0x0A || byte(at) == UInt8(ascii: "#") && bytes[at - 1] == 0x20 else { throw NotPlain() }
    try skipToContent()
  }

  // MARK: Block style

  private mutating func document() throws(NotPlain) -> Node {
    findLine()
    try skipToContent()
    guard !isAtEnd, bytes[at] != UInt8(ascii: "%") else { throw NotPlain() }
    let node = isFlow ? try documentFlow() : try block(depth: 1)
    guard isAtEnd else { throw NotPlain() }
    return node
  }

  private mutating func documentFlow() throws(NotPlain) -> Node {
    let node = try flow(depth: 1)
    try finishLine()
    return node
  }

  private var isFlow: Bool { byte(at) == UInt8(ascii: "[") || byte(at) == UInt8(ascii: "{") }

  private var isDash: Bool { byte(at) == UInt8(ascii: "-") && Self.isBlank(byte(at + 1)) }

  private mutating func count(_ depth: Int) throws(NotPlain) {
    nodes += 1
    guard nodes <= Self.nodeLimit, depth <= YAMLDocument.depthLimit else { throw NotPlain() }
  }

  /// Parses a list or a mapping that starts at the next token.
  private mutating func block(depth: Int) throws(NotPlain) -> Node {
    isDash ? try list(depth: depth) : try mapping(depth: depth)
  }

  private mutating func list(depth: Int) throws(NotPlain) -> Node {
    try count(depth)
    let (start, own) = (try position, indent)
    var items: [Node] = []
    while indent == own, isDash {
      at += 1
      items.append(try value(behind: own, isItem: true, depth: depth + 1))
    }
    guard indent <= own else { throw NotPlain() }
    return Node(content: .sequence(items), position: start)
  }

  private mutating func mapping(depth: Int) throws(NotPlain) -> Node {
    try count(depth)
    let (start, own) = (try position, indent)
    var entries: [Node.Entry] = []
    while indent == own {
      // The dash belongs to the list that contains the mapping.
      if isDash { break }
      let key = try key(inFlow: false)
      let value = try value(behind: own, isItem: false, depth: depth + 1)
      entries.append(Node.Entry(key: key.text, keyPosition: key.position, value: value))
    }
    guard indent <= own else { throw NotPlain() }
    try refuseDuplicates(entries)
    return Node(content: .mapping(entries), position: start)
  }

  /// Parses the value after a dash or a colon, in a list or mapping that is indented by `own` columns.
  private mutating func value(behind own: Int, isItem: Bool, depth: Int) throws(NotPlain) -> Node {
    let empty = try position
    skipSpaces()
    if byte(at) == 0x0A || byte(at) == UInt8(ascii: "#") {
      let length = lineEnd - lineStart
      try finishLine()
      if indent > own || !isItem && indent == own && isDash { return try block(depth: depth) }
      try count(depth)
      return Node(
        content: .scalar(""), position: empty, textOffset: length <= YAMLDocument.offsetLimit ? 0 : nil)
    }
    if isItem {
      let isBlock = try beginsBlock()
      if isBlock { return try block(depth: depth) }
    }
    if byte(at) == UInt8(ascii: ">") { return try folded(behind: own, depth: depth) }
    let node = isFlow ? try flow(depth: depth) : try text(inFlow: false, depth: depth)
    try finishLine()
    // More indentation would mean that the string continues on the next line.
    guard indent <= own else { throw NotPlain() }
    return node
  }

  /// Returns whether an item is a list or a mapping that starts on the line of its dash.
  private func beginsBlock() throws(NotPlain) -> Bool {
    if isDash { return true }
    if isFlow { return false }
    var ahead = self
    _ = try ahead.scalar(inFlow: false)
    ahead.skipSpaces()
    return ahead.byte(ahead.at) == UInt8(ascii: ":")
  }

  private mutating func key(inFlow: Bool) throws(NotPlain) -> Scalar {
    let start = at
    let key = try scalar(inFlow: inFlow)
    // Yams limits keys to 1,024 bytes. It also gives some keys a special meaning: `~` and `null` are an empty
    // key, and `<<` is a merge.
    let isOfTheLibrary = key.text == "<<" || !key.isQuoted && ["~", "null"].contains(key.text)
    guard at - start <= 1_000, !isOfTheLibrary else { throw NotPlain() }
    skipSpaces()
    guard byte(at) == UInt8(ascii: ":"), inFlow && key.isQuoted || Self.isBlank(byte(at + 1)) else {
      throw NotPlain()
    }
    at += 1
    return key
  }

  private func refuseDuplicates(_ entries: [Node.Entry]) throws(NotPlain) {
    if entries.count <= 12 {
      for (index, entry) in entries.enumerated()
      where entries[..<index].contains(where: { $0.key == entry.key }) {
        throw NotPlain()
      }
    } else if Set(entries.lazy.map(\.key)).count < entries.count {
      throw NotPlain()
    }
  }

  // MARK: Flow style

  private mutating func flow(depth: Int) throws(NotPlain) -> Node {
    try count(depth)
    let start = try position
    let isList = byte(at) == UInt8(ascii: "[")
    let end = isList ? UInt8(ascii: "]") : UInt8(ascii: "}")
    at += 1
    var items: [Node] = []
    var entries: [Node.Entry] = []
    try skipToContent()
    while byte(at) != end {
      if isList {
        items.append(try flowValue(depth: depth + 1))
      } else {
        let key = try key(inFlow: true)
        try skipToContent()
        entries.append(
          Node.Entry(key: key.text, keyPosition: key.position, value: try flowValue(depth: depth + 1)))
      }
      try skipToContent()
      if byte(at) == UInt8(ascii: ",") {
        at += 1
        try skipToContent()
      } else if byte(at) != end {
        throw NotPlain()
      }
    }
    at += 1
    try refuseDuplicates(entries)
    return Node(content: isList ? .sequence(items) : .mapping(entries), position: start)
  }

  private mutating func flowValue(depth: Int) throws(NotPlain) -> Node {
    isFlow ? try flow(depth: depth) : try text(inFlow: true, depth: depth)
  }

  // MARK: Scalars

  private mutating func text(inFlow: Bool, depth: Int) throws(NotPlain) -> Node {
    try count(depth)
    let scalar = try scalar(inFlow: inFlow)
    let isNothing = !scalar.isQuoted && (scalar.text == "~" || scalar.text == "null")
    let isInPlace = !scalar.isShifted && lineEnd - lineStart <= YAMLDocument.offsetLimit
    return Node(
      content: .scalar(isNothing ? "" : scalar.text), position: scalar.position,
      textOffset: isInPlace ? (scalar.isQuoted ? 1 : 0) : nil)
  }

  /// Parses the lines after `>-`: a single paragraph whose lines have the same indentation.
  private mutating func folded(behind own: Int, depth: Int) throws(NotPlain) -> Node {
    try count(depth)
    let start = try position
    guard byte(at + 1) == UInt8(ascii: "-"), byte(at + 2) == 0x0A else { throw NotPlain() }
    at += 2
    var text = ""
    var margin: Int?
    var isOver = false
    while !isAtEnd {
      beginLine()
      skipSpaces()
      if at == lineEnd {
        isOver = true
        continue
      }
      if indent <= own { break }
      // This line starts a second paragraph or has another indentation.
      guard !isOver, margin == nil || indent == margin else { throw NotPlain() }
      if margin != nil { text += " " }
      margin = indent
      text += string(at..<lineEnd)
      at = lineEnd
    }
    try skipToContent()
    guard margin != nil, indent <= own else { throw NotPlain() }
    return Node(content: .scalar(text), position: start)
  }

  private mutating func scalar(inFlow: Bool) throws(NotPlain) -> Scalar {
    switch byte(at) {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): try quoted()
    default: try plain(inFlow: inFlow)
    }
  }

  private mutating func quoted() throws(NotPlain) -> Scalar {
    let (start, quote) = (try position, bytes[at])
    let isSingle = quote == UInt8(ascii: "'")
    at += 1
    let begin = at
    var isShifted = false
    while byte(at) != quote || isSingle && byte(at + 1) == quote {
      guard byte(at) != 0x0A, isSingle || bytes[at] != UInt8(ascii: "\\") else { throw NotPlain() }
      if bytes[at] == quote {
        isShifted = true
        at += 1
      }
      at += 1
    }
    var text = string(begin..<at)
    if isShifted { text = text.replacing("''", with: "'") }
    at += 1
    return Scalar(text: text, isQuoted: true, isShifted: isShifted, position: start)
  }

  private mutating func plain(inFlow: Bool) throws(NotPlain) -> Scalar {
    let start = try position
    try refuseIndicator(inFlow: inFlow)
    let begin = at
    scan: while byte(at) != 0x0A {
      let (this, next) = (bytes[at], byte(at + 1))
      switch this {
      case UInt8(ascii: ":"):
        if Self.isBlank(next) { break scan }
        if inFlow, Self.isBracketOrComma(next) || next == UInt8(ascii: "?") { throw NotPlain() }
      case UInt8(ascii: "#"): if bytes[at - 1] == 0x20 { break scan }
      case UInt8(ascii: "?"): if inFlow { throw NotPlain() }
      default: if inFlow, Self.isBracketOrComma(this) { break scan }
      }
      at += 1
    }
    while bytes[at - 1] == 0x20 { at -= 1 }
    return Scalar(text: string(begin..<at), position: start)
  }

  /// Throws if an unquoted string starts with a character that YAML does not allow there.
  private func refuseIndicator(inFlow: Bool) throws(NotPlain) {
    switch byte(at) {
    case UInt8(ascii: "-"):
      let next = byte(at + 1)
      if Self.isBlank(next) || inFlow && Self.isBracketOrComma(next) { throw NotPlain() }
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"),
      UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "%"), UInt8(ascii: "@"),
      UInt8(ascii: "`"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), 0x0A:
      throw NotPlain()
    default: break
    }
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}
