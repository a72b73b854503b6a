import Yams

extension YAMLDocument {
  /// Returns a diagnostic for the error's case and mark. The error's own description would contain the whole
  /// file.
  static func diagnostic(for error: YamlError, in source: SourceText) -> Diagnostic {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
      let position = SourcePosition(line: mark.line, column: mark.column)
      if problem.contains("nesting") {
        return source.error(
          "nested more than a thousand deep", at: position, hint: "a scenario needs no deep nesting")
      }
      if let mistake = YAMLMistakes(source).find(problem, at: position) {
        return source.error("not valid YAML: \(mistake.message)", at: mistake.position, hint: mistake.hint)
      }
      return source.error("not valid YAML: \(problem)", at: position, hint: hint(for: problem))
    case .composer(_, let problem, let mark, _):
      let position = SourcePosition(line: mark.line, column: mark.column)
      if problem.contains("another document") {
        return source.error(
          "a second document begins here", at: position, hint: "put each scenario into a file of its own")
      }
      return source.error(
        "an alias without an anchor before it", at: position,
        hint: "an anchor must be complete before it is used; it cannot contain itself")
    case .reader(let problem, let offset, _, _):
      // The offset counts characters, not scalars. They differ only after combined characters.
      let position = offset.map { characterPosition($0, in: source) }
      return source.error("not valid YAML: \(problem)", at: position ?? .start)
    case .duplicatedKeysInMapping(let names, let context):
      let first = SourcePosition(line: context.mark.line, column: context.mark.column)
      guard source.isOurs else {
        return source.error("a key is given twice", at: first, hint: "remove one of them")
      }
      let name = names.first ?? ""
      let second = secondOccurrence(of: name, after: first, in: source)
      return source.error(
        "'\(name)' is already given in line \(first.line)", at: second ?? first, hint: "remove one of them")
    default:
      return Diagnostic("the file cannot be read as YAML", file: source.file)
    }
  }

  private static func characterPosition(_ offset: Int, in source: SourceText) -> SourcePosition {
    let text = source.text
    let end = text.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex) ?? text.endIndex
    return SourceText(file: source.file, text: String(text[..<end])).endPosition
  }

  /// Returns a hint about the usual cause of a parser error, or `nil` if the cause is unknown.
  private static func hint(for problem: String) -> String? {
    if problem.contains("cannot start any token") {
      return "indent with spaces, and put texts that begin with a special character into quotes"
    }
    if problem.contains("mapping values are not allowed") {
      return "put a text that contains ': ' into quotes, or check the indentation"
    }
    if problem.contains("unexpected end of stream") || problem.contains("expected ',' or") {
      return "close the bracket or quote that was opened"
    }
    if problem.contains("expected key") || problem.contains("expected ':'") || problem.contains("block end")
      || problem.contains("expected '-'")
    {
      return "check the indentation, and that every key ends in ':'"
    }
    if problem.contains("expected node content") { return "a value is missing, or there is an extra comma" }
    return nil
  }

  /// Finds the second occurrence of a duplicate key. The error marks the first one. In block style, the
  /// second one is on a later line in the same column. In flow style, it follows a brace or a comma.
  private static func secondOccurrence(
    of key: String, after first: SourcePosition, in source: SourceText
  ) -> SourcePosition? {
    var number = Int(first.line)
    var inFlow: SourcePosition?
    while let line = source.line(number) {
      for column in columns(of: key, in: line) {
        let position = SourcePosition(line: number, column: column)
        guard position > first else { continue }
        if column == Int(first.column) { return position }
        if inFlow == nil, let before = lastVisible(before: column, in: line), before == "{" || before == "," {
          inFlow = position
        }
      }
      if let inFlow, number == Int(first.line) { return inFlow }
      number += 1
    }
    return inFlow
  }

  /// Returns the columns at which a line contains the key and a colon. The key may be quoted.
  private static func columns(of key: String, in line: String) -> [Int] {
    let scalars = Array(line.unicodeScalars)
    var columns: [Int] = []
    for spelling in [key, "'\(key)'", "\"\(key)\""] {
      let wanted = Array(spelling.unicodeScalars)
      guard !wanted.isEmpty, scalars.count > wanted.count else { continue }
      for start in 0..<(scalars.count - wanted.count) where scalars[start...].starts(with: wanted) {
        let behind = scalars[(start + wanted.count)...].first { $0 != " " }
        if behind == ":" { columns.append(start + 1) }
      }
    }
    return columns.sorted()
  }

  private static func lastVisible(before column: Int, in line: String) -> Unicode.Scalar? {
    line.unicodeScalars.prefix(column - 1).last { $0 != " " }
  }
}

