import Yams

/// Parses a YAML document into a tree of ``Node``, within limits that protect against hostile files.
package struct YAMLDocument {
  /// The maximum number of aliases. Aliases are useful for a few repeated blocks, but nested aliases let a
  /// document grow exponentially.
  static let aliasLimit = 20
  /// The maximum size in bytes of a file with aliases. Each alias may copy most of the file, so both the size
  /// and the number of aliases are limited.
  static let byteLimitWithAliases = 64 * 1_024
  /// The maximum size in bytes of a file that Yams parses. Yams needs several times the time and memory of
  /// ``PlainYAML``.
  static let byteLimit = 4 * 1_024 * 1_024
  /// The maximum number of nodes. Scenarios need far fewer, and a tree of this size is built quickly.
  static let nodeLimit = 200_000
  static let depthLimit = 32
  /// The maximum length in bytes of a line in which each character of a string has an exact position. In a
  /// longer line, finding all positions would take quadratic time, so the position of the whole string is
  /// used.
  static let offsetLimit = 400

  package let root: Node

  /// - Parameter file: The file number for the document's positions. See ``SourcePosition/file``.
  package init(_ source: SourceText, file: UInt16 = 0) throws(Diagnostic) {
    let (root, line) = PlainYAML.read(source.text, file: file)
    if let root {
      self.root = root
      return
    }
    guard source.text.utf8.count <= Self.byteLimit else {
      throw source.error(
        "this needs YAML features that a file of more than \(Self.byteLimit) bytes cannot use",
        at: SourcePosition(line: line, column: 1, file: file),
        hint: "write it without anchors, tags, tabs and texts of several lines, and put recordings into "
          + "files of their own")
    }
    self.root = try Self.read(source, file: file)
  }

  /// Parses any YAML with Yams.
  package static func read(_ source: SourceText, file: UInt16 = 0) throws(Diagnostic) -> Node {
    try checkAliases(source)
    let composed: Yams.Node?
    do {
      // The basic resolver reads all scalars as strings. The default resolver would match each one against
      // six patterns for numbers and dates.
      composed = try Yams.compose(yaml: source.text, .basic)
    } catch let error as YamlError {
      throw diagnostic(for: error, in: source)
    } catch {
      throw Diagnostic("the file cannot be read as YAML", file: source.file)
    }
    guard let composed else {
      throw Diagnostic(
        "the file is empty", file: source.file, at: SourcePosition(line: 1, column: 1, file: file),
        hint: file == 0 ? "'triggerbench init' writes a first scenario" : "a pack begins with 'kind: pack'")
    }
    var walk = NodeCopier(source: source, file: file)
    return try walk.node(composed, depth: 1)
  }

  /// Counts probable aliases, and throws if there are too many. This happens before parsing, because parsing
  /// already expands aliases.
  ///
  /// A `*` at the start of a word in a comment or a string is counted too. A file is unlikely to contain more
  /// than twenty of them.
  private static func checkAliases(_ source: SourceText) throws(Diagnostic) {
    var count = 0
    var offset = 0
    var previous: Unicode.Scalar = " "
    var candidate: Int?
    for scalar in source.text.unicodeScalars {
      if candidate != nil, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" {
        count += 1
        if count > aliasLimit || source.text.utf8.count > byteLimitWithAliases {
          let position = source.position(ofScalar: offset - 1)
          let message =
            count > aliasLimit
            ? "more than \(aliasLimit) aliases"
            : "an alias in a file of more than \(byteLimitWithAliases) bytes"
          throw source.error(message, at: position, hint: "write the repeated parts out")
        }
      }
      let startsWord = " \t\n\r[{,:-".unicodeScalars.contains(previous)
      candidate = scalar == "*" && startsWord ? offset : nil
      previous = scalar
      offset += 1
    }
  }
}

/// Copies a composed document node by node, and counts the nodes.
private struct NodeCopier {
  let source: SourceText
  let file: UInt16
  var count = 0

