import Recordings
import TextFormats

/// Parses reminders in NDJSON, a format for generated files. Each line is a JSON object with the reminder's
/// `name` and the keys of a reminder.
///
/// ```
/// {"name": "milk", "when": "arrive at shop", "if": "unlocked", "notify": "Buy milk"}
/// ```
struct ReminderLines {
  /// The file name extension.
  static let ending = ".ndjson"

  private static let nameKey = "name"

  private let source: SourceText
  private let file: UInt16

  /// Returns the declarations of all lines as a pack's `reminders` section.
  ///
  /// - Throws: An error for the first line that is not a JSON object or lacks a unique name.
  /// - Complexity: O(n) in the number of bytes.
  static func read(_ found: PackBytes, _ reader: Reader) throws(Diagnostic) -> [Node.Entry] {
    let source = try SourceText(file: found.name, bytes: found.bytes, isOurs: beginsWithName(found.bytes))
    return [try ReminderLines(source: source, file: reader.add(source)).section(found.bytes)]
  }

  /// Returns whether the first line has a name. A file without one may have other contents, such as secrets,
  /// so messages do not quote it.
  private static func beginsWithName(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var lines = LineReader(bytes)
      guard let line = lines.next() else { return false }
      var scanner = NDJSONScanner(line.bytes)
      do throws(ScanProblem) {
        try scanner.beginObject()
        while let key = try scanner.nextKey() {
          if key == "name" { return true }
          try scanner.skipValue()
        }
      } catch {}
      return false
    }
  }

  private func section(_ bytes: [UInt8]) throws(Diagnostic) -> Node.Entry {
    let start = SourcePosition(line: 1, column: 1, file: file)
    let reminders = try bytes.withUnsafeBufferPointer { bytes throws(Diagnostic) in
      try entries(LineReader(bytes))
    }
    guard !reminders.isEmpty else {
      throw Diagnostic(
        "the file is empty", file: source.file, at: start, hint: "each of its lines declares a reminder")
    }
    return Node.Entry(
      key: "reminders", keyPosition: start, value: Node(content: .mapping(reminders), position: start))
  }

  private func entries(_ all: LineReader) throws(Diagnostic) -> [Node.Entry] {
    var lines = all
    var entries: [Node.Entry] = []
    var places: [String: SourcePosition] = [:]
    while let line = lines.next() {
      let entry = try entry(line)
      if let first = places.updateValue(entry.keyPosition, forKey: entry.key) {
        throw problem(
          "'\(entry.key)' is already declared in line \(first.line)", at: entry.keyPosition,
          hint: "give each reminder a name of its own")
      }
      entries.append(entry)
    }
    return entries
  }

  private func entry(_ line: LineReader.Line) throws(Diagnostic) -> Node.Entry {
    let node: Node
    do throws(ScanProblem) {
      var scanner = NDJSONScanner(line.bytes)
      var places = LinePlaces(line, file: file)
      node = try Self.node(&scanner, &places)
      try scanner.endOfLine()
    } catch {
      var places = LinePlaces(line, file: file)
      throw problem(error.message, at: places.position(of: error.offset), hint: error.remedy)
    }
    guard case .mapping(var keys) = node.content else {
      throw problem(
        "a reminder must be an object, not \(node.kindName)", at: node.position,
        hint: "write {\"name\": …, \"when\": …, \"notify\": …}")
    }
    guard let index = keys.firstIndex(where: { $0.key == Self.nameKey }) else {
      throw problem(
        "the reminder has no name", at: node.position, hint: "each line has a \"\(Self.nameKey)\"")
    }
    let name = keys.remove(at: index).value
    guard case .scalar(let text) = name.content else {
      throw problem("a name must be a text, not \(name.kindName)", at: name.position, hint: nil)
    }
    return Node.Entry(
      key: text, keyPosition: name.position, value: Node(content: .mapping(keys), position: node.position))
  }

  private func problem(_ message: String, at position: SourcePosition, hint: String?) -> Diagnostic {
    Diagnostic(
      message, file: source.file, at: position, hint: hint, excerpt: source.excerpt(Int(position.line)))
  }

  // MARK: JSON

  /// Parses the next value of a line. Numbers keep their spelling, as in YAML files.
  private static func node(
    _ scanner: inout NDJSONScanner, _ places: inout LinePlaces
  ) throws(ScanProblem) -> Node {
    switch scanner.peek() {
    case .object:
      try scanner.beginObject()
      let position = places.position(of: scanner.start)
      var entries: [Node.Entry] = []
      while let key = try scanner.nextKey() {
        let name = key.string
        if entries.contains(where: { $0.key == name }) { throw scanner.repeatedKey(key) }
        let keyPosition = places.position(of: scanner.start)
        entries.append(
          Node.Entry(key: name, keyPosition: keyPosition, value: try node(&scanner, &places)))
      }
      return Node(content: .mapping(entries), position: position)
    case .array:
      try scanner.beginArray()
      let position = places.position(of: scanner.start)
      var items: [Node] = []
      while try scanner.nextElement() { items.append(try node(&scanner, &places)) }
      return Node(content: .sequence(items), position: position)
    case .string:
      let text = try scanner.string()
      return Node(
        content: .scalar(text.string), position: places.position(of: scanner.start),
        textOffset: text.hasEscapes ? nil : 1)
    case .number:
      let begin = scanner
      _ = try scanner.decimal()
      let digits = begin.bytes(upTo: scanner).drop { $0 <= 0x20 }
      return Node(
        content: .scalar(String(decoding: digits, as: UTF8.self)),
        position: places.position(of: scanner.start), textOffset: 0)
    case .truth:
      let truth = try scanner.truth()
      return Node(
        content: .scalar(truth ? "true" : "false"), position: places.position(of: scanner.start),
        textOffset: 0)
    case .null, nil:
      // For any other token, this call throws an error.
      try scanner.null()
      return Node(content: .scalar(""), position: places.position(of: scanner.start))
    }
  }
}

/// Computes the columns of a line. Positions must be requested from left to right, so that each byte is
/// counted only once.
private struct LinePlaces {
  private let line: LineReader.Line
  private let file: UInt16
  private var counted = 0
  private var scalars = 0

  init(_ line: LineReader.Line, file: UInt16) {
    self.line = line
    self.file = file
  }

  mutating func position(of offset: Int) -> SourcePosition {
    for byte in line.bytes[counted..<max(counted, offset)] where byte & 0xC0 != 0x80 { scalars += 1 }
    counted = max(counted, offset)
    return SourcePosition(line: line.number, column: scalars + 1, file: file)
  }
}