/// Finds the author's probable mistake in invalid YAML. The parser often reports a position far away from the
/// mistake, for example the end of the file if a quote is not closed.
struct YAMLMistakes {
  /// A mistake in the text, with its correction.
  struct Mistake: Hashable {
    var position: SourcePosition
    var message: String
    var hint: String
  }

  private let lines: [[Unicode.Scalar]]

  init(_ source: SourceText) {
    var lines: [[Unicode.Scalar]] = []
    while let line = source.slice(ofLine: lines.count + 1) { lines.append(Array(line.unicodeScalars)) }
    self.lines = lines
  }

  /// - Parameter position: The position at which the parser detected the problem.
  func find(_ problem: String, at position: SourcePosition) -> Mistake? {
    if let mistake = tab(at: position) ?? unclosed(before: position) { return mistake }
    if problem.contains("mapping values are not allowed") { return noSpace(behind: ":", near: position) }
    if problem.contains("expected ':'") || problem.contains("expected key")
      || problem.contains("expected '-'")
    {
      return noSpace(behind: "-", near: position) ?? noSpace(behind: ":", near: position)
        ?? noColon(before: position)
    }
    return nil
  }

  // MARK: Lines

  private func tab(at position: SourcePosition) -> Mistake? {
    let line = lines[safe: Int(position.line) - 1] ?? []
    guard line[safe: Int(position.column) - 1] == "\t" else { return nil }
    return Mistake(
      position: position, message: "a tab is used where only spaces are allowed", hint: "indent with spaces")
  }

  /// Returns the number of the last line before `number` that is neither empty nor a comment, from 1.
  private func entry(before number: Int) -> Int {
    var number = number - 1
    while let line = lines[safe: number - 1],
      line.count == Self.indentation(line) || line[Self.indentation(line)] == "#"
    {
      number -= 1
    }
    return number
  }

  /// Finds a missing space, as in `when:enter shop` or `-08:10 unlock`. Searches the line that the parser
  /// reported and the entry before it.
  private func noSpace(behind sign: Unicode.Scalar, near position: SourcePosition) -> Mistake? {
    for number in [entry(before: Int(position.line)), Int(position.line)] {
      guard let line = lines[safe: number - 1] else { continue }
      let start = Self.indentation(line)
      let name = sign == "-" ? 0 : line[start...].prefix { Self.isName($0) }.count
      // A name that starts with a digit is a time, for example 08:10.
      guard sign == "-" || name > 0 && !("0"..."9").contains(line[start]), line[safe: start + name] == sign,
        let next = line[safe: start + name + 1], next != " ", next != sign, next != "/"
      else { continue }
      let column = start + name + 2
      return Mistake(
        position: SourcePosition(line: number, column: column),
        message: "a space is missing after '\(sign)'",
        hint: sign == "-" ? "items of a list begin with '- '" : "a key is followed by ': '")
    }
    return nil
  }

  /// Returns a mistake if the previous line is neither a key nor an item.
  private func noColon(before position: SourcePosition) -> Mistake? {
    let number = entry(before: Int(position.line))
    guard let line = lines[safe: number - 1] else { return nil }
    let start = Self.indentation(line)
    guard line[start] != "-" else { return nil }
    if let above = lines[safe: entry(before: number) - 1], Self.indentation(above) == start,
      above[start...].starts(with: "- ".unicodeScalars), !Self.isKey(line)
    {
      return Mistake(
        position: SourcePosition(line: number, column: start + 1),
        message: "this is not an item of the list above it", hint: "an item begins with '- '")
    }
    guard !line.contains(":") else { return nil }
    let sign = line.firstIndex(of: "=")
    return Mistake(
      position: SourcePosition(line: number, column: (sign ?? start) + 1),
      message: sign == nil
        ? "this line is neither a key nor an item" : "'=' does not separate a key from its value",
      hint: sign == nil ? "a key ends in ':', and an item begins with '- '" : "write ':' and a space")
  }

  // MARK: Open brackets and quotes

  /// Finds a quote or a bracket that must be unclosed, because a later line starts a new entry.
  private func unclosed(before position: SourcePosition) -> Mistake? {
    var scan = OpenDelimiters()
    for (index, line) in lines.enumerated() {
      if let mistake = scan.take(line, number: index + 1) {
        return mistake.position <= position ? mistake : nil
      }
    }
    return scan.mistakeAtEnd
  }

  fileprivate static func indentation(_ line: [Unicode.Scalar]) -> Int {
    line.prefix { $0 == " " }.count
  }

