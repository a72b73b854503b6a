/// Something that is wrong with a file, or odd about it: where, what, and what to do.
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// It can, but perhaps not as its author meant it.
    case warning
  }

  package var severity: Severity
  package var file: String
  /// nil: the file as a whole.
  package var position: SourcePosition?
  package var message: String
  /// What to do about it, as the continuation of a sentence.
  package var hint: String?
  /// The line of the file that ``position`` points into.
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

  /// `file:line:column: error: message; hint`, without the excerpt.
  package var summary: String {
    var place = file
    if let position { place += ":\(position.line):\(position.column)" }
    return "\(place): \(severity.rawValue): \(message)" + (hint.map { "; \($0)" } ?? "")
  }

  /// The summary, then the line of the file and a caret below the column, each with its end of line.
  package func rendered() -> String {
    guard let position, let excerpt, excerpt.contains(where: { !$0.isWhitespace }) else {
      return summary + "\n"
    }
    let shown = Self.window(of: excerpt, around: Int(position.column))
    // Tabs stay tabs, so that the caret stands where the terminal puts the character.
    let indent = String(shown.text.unicodeScalars.prefix(shown.column - 1).map { $0 == "\t" ? "\t" : " " })
    return summary + "\n  " + shown.text + "\n  " + indent + "^\n"
  }

  /// A line cut to a width that can be read, and the column within it.
  private static func window(of line: String, around column: Int) -> (text: String, column: Int) {
    let width = 110
    let scalars = Array(line.unicodeScalars)
    guard scalars.count > width else { return (line, column) }
    let first = max(0, min(column - width / 2, scalars.count - width))
    var cut = String.UnicodeScalarView()
    cut.append(contentsOf: scalars[first..<min(first + width, scalars.count)])
    return (String(cut), column - first)
  }
}

extension Sequence where Element == Diagnostic {
  /// All of them as text; of each file the first twenty, and how many more there are. One mistake at the top
  /// of a file can bring about thousands below it.
  package func rendered() -> String {
    let limit = 20
    var text = ""
    var counts: [String: Int] = [:]
    var said: Set<Diagnostic> = []
    // What is wrong with a pack is so for every scenario that includes it.
    for diagnostic in self where said.insert(diagnostic).inserted {
      counts[diagnostic.file, default: 0] += 1
      if counts[diagnostic.file, default: 0] <= limit { text += diagnostic.rendered() }
    }
    for (file, count) in counts.sorted(by: { $0.key < $1.key }) where count > limit {
      text += "\(file): and \(count - limit) more\n"
    }
    return text
  }

  /// By position, then errors before warnings; those about the whole file first.
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

extension String {
  fileprivate init(_ scalars: [Unicode.Scalar]) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