  mutating func node(_ node: Yams.Node, depth: Int) throws(Diagnostic) -> Node {
    let position =
      node.mark.map { SourcePosition(line: $0.line, column: $0.column, file: file) }
      ?? SourcePosition(line: 1, column: 1, file: file)
    count += 1
    guard count <= YAMLDocument.nodeLimit else {
      throw source.error("more than \(YAMLDocument.nodeLimit) values", at: position)
    }
    guard depth <= YAMLDocument.depthLimit else {
      throw source.error("nested more than \(YAMLDocument.depthLimit) deep", at: position)
    }
    switch node {
    case .scalar(let scalar):
      return Node(
        content: .scalar(Self.text(of: scalar)), position: position,
        textOffset: textOffset(of: scalar, at: position))
    case .sequence(let sequence):
      var items: [Node] = []
      for item in sequence { items.append(try self.node(item, depth: depth + 1)) }
      return Node(content: .sequence(items), position: position)
    case .mapping(let mapping):
      var entries: [Node.Entry] = []
      for (key, value) in mapping {
        let keyNode = try self.node(key, depth: depth + 1)
        guard case .scalar(let name) = keyNode.content else {
          throw source.error("a key must be a word, not \(keyNode.kindName)", at: keyNode.position)
        }
        guard name != "<<" else {
          throw source.error("merge keys are not supported", at: keyNode.position, hint: "write the keys out")
        }
        entries.append(
          Node.Entry(
            key: name, keyPosition: keyNode.position, value: try self.node(value, depth: depth + 1)))
      }
      try refuseDividedText(entries)
      return Node(content: .mapping(entries), position: position)
    case .alias:
      throw source.error("an alias without a value", at: position)
    }
  }

  /// Rejects a string that is split at an unquoted comma. In `{title: Hello, world}`, the comma ends the
  /// string, and the rest is a key without a colon. Formats handle split numbers, as in `{at: 52.52,
  /// 13.405}`.
  private func refuseDividedText(_ entries: [Node.Entry]) throws(Diagnostic) {
    guard let first = entries.firstIndex(where: isWithoutColon) else { return }
    let rest = entries[first...].prefix(while: isWithoutColon).map(\.key)
    guard first > 0, case .scalar(let beginning) = entries[first - 1].value.content, !beginning.isEmpty else {
      throw source.error(
        "\(source.isOurs ? "'\(entries[first].key)'" : "a key") has no value", at: entries[first].keyPosition,
        hint: "in braces a key is followed by ': ' and its value; write a list in [ ]")
    }
    if ([beginning] + rest).allSatisfy({ Double($0) != nil }) { return }
    let text = ([beginning] + rest).joined(separator: ", ")
    let quote = text.contains("'") ? "\"" : "'"
    // If the string contains both quotation marks, it also needs escapes.
    let isEasy = source.isOurs && !(quote == "\"" && #"\""#.contains(where: text.contains))
    throw source.error(
      "a text with a comma in it must be quoted within braces", at: entries[first - 1].value.position,
      hint: isEasy ? "write \(entries[first - 1].key): \(quote)\(text)\(quote)" : "put it into quotes")
  }

  private func isWithoutColon(_ entry: Node.Entry) -> Bool {
    guard case .scalar("") = entry.value.content,
      let line = source.slice(ofLine: Int(entry.keyPosition.line)),
      line.utf8.count <= YAMLDocument.offsetLimit
    else { return false }
    let behind = line.unicodeScalars.dropFirst(Int(entry.keyPosition.column) - 1)
    return behind.starts(with: entry.key.unicodeScalars)
      && behind.dropFirst(entry.key.unicodeScalars.count).first { $0 != " " } != ":"
  }

  /// Returns the text of a scalar. An unquoted `~` or `null` means that there is no value.
  private static func text(of scalar: Yams.Node.Scalar) -> String {
    scalar.style == .plain && ["~", "null"].contains(scalar.string) ? "" : scalar.string
  }

  /// Returns the offset of the string in the source, 0 or 1, or `nil` if the string is not literally on one
  /// line.
  private func textOffset(of scalar: Yams.Node.Scalar, at position: SourcePosition) -> Int? {
    let offset: Int
    switch scalar.style {
    case .plain, .any: offset = 0
    case .singleQuoted, .doubleQuoted: offset = 1
    case .literal, .folded: return nil
    @unknown default: return nil
    }
    guard let line = source.slice(ofLine: Int(position.line)), line.utf8.count <= YAMLDocument.offsetLimit
    else { return nil }
    let rest = line.unicodeScalars.dropFirst(Int(position.column) - 1 + offset)
    return rest.starts(with: scalar.string.unicodeScalars) ? offset : nil
  }
}
