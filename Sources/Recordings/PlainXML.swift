import Foundation

/// Reads the XML that nearly every file is written in, byte by byte and piece by piece: UTF-8, elements with attributes
/// and declared prefixes, texts, the five entities and numbered characters, CDATA, comments and instructions.
///
/// What it does not know, and whatever is wrong with a file, it leaves to Foundation's parser, which reads all of XML and
/// says what is wrong: definitions of the document type, other encodings, names beyond ASCII, carriage returns alone.
/// What it does read it tells of as Foundation's parser would, in the same order and with the same lines; `bench readers`
/// has the time of that parser beside it.
struct PlainXML<Handler: XMLHandler>: ~Copyable {
  private var handler: Handler
  private var pieces: XMLPieces
  private var text: XMLText
  /// The beginning of what is read next. What reads moves it, and tells the handler, when it is through.
  private var at = 0
  /// The number of the line at the place up to which line ends are counted.
  private var line = 1
  private var counted = 0
  private var scope = XMLScope()
  private var attributes = PlainXMLAttributes()
  private var rootHasBegun = false

  /// The handler that has been told of the whole document; nil where Foundation's parser has to read it.
  ///
  /// - Parameter piece: Bytes that are held at a time: no tag, comment or text may be longer.
  /// - Complexity: O(bytes); memory does not grow with them
  static func read(_ stream: InputStream, into handler: Handler, piece: Int = 128 * 1_024) -> Handler? {
    var reader = PlainXML(handler, XMLPieces(stream, capacity: piece))
    return reader.document() ? reader.handler : nil
  }

  private init(_ handler: Handler, _ pieces: consuming XMLPieces) {
    self.handler = handler
    self.pieces = pieces
    text = XMLText(base: UnsafePointer(self.pieces.base))
  }

  private mutating func document() -> Bool {
    do throws(XMLStop) {
      guard goOn() else { return false }
      try declaration()
    } catch {
      return false
    }
    while true {
      do throws(XMLStop) {
        while at < text.end { try token() }
      } catch {
        guard error == .incomplete else { return false }
      }
      let isThrough = at == text.end && rootHasBegun && scope.depth == 0
      guard goOn() else { return isThrough && !pieces.isBroken }
    }
  }

  /// Reads the next piece, which begins with what has not been read of this one; false if nothing came.
  private mutating func goOn() -> Bool {
    countLines(to: at)
    let isMore = pieces.advance(from: at)
    text.end = pieces.end
    at = 0
    counted = 0
    return isMore
  }

  private mutating func countLines(to place: Int) {
    var ends = 0
    for byte in text.bytes(counted..<place) { ends &+= byte == 0x0A ? 1 : 0 }
    line += ends
    counted = place
  }

  /// What begins here.
  private mutating func token() throws(XMLStop) {
    switch text[at] {
    case UInt8(ascii: "<"): try markup()
    case UInt8(ascii: "&"): try reference()
    default: try run()
    }
  }

  private mutating func markup() throws(XMLStop) {
    switch text[at + 1] {
    case UInt8(ascii: "/"): try endTag()
    case UInt8(ascii: "!"): try text.hasPrefix("<!--", at: at) ? comment() : section()
    case UInt8(ascii: "?"): try instruction()
    default: try startTag()
    }
  }

  // MARK: Text

  private mutating func run() throws(XMLStop) {
    let start = at
    at = try text.endOfText(from: start, isInside: scope.depth > 0)
    let run = text.bytes(start..<at)
    if scope.depth == 0 {
      guard run.allSatisfy(XMLText.isSpace) else { throw .unusual }
    } else if handler.isCollecting {
      handler.append(run)
    }
  }

  private mutating func reference() throws(XMLStop) {
    guard scope.depth > 0 else { throw .unusual }
    let reference = try text.reference(at: at)
    if handler.isCollecting { reference.bytes.withUnsafeBufferPointer { handler.append($0) } }
    at += reference.length
  }

