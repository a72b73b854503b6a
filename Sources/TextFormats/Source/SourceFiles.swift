/// The texts that one document is made of: its own file, then the packs that it includes.
package struct SourceFiles: Hashable, Sendable {
  package private(set) var texts: [SourceText]
  /// What may be named in it; nil: whatever may be in a file of its name.
  package var reach: ReachableFiles?

  package init(_ own: SourceText) {
    texts = [own]
  }

  /// The document's own file.
  package var own: SourceText { texts[0] }

  /// Adds a pack's text.
  /// - Returns: What the positions in it carry as their file.
  package mutating func append(_ text: SourceText) -> UInt16 {
    texts.append(text)
    return UInt16(texts.count - 1)
  }

  /// The file that a position is in, as diagnostics name it.
  package func name(of position: SourcePosition) -> String { texts[Int(position.file)].file }

  /// Something to say about a place in one of the files, with the line that it points into; about the
  /// document as a whole when there is no place.
  package func diagnostic(
    _ message: String, severity: Diagnostic.Severity = .error, at position: SourcePosition?,
    hint: String? = nil
  ) -> Diagnostic {
    let text = texts[Int(position?.file ?? 0)]
    return Diagnostic(
      message, severity: severity, file: text.file, at: position, hint: hint,
      excerpt: position.flatMap { text.excerpt(Int($0.line)) })
  }
}
