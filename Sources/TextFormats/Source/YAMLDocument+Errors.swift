import Yams

extension YAMLDocument {
  /// A message made of the error's case and mark: its own description repeats the whole file.
  static func diagnostic(for error: YamlError, in source: SourceText) -> Diagnostic {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _):
      let position = SourcePosition(line: mark.line, column: mark.column)
      if problem.contains("nesting") {
        return failure(
          "nested more than a thousand deep", at: position, hint: "a scenario needs no deep nesting",
          in: source)
      }
      if let slip = YAMLSlips(source).find(problem, at: position) {
        return failure("not valid YAML: \(slip.message)", at: slip.position, hint: slip.hint, in: source)
      }
      return failure("not valid YAML: \(problem)", at: position, hint: hint(for: problem), in: source)
    case .composer(_, let problem, let mark, _):
      let position = SourcePosition(line: mark.line, column: mark.column)
      if problem.contains("another document") {
        return failure(
          "a second document begins here", at: position, hint: "put each scenario into a file of its own",
          in: source)
      }
      return failure(
        "an alias without an anchor before it", at: position,
        hint: "an anchor must be complete before it is used; it cannot contain itself", in: source)
    case .reader(let problem, let offset, _, _):
      // The offset counts characters; a scalar count differs from it only behind combined characters.
      let position = offset.map { characterPosition($0, in: source) }
      return failure("not valid YAML: \(problem)", at: position ?? .start, hint: nil, in: source)
    case .duplicatedKeysInMapping(let names, let context):
      let first = SourcePosition(line: context.mark.line, column: context.mark.column)
      guard source.isOurs else {
        return failure("a key is given twice", at: first, hint: "remove one of them", in: source)
      }
      let name = names.first ?? ""
      let second = secondOccurrence(of: name, after: first, in: source)
      return failure(
        "'\(name)' is already given in line \(first.line)", at: second ?? first, hint: "remove one of them",
        in: source)
    default:
      return Diagnostic("the file cannot be read as YAML", file: source.file)
    }
  }

  private static func failure(
    _ message: String, at position: SourcePosition, hint: String?, in source: SourceText
  ) -> Diagnostic {
    Diagnostic(
      message, file: source.file, at: position, hint: hint, excerpt: source.excerpt(Int(position.line)))
  }

  private static func characterPosition(_ offset: Int, in source: SourceText) -> SourcePosition {
    let text = source.text
    let end = text.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex) ?? text.endIndex
    return SourceText(file: source.file, text: String(text[..<end])).endPosition
  }

  /// What usually causes the parser's complaint.
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
    if problem.contains("expected node content") { return "a value is missing, or a comma too many" }
    return nil
  }

  /// The mark of a duplicate is its first occurrence; the second is looked for in the text: in a block
  /// on a later line at the same column, otherwise behind a brace or comma.
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

  /// The columns at which a line has the key, quoted or not, with its colon.
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