  /// `<![CDATA[ … ]]>`
  private mutating func section() throws(XMLStop) {
    guard scope.depth > 0 else { throw .unusual }
    var index = at
    try text.expect("<![CDATA[", at: &index)
    let start = index
    index = try text.place(of: "]]>", from: start)
    if handler.isCollecting { handler.append(text.bytes(start..<index)) }
    at = index + 3
  }

  // MARK: What is passed over

  /// `<?xml version="1.0" encoding="UTF-8"?>`, which may stand at the very beginning, behind the mark of the byte order.
  private mutating func declaration() throws(XMLStop) {
    if text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { at = 3 }
    guard try text.hasPrefix("<?xml", at: at), XMLText.isSpace(text[at + 5]) else { return }
    var index = at + 5
    _ = try text.skipSpaces(&index)
    try text.expect("version", at: &index)
    guard try text.value(&index).bytes.isWord("1.0") else { throw .unusual }
    var hasSpaces = try text.skipSpaces(&index)
    if hasSpaces, text[index] == UInt8(ascii: "e") {
      try text.expect("encoding", at: &index)
      let name = try text.value(&index).bytes
      guard name.isWord("UTF-8") || name.isWord("utf-8") else { throw .unusual }
      hasSpaces = try text.skipSpaces(&index)
    }
    if hasSpaces, text[index] == UInt8(ascii: "s") {
      try text.expect("standalone", at: &index)
      let answer = try text.value(&index).bytes
      guard answer.isWord("yes") || answer.isWord("no") else { throw .unusual }
      _ = try text.skipSpaces(&index)
    }
    try text.expect("?>", at: &index)
    at = index
  }

  private mutating func comment() throws(XMLStop) {
    var index = try text.place(of: "--", from: at + 4)
    try text.expect("-->", at: &index)
    at = index
  }

  private mutating func instruction() throws(XMLStop) {
    var index = at + 2
    let name = try text.name(&index)
    // Those that begin with xml are XML's own.
    guard name.prefix == nil, !name.bytes.beginsWithXML else { throw .unusual }
    guard try text.hasPrefix("?>", at: index) || XMLText.isSpace(text[index]) else { throw .unusual }
    at = try text.place(of: "?>", from: index) + 2
  }

  // MARK: Tags

  private mutating func endTag() throws(XMLStop) {
    var index = at + 2
    let name = try text.name(&index)
    _ = try text.skipSpaces(&index)
    guard text[index] == UInt8(ascii: ">") else { throw text.stop(at: index) }
    guard scope.close(name.bytes) else { throw .unusual }
    countLines(to: index)
    handler.close(line: line)
    if handler.hasFailed { throw .unusual }
    at = index + 1
  }

  private mutating func startTag() throws(XMLStop) {
    var index = at + 1
    let name = try text.name(&index)
    attributes.removeAll()
    while true {
      let hasSpaces = try text.skipSpaces(&index)
      if text[index] == UInt8(ascii: ">") || text[index] == UInt8(ascii: "/") { break }
      guard hasSpaces else { throw text.stop(at: index) }
      let attribute = try text.name(&index)
      guard attributes.append(attribute, try text.value(&index)) else { throw .unusual }
    }
    let isEmpty = text[index] == UInt8(ascii: "/")
    if isEmpty, text[index + 1] != UInt8(ascii: ">") { throw text.stop(at: index + 1) }
    guard scope.depth > 0 || !rootHasBegun, scope.depth < XMLScope.depthLimit else { throw .unusual }
    rootHasBegun = true
    guard scope.open(name, attributes) else { throw .unusual }
    countLines(to: index)
    handler.open(name.bytes, attributes, line: line)
    if isEmpty {
      scope.close()
      handler.close(line: line)
    }
    if handler.hasFailed { throw .unusual }
    at = index + (isEmpty ? 2 : 1)
  }
}
