import Yams

/// Reads one YAML document into a tree of ``Node``, within budgets that no hostile file can exceed.
package struct YAMLDocument {
  /// Aliases are a convenience for a handful of repeated blocks, and the means of exponential files.
  static let aliasLimit = 20
  /// A bomb's size is its payload times what the aliases multiply it by, so both are kept small.
  static let byteLimitWithAliases = 64 * 1_024
  /// Of what the library reads, which takes as many times as long and as much memory.
  static let byteLimit = 4 * 1_024 * 1_024
  /// Far more than a scenario has, little enough to build in a moment.
  static let nodeLimit = 200_000
  static let depthLimit = 32
  /// Bytes of the longest line in which places within a text are told: in longer ones the column of the text has to do,
  /// as looking for each would take quadratic time.
  static let offsetLimit = 400

  package let root: Node

  /// - Parameter file: What the positions in it carry, see ``SourcePosition/file``.
  package init(_ source: SourceText, file: UInt16 = 0) throws(Diagnostic) {
    let (root, line) = PlainYAML.read(source.text, file: file)
    if let root {
      self.root = root
      return
    }
    guard source.text.utf8.count <= Self.byteLimit else {
      throw Diagnostic(
        "what stands here is not plain enough for a file of more than \(Self.byteLimit) bytes",
        file: source.file,
        at: SourcePosition(line: line, column: 1, file: file),
        hint:
          "write it without anchors, tags, tabs and texts of several lines, and put recordings into files of "
          + "their own", excerpt: source.excerpt(line))
    }
    self.root = try Self.read(source, file: file)
  }

  /// Reads whatever YAML there is, with the library.
  package static func read(_ source: SourceText, file: UInt16 = 0) throws(Diagnostic) -> Node {
    try checkAliases(source)
    let composed: Yams.Node?
    do {
      // All that is written is text here: to ask six patterns of every key whether it is a number or a date is for
      // nothing.
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
    var walk = Walk(source: source, file: file)
    return try walk.node(composed, depth: 1)
  }

  /// Counts what looks like an alias before YAML is read: reading is where a bomb goes off.
  ///
  /// A `*` that begins a word in a comment or a text counts too; nobody writes twenty of those.
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
          throw Diagnostic(
            message, file: source.file, at: position, hint: "write the repeated parts out",
            excerpt: source.excerpt(Int(position.line)))
        }
      }
      let startsWord = " \t\n\r[{,:-".unicodeScalars.contains(previous)
      candidate = scalar == "*" && startsWord ? offset : nil
      previous = scalar
      offset += 1
    }
  }
}

/// Copies a composed document node by node, counting.
private struct Walk {
  let source: SourceText
  let file: UInt16
  var count = 0

  mutating func node(_ node: Yams.Node, depth: Int) throws(Diagnostic) -> Node {
    let position =
      node.mark.map { SourcePosition(line: $0.line, column: $0.column, file: file) }
      ?? SourcePosition(line: 1, column: 1, file: file)
    count += 1
    guard count <= YAMLDocument.nodeLimit else {
      throw failure("more than \(YAMLDocument.nodeLimit) values", at: position)
    }
    guard depth <= YAMLDocument.depthLimit else {
      throw failure("nested more than \(YAMLDocument.depthLimit) deep", at: position)
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
          throw failure("a key must be a word, not \(keyNode.kindName)", at: keyNode.position)
        }
        guard name != "<<" else {
          throw failure("merge keys are not supported", at: keyNode.position, hint: "write the keys out")
        }
        entries.append(
          Node.Entry(
            key: name, keyPosition: keyNode.position, value: try self.node(value, depth: depth + 1)))
      }
      try refuseTorn(entries)
      return Node(content: .mapping(entries), position: position)
    case .alias:
      throw failure("an alias that stands for nothing", at: position)
    }
  }

  /// In `{title: Hello, world}` the comma ends the text, and what follows it is a key without a colon: nothing that
  /// anybody means. Numbers are left to those who know what stands there: `{at: 52.52, 13.405}`.
  private func refuseTorn(_ entries: [Node.Entry]) throws(Diagnostic) {
    guard let first = entries.firstIndex(where: isWithoutColon) else { return }
    let rest = entries[first...].prefix(while: isWithoutColon).map(\.key)
    guard first > 0, case .scalar(let beginning) = entries[first - 1].value.content, !beginning.isEmpty else {
      throw failure(
        "\(source.isOurs ? "'\(entries[first].key)'" : "a key") has no value", at: entries[first].keyPosition,
        hint: "in braces a key is followed by ': ' and its value; a list stands in [ ]")
    }
    if ([beginning] + rest).allSatisfy({ Double($0) != nil }) { return }
    let text = ([beginning] + rest).joined(separator: ", ")
    let quote = text.contains("'") ? "\"" : "'"
    // A text with both signs takes more than quotes.
    let isEasy = source.isOurs && !(quote == "\"" && #"\""#.contains(where: text.contains))
    throw failure(
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

  /// A plain `~` or `null` is the absence of a value, like nothing at all.
  private static func text(of scalar: Yams.Node.Scalar) -> String {
    scalar.style == .plain && ["~", "null"].contains(scalar.string) ? "" : scalar.string
  }

  /// 0 or 1 when the text stands in the source as it is, on one line.
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

  private func failure(_ message: String, at position: SourcePosition, hint: String? = nil) -> Diagnostic {
    Diagnostic(
      message, file: source.file, at: position, hint: hint, excerpt: source.excerpt(Int(position.line)))
  }
}
