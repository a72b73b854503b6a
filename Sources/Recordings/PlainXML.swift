import Foundation

/// Reads plain XML byte by byte and in pieces. Nearly all files are plain: UTF-8, elements with attributes
/// and declared prefixes, text, the five entities, character references by number, CDATA, comments and
/// instructions.
///
/// Foundation's parser reads all other XML, and reports the errors of malformed files. Other XML has, for
/// example, document type definitions, other encodings, names beyond ASCII, or single carriage returns. Both
/// parsers report the same events with the same lines. `bench readers` compares their speed.
struct PlainXML<Handler: XMLHandler>: ~Copyable {
  private var handler: Handler
  private var pieces: XMLPieces
  private var text: XMLText
  /// The start of the next token. It advances, and the handler receives the token, only if the token is
  /// complete.
  private var at = 0
  /// The line number at `counted`. Line breaks after that position are not counted yet.
  private var line = 1
  private var counted = 0
  private var scope = XMLScope()
  private var attributes = PlainXMLAttributes()
  private var rootHasBegun = false

  /// Returns the handler after it received the whole document, or `nil` if Foundation's parser must read the
  /// document.
  ///
  /// - Parameter piece: The number of bytes in memory at a time. It limits the length of a tag, a comment or
  ///   a text.
  /// - Complexity: O(bytes), with constant memory.
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
      guard readPiece() else { return false }
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
      guard readPiece() else { return isThrough && !pieces.isBroken }
    }
  }

  /// Replaces the piece with its unread rest and more bytes of the stream. Returns `false` if there were no
  /// more bytes.
  private mutating func readPiece() -> Bool {
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

  /// Reads the token at the current position.
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

  /// Reads `<![CDATA[ … ]]>`.
  private mutating func section() throws(XMLStop) {
    guard scope.depth > 0 else { throw .unusual }
    var index = at
    try text.expect("<![CDATA[", at: &index)
    let start = index
    index = try text.place(of: "]]>", from: start)
    if handler.isCollecting { handler.append(text.bytes(start..<index)) }
    at = index + 3
  }

  // MARK: Declarations and comments

  /// Reads `<?xml version="1.0" encoding="UTF-8"?>`. The declaration is optional. It must be at the start of
  /// the file, after an optional byte order mark.
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
    // XML reserves all names that start with `xml`.
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

/// Receives the contents of an XML document in order.
///
/// Bytes are valid only during the call. `line` is the line on which the tag ends. It is computed only if the
/// handler uses it.
protocol XMLHandler {
  /// Whether the handler needs the text at this position.
  var isCollecting: Bool { get }
  /// Whether the handler has failed and ignores all further events.
  var hasFailed: Bool { get }

  /// Receives the start of an element. `name` includes the prefix.
  mutating func open(
    _ name: UnsafeBufferPointer<UInt8>, _ attributes: some XMLAttributes, line: @autoclosure () -> Int)

  /// Receives the end of the element that was opened last.
  mutating func close(line: @autoclosure () -> Int)

  /// Receives a part of the current element's text, if ``isCollecting``.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>)
}

/// The attributes of an element.
protocol XMLAttributes {
  /// Returns what `read` returns for an attribute's value, or `nil` if the attribute is missing.
  func value<Found>(of name: StaticString, _ read: (UnsafeBufferPointer<UInt8>) -> Found?) -> Found?
}

extension [String: String]: XMLAttributes {
  func value<Found>(of name: StaticString, _ read: (UnsafeBufferPointer<UInt8>) -> Found?) -> Found? {
    guard var text = self["\(name)"] else { return nil }
    return text.withUTF8(read)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether the bytes equal a word.
  func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in indices where self[index] != word.utf8Start[index] { return false }
    return true
  }

  /// Whether the bytes start with `xml` in upper or lower case. The bit 0x20 lets a few other characters
  /// match too, but no name starts with them.
  var beginsWithXML: Bool {
    count >= 3 && self[0] | 0x20 == UInt8(ascii: "x") && self[1] | 0x20 == UInt8(ascii: "m")
      && self[2] | 0x20 == UInt8(ascii: "l")
  }
}

/// The current piece of a stream. A zero byte follows it.
struct XMLPieces: ~Copyable {
  let base: UnsafeMutablePointer<UInt8>
  /// The number of bytes in the piece.
  private(set) var end = 0
  /// Whether the stream could not be read to its end.
  private(set) var isBroken = false

  private let stream: InputStream
  private let capacity: Int

  /// - Parameter capacity: The maximum size of a piece in bytes.
  init(_ stream: InputStream, capacity: Int) {
    self.stream = stream
    self.capacity = capacity
    base = .allocate(capacity: capacity + 1)
    base[0] = 0
    stream.open()
  }

  deinit {
    stream.close()
    base.deallocate()
  }

  /// Drops the bytes before a position, moves the rest to the start, and fills the piece from the stream.
  ///
  /// Returns `false` if no bytes were added, because the stream has ended or the rest fills the capacity.
  mutating func advance(from place: Int) -> Bool {
    let rest = end - place
    base.update(from: base + place, count: rest)
    end = rest
    while end < capacity {
      let count = stream.read(base + end, maxLength: capacity - end)
      if count <= 0 {
        isBroken = count < 0
        break
      }
      end += count
    }
    base[end] = 0
    return end > rest
  }
}

/// The open elements and their declared prefixes.
struct XMLScope {
  /// The maximum nesting depth. The limit of libxml2 is 256.
  static let depthLimit = 200

  private(set) var depth = 0
  /// The names of the open elements, concatenated.
  private var names: [UInt8] = []
  private var ends: [Int] = []
  private var prefixes: [(name: [UInt8], depth: Int)] = []

  /// Opens an element. Returns `false` if a prefix is undeclared, or if libxml2 may reject a namespace
  /// declaration.
  mutating func open(_ name: XMLName, _ attributes: PlainXMLAttributes) -> Bool {
    depth += 1
    names.append(contentsOf: name.bytes)
    ends.append(names.count)
    for attribute in attributes.list where attribute.declaresNamespace {
      let hasPrefix = attribute.name.colon != nil
      guard XMLNamespace.isPlain(attribute.value, hasPrefix: hasPrefix) else { return false }
      if hasPrefix {
        guard !attribute.name.local.beginsWithXML else { return false }
        prefixes.append((Array(attribute.name.local), depth))
      }
    }
    return declares(name) && attributes.list.allSatisfy { $0.declaresNamespace || declares($0.name) }
  }

  /// Returns whether a name has no prefix or a declared prefix.
  private func declares(_ name: XMLName) -> Bool {
    guard let prefix = name.prefix else { return true }
    return prefixes.contains { $0.name.elementsEqual(prefix) }
  }

  /// Closes the element that was opened last. Returns `false` if its name differs.
  mutating func close(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let end = ends.last else { return false }
    let start = end - name.count
    guard start == (ends.count > 1 ? ends[ends.count - 2] : 0) else { return false }
    for index in name.indices where names[start + index] != name[index] { return false }
    close()
    return true
  }

  /// Closes the element that was opened last.
  mutating func close() {
    ends.removeLast()
    names.removeLast(names.count - (ends.last ?? 0))
    while let last = prefixes.last, last.depth == depth { prefixes.removeLast() }
    depth -= 1
  }
}