  /// Returns whether a line is `key:` or `key: value`.
  private static func isKey(_ line: [Unicode.Scalar]) -> Bool {
    let behind = line.drop { $0 == " " }.drop { isName($0) }
    return behind.first == ":" && (behind.dropFirst().first ?? " ") == " "
  }

  fileprivate static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_.".unicodeScalars.contains(scalar)
  }
}

/// Tracks open quotes and brackets across lines.
private struct OpenDelimiters {
  private struct Opening {
    var sign: Unicode.Scalar
    var position: SourcePosition
    /// The indentation of the line with the opening delimiter.
    var indentation: Int
  }

  private var quote: Opening?
  private var brackets: [Opening] = []
  /// The indentation of the key whose text block after `|` or `>` is open, or `nil` if there is none.
  private var blockText: Int?

  /// Processes a line. Returns the mistake that the line reveals, or `nil` if there is none.
  mutating func take(_ line: [Unicode.Scalar], number: Int) -> YAMLMistakes.Mistake? {
    let indentation = YAMLMistakes.indentation(line)
    if indentation == line.count { return nil }
    if let outer = blockText {
      if indentation > outer { return nil }
      blockText = nil
    }
    if let quote, Self.beginsEntry(line, indentation) { return Self.open(quote) }
    if let bracket = brackets.last, quote == nil, indentation <= bracket.indentation,
      Self.beginsEntry(line, indentation)
    {
      return Self.open(bracket)
    }
    return scan(line, number, indentation)
  }

  /// The mistake of a quote or bracket that is still open at the end of the file, or `nil` if none is open.
  var mistakeAtEnd: YAMLMistakes.Mistake? { (quote ?? brackets.last).map(Self.open) }

  private mutating func scan(_ line: [Unicode.Scalar], _ number: Int, _ indentation: Int) -> YAMLMistakes
    .Mistake?
  {
    var column = 0
    var last: Unicode.Scalar?
    while column < line.count {
      let sign = line[column]
      if let open = quote {
        let next = line[safe: column + 1]
        if sign == "\\" && open.sign == "\"" || sign == "'" && open.sign == "'" && next == "'" {
          column += 1
        } else if sign == open.sign {
          quote = nil
          let behind = line[(column + 1)...].first { $0 != " " }
          if let behind, !",]}:#".unicodeScalars.contains(behind) { return Self.closedTooEarly(open) }
        }
      } else if sign == "#", column == 0 || line[column - 1] == " " {
        return nil
      } else {
        let opening = Opening(
          sign: sign, position: SourcePosition(line: number, column: column + 1), indentation: indentation)
        take(opening, isAtStart: last.map { ":-,[{".unicodeScalars.contains($0) } ?? true)
      }
      if sign != " " { last = sign }
      column += 1
    }
    if brackets.isEmpty, quote == nil, let last, "|>".unicodeScalars.contains(last) {
      blockText = indentation
    }
    return nil
  }

  private mutating func take(_ opening: Opening, isAtStart: Bool) {
    switch opening.sign {
    case "\"", "'": if isAtStart { quote = opening }
    case "[", "{": if isAtStart { brackets.append(opening) }
    case "]", "}": _ = brackets.popLast()
    default: break
    }
  }

  /// Returns whether a line starts with `- ` or `key: `.
  private static func beginsEntry(_ line: [Unicode.Scalar], _ indentation: Int) -> Bool {
    let rest = line[indentation...]
    if rest.first == "-" { return rest.dropFirst().first == " " }
    let behind = rest.drop { YAMLMistakes.isName($0) }
    return behind.count < rest.count && behind.first == ":" && (behind.dropFirst().first ?? " ") == " "
  }

  private static func open(_ opening: Opening) -> YAMLMistakes.Mistake {
    YAMLMistakes.Mistake(
      position: opening.position,
      message:
        "the \(closing[opening.sign] == nil ? "quote" : "'\(opening.sign)'") that opens here is not closed",
      hint: closing[opening.sign].map { "write '\($0)' where it ends" }
        ?? "write it again where the text ends")
  }

  private static func closedTooEarly(_ opening: Opening) -> YAMLMistakes.Mistake {
    YAMLMistakes.Mistake(
      position: opening.position,
      message: "the quoted text that begins here continues after its closing quote",
      hint: opening.sign == "'"
        ? "write each apostrophe in it twice, or use the quotes \"" : "write a quote in it as \\\"")
  }

  private static let closing: [Unicode.Scalar: Unicode.Scalar] = ["[": "]", "{": "}"]
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
