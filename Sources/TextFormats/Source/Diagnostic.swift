/// An error or a warning about a file, with its position, the problem and a hint.
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable {
    /// The file is unusable.
    case error
    /// The file is usable, but may not mean what its author intended.
    case warning
  }

  package var severity: Severity
  package var file: String
  /// The position of the problem, or `nil` for the file as a whole.
  package var position: SourcePosition?
  package var message: String
  /// A hint about the solution, which continues the sentence in ``message``.
  package var hint: String?
  /// The line of the file at ``position``.
  package var excerpt: String?

  package init(
    _ message: String, severity: Severity = .error, file: String, at position: SourcePosition? = nil,
    hint: String? = nil, excerpt: String? = nil
  ) {
    self.severity = severity
    self.file = file
    self.position = position
    self.message = message
    self.hint = hint
    self.excerpt = excerpt
  }

  /// The text `file:line:column: error: message; hint`.
  package var summary: String {
    var place = file
    if let position { place += ":\(position.line):\(position.column)" }
    return "\(place): \(severity.rawValue): \(message)" + (hint.map { "; \($0)" } ?? "")
  }

  /// Returns the summary, the line of the file, and a caret below the column. Each ends with a line feed.
  package func rendered() -> String {
    guard let position, let excerpt, excerpt.contains(where: { !$0.isWhitespace }) else {
      return summary + "\n"
    }
    let shown = Self.window(of: excerpt, around: Int(position.column))
    // Tabs are kept, so that a terminal aligns the caret with the character.
    let indent = shown.text.unicodeScalars.prefix(shown.column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
    return summary + "\n  " + shown.text + "\n  " + indent + "^\n"
  }

  /// Truncates a line to a readable width around a column. Returns the part and the column within it.
  private static func window(of line: String, around column: Int) -> (text: String, column: Int) {
    let width = 110
    let scalars = Array(line.unicodeScalars)
    guard scalars.count > width else { return (line, column) }
    let first = max(0, min(column - width / 2, scalars.count - width))
    let cut = String.UnicodeScalarView(scalars[first..<min(first + width, scalars.count)])
    return (String(cut), column - first)
  }
}

extension Sequence where Element == Diagnostic {
  /// Returns the diagnostics as text: the first 20 of each file, and the number of the others. The limit
  /// exists because a single mistake at the top of a file can cause thousands of errors below it.
  package func rendered() -> String {
    let limit = 20
    var text = ""
    var counts: [String: Int] = [:]
    var said: Set<Diagnostic> = []
    // Every scenario that includes a pack reports the problems of that pack, so repeated diagnostics are
    // skipped.
    for diagnostic in self where said.insert(diagnostic).inserted {
      counts[diagnostic.file, default: 0] += 1
      if counts[diagnostic.file, default: 0] <= limit { text += diagnostic.rendered() }
    }
    for (file, count) in counts.sorted(by: { $0.key < $1.key }) where count > limit {
      text += "\(file): and \(count - limit) more\n"
    }
    return text
  }

  /// Returns the diagnostics by position, errors before warnings. Diagnostics about the whole file are first.
  package func sortedByPosition() -> [Diagnostic] {
    sorted {
      let a = $0.position ?? SourcePosition(line: 0, column: 0)
      let b = $1.position ?? SourcePosition(line: 0, column: 0)
      if a != b { return a < b }
      if $0.severity != $1.severity { return $0.severity == .error }
      return $0.message < $1.message
    }
  }
}
