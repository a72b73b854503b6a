/// What the author of a file that is no YAML most likely did, and where: the parser says where it noticed, which
/// for a quote that was never closed is the end of the file.
struct YAMLSlips {
  /// Something that is wrong with the text.
  struct Slip: Hashable {
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

  /// - Parameter position: Where the parser noticed it.
  func find(_ problem: String, at position: SourcePosition) -> Slip? {
    if let slip = tab(at: position) ?? unclosed(before: position) { return slip }
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

  private func tab(at position: SourcePosition) -> Slip? {
    let line = lines[safe: Int(position.line) - 1] ?? []
    guard line[safe: Int(position.column) - 1] == "\t" else { return nil }
    return Slip(
      position: position, message: "a tab stands where only spaces may stand", hint: "indent with spaces")
  }

  /// The last line before this one that is neither empty nor a comment, counted from 1.
  private func entry(before number: Int) -> Int {
    var number = number - 1
    while let line = lines[safe: number - 1],
      line.count == Self.indentation(line) || line[Self.indentation(line)] == "#"
    {
      number -= 1
    }
    return number
  }

  /// `when:enter shop` or `-08:10 unlock`, in the line that the parser stopped at or in the one before.
  private func noSpace(behind sign: Unicode.Scalar, near position: SourcePosition) -> Slip? {
    for number in [entry(before: Int(position.line)), Int(position.line)] {
      guard let line = lines[safe: number - 1] else { continue }
      let start = Self.indentation(line)
      let name = sign == "-" ? 0 : line[start...].prefix { Self.isName($0) }.count
      // What begins with a digit is a time, such as 08:10.
      guard sign == "-" || name > 0 && !("0"..."9").contains(line[start]), line[safe: start + name] == sign,
        let next = line[safe: start + name + 1], next != " ", next != sign, next != "/"
      else { continue }
      let column = start + name + 2
      return Slip(
        position: SourcePosition(line: number, column: column),
        message: "a space is missing behind '\(sign)'",
        hint: sign == "-" ? "items of a list begin with '- '" : "a key is followed by ': '")
    }
    return nil
  }

  /// The line before the one where the parser stopped is no key and no item.
  private func noColon(before position: SourcePosition) -> Slip? {
    let number = entry(before: Int(position.line))
    guard let line = lines[safe: number - 1] else { return nil }
    let start = Self.indentation(line)
    guard line[start] != "-" else { return nil }
    if let above = lines[safe: entry(before: number) - 1], Self.indentation(above) == start,
      above[start...].starts(with: "- ".unicodeScalars), !Self.isKey(line)
    {
      return Slip(
        position: SourcePosition(line: number, column: start + 1),
        message: "this is no item of the list above it", hint: "an item begins with '- '")
    }
    guard !line.contains(":") else { return nil }
    let sign = line.firstIndex(of: "=")
    return Slip(
      position: SourcePosition(line: number, column: (sign ?? start) + 1),
      message: sign == nil
        ? "this line is neither a key nor an item" : "'=' does not separate a key from its value",
      hint: sign == nil ? "a key ends in ':', and an item begins with '- '" : "write ':' and a space")
  }

  // MARK: What is opened

  /// A quote or bracket that is not closed where the next line shows that it should have been.
  private func unclosed(before position: SourcePosition) -> Slip? {
    var scan = OpeningScan()
    for (index, line) in lines.enumerated() {
      if let slip = scan.take(line, number: index + 1) {
        return slip.position <= position ? slip : nil
      }
    }
    return scan.atTheEnd
  }

  fileprivate static func indentation(_ line: [Unicode.Scalar]) -> Int {
    line.prefix { $0 == " " }.count
  }

  /// `key:` or `key: value`.
  private static func isKey(_ line: [Unicode.Scalar]) -> Bool {
    let behind = line.drop { $0 == " " }.drop { isName($0) }
    return behind.first == ":" && (behind.dropFirst().first ?? " ") == " "
  }

  fileprivate static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "_.".unicodeScalars.contains(scalar)
  }
}

/// Follows quotes and brackets from line to line.
private struct OpeningScan {
  private struct Opening {
    var sign: Unicode.Scalar
    var position: SourcePosition
    /// Of the line that it stands in.
    var indentation: Int
  }

  private var quote: Opening?
  private var brackets: [Opening] = []
  /// The indentation of the key whose text stands on the lines below, after '|' or '>'.
  private var blockText: Int?

  /// - Returns: What this line shows to be wrong.
  mutating func take(_ line: [Unicode.Scalar], number: Int) -> YAMLSlips.Slip? {
    let indentation = YAMLSlips.indentation(line)
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

  /// What the end of the file shows to be wrong.
  var atTheEnd: YAMLSlips.Slip? { (quote ?? brackets.last).map(Self.open) }

  private mutating func scan(_ line: [Unicode.Scalar], _ number: Int, _ indentation: Int) -> YAMLSlips.Slip? {
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

  /// `- ` or `key: `.
  private static func beginsEntry(_ line: [Unicode.Scalar], _ indentation: Int) -> Bool {
    let rest = line[indentation...]
    if rest.first == "-" { return rest.dropFirst().first == " " }
    let behind = rest.drop { YAMLSlips.isName($0) }
    return behind.count < rest.count && behind.first == ":" && (behind.dropFirst().first ?? " ") == " "
  }

  private static func open(_ opening: Opening) -> YAMLSlips.Slip {
    YAMLSlips.Slip(
      position: opening.position,
      message:
        "the \(closing[opening.sign] == nil ? "quote" : "'\(opening.sign)'") that stands here is not closed",
      hint: closing[opening.sign].map { "write '\($0)' where it ends" }
        ?? "write it again where the text ends")
  }

  private static func closedTooEarly(_ opening: Opening) -> YAMLSlips.Slip {
    YAMLSlips.Slip(
      position: opening.position,
      message: "the text in quotes that begins here goes on behind its last quote",
      hint: opening.sign == "'"
        ? "write an apostrophe in it twice, or put it into \"" : "write a quote in it as \\\"")
  }

  private static let closing: [Unicode.Scalar: Unicode.Scalar] = ["[": "]", "{": "}"]
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
