/// What is known while a value is being written in its long form, and what of it no file can say.
///
/// A class, because every format writes with it; it lives as long as the writing of one document.
package final class Writer {
  /// What only the formats of this kind of file know of.
  package let context: any WritingContext
  /// What cannot be said, each with the keys that lead to it: `reminders.milk.expires: …`
  package private(set) var problems: [String] = []
  private var path: [String] = []

  package init(context: any WritingContext) {
    self.context = context
  }

  /// Says that a value has no words in a file.
  /// - Returns: Something that stands in its place; the document is of no use then.
  @discardableResult
  package func problem(_ message: String) -> JSONValue {
    problems.append((path.isEmpty ? "" : path.joined(separator: ".") + ": ") + message)
    return ""
  }

  /// Writes what stands under a key.
  package func under(_ key: String, _ body: () -> JSONValue) -> JSONValue {
    path.append(key)
    defer { path.removeLast() }
    return body()
  }
}

/// What the formats of one kind of file know while a value is being written.
///
/// The layer that owns these formats has one type for it, and reaches it through an extension of ``Writer``.
package protocol WritingContext: AnyObject {}
