/// The state of reading a file: its texts, its diagnostics, and the context for its kind of file.
///
/// A reader is a class because every format writes to it. Use a reader for one file only. Properties that are
/// accessed for every value skip the run-time check for exclusive access.
package final class Reader {
  package private(set) var files: SourceFiles
  @exclusivity(unchecked) private var reported: [Diagnostic] = []
  /// The indices of the diagnostics about undeclared names, each with the key of the section that should have
  /// declared the name.
  private var dependents: [(index: Int, section: String)] = []
  /// The keys whose values are unreadable, including the keys that misspelled ones were meant to be.
  private var lostKeys: Set<String> = []
  /// The context for the file's kind.
  package let context: any ReadingContext

  /// The names that a pack declares and that this file removes.
  private var withdrawnNames: Set<String> = []
  /// Whether the current item is from a pack and mentions a removed name.
  @exclusivity(unchecked) package private(set) var isAboutWithdrawn = false
  /// The packs that the file includes, by the names that it uses for them.
  package var packs: [String] = []

  private let formats: FormatCache

  /// - Parameter formats: The formats that were created for earlier files.
  package init(source: SourceText, context: any ReadingContext, formats: FormatCache = FormatCache()) {
    files = SourceFiles(source)
    self.context = context
    self.formats = formats
  }

  /// Returns a cached value, or creates it on first use. Use this method for values that are expensive to
  /// create and equal for every file of a kind.
  ///
  /// - Parameter name: The name of the value. Values with the same name and type must be equal.
  package func once<Made>(_ name: String, _ make: () -> Made) -> Made {
    if let known = formats.made[name] as? Made { return known }
    let new = make()
    formats.made[name] = new
    return new
  }

  @exclusivity(unchecked) package private(set) var errorCount = 0
  package var hasErrors: Bool { errorCount > 0 }

  /// The files that this file may refer to, or `nil` if it may refer to any file.
  package var reach: ReachableFiles? {
    get { files.reach }
    set { files.reach = newValue }
  }

  /// Adds the text of a pack.
  /// - Returns: The file number to use in positions within the pack.
  package func add(_ pack: SourceText) -> UInt16 { files.append(pack) }

  /// Replaces the files with those of another reader, which read parts of this document.
  package func take(filesOf other: Reader) { files = other.files }

  /// Records that the file removes a name of a pack, together with the related names that the context
  /// returns.
  package func withdraw(_ entry: Node.Entry) {
    withdrawnNames.insert(entry.key)
    withdrawnNames.formUnion(context.names(withdrawnWith: entry))
  }

  /// Returns whether a word of a pack is a removed name. If so, the item that contains the word is removed
  /// too. An author who removes a reminder need not remove its caps and goals.
  package func isOfWithdrawn(_ word: Word) -> Bool {
    guard word.position.file != 0, withdrawnNames.contains(word.text) else { return false }
    isAboutWithdrawn = true
    return true
  }

  /// Reads one item of a list or table.
  /// - Returns: The value, or `nil` if it is invalid, and whether to omit the item because it is from a pack
  ///   and mentions a removed name.
  package func item<Value>(_ read: () -> Value?) -> (value: Value?, isWithdrawn: Bool) {
    let outer = isAboutWithdrawn
    isAboutWithdrawn = false
    defer { isAboutWithdrawn = outer }
    let value = read()
    return (value, isAboutWithdrawn)
  }

  /// The maximum number of problems with hints. A hint may require a comparison with all names of the file,
  /// and further problems are not shown.
  private static let hintLimit = 20

  package func error(
    _ message: String, at position: SourcePosition, hint: @autoclosure () -> String? = nil
  ) {
    report(message, .error, at: position, hint: reported.count < Self.hintLimit ? hint() : nil)
  }

  package func warning(
    _ message: String, at position: SourcePosition, hint: @autoclosure () -> String? = nil
  ) {
    report(message, .warning, at: position, hint: reported.count < Self.hintLimit ? hint() : nil)
  }

  /// Reports a name that a section does not declare. The error is not shown if the section itself was
  /// unreadable, because the missing name is then a mere consequence.
  package func error(
    _ message: String, at position: SourcePosition, declaredUnder section: String,
    hint: @autoclosure () -> String? = nil
  ) {
    dependents.append((reported.count, section))
    error(message, at: position, hint: hint())
  }

  /// Records that a key has no readable value, because the file misspells the key.
  package func lose(_ key: String) { lostKeys.insert(key) }

  /// Records that the value of a key is unreadable if it has errors. Errors about names that the same section
  /// should declare do not count.
  ///
  /// - Parameter count: The number of diagnostics before the value was read.
  package func lose(_ key: String, since count: Int) {
    let own = Set(dependents.filter { $0.section == key }.map(\.index))
    if (count..<reported.count).contains(where: { reported[$0].severity == .error && !own.contains($0) }) {
      lostKeys.insert(key)
    }
  }

  /// The diagnostics so far, without those that are mere consequences of others.
  package var diagnostics: [Diagnostic] {
    let consequences = Set(dependents.filter { lostKeys.contains($0.section) }.map(\.index))
    return consequences.isEmpty
      ? reported : reported.indices.filter { !consequences.contains($0) }.map { reported[$0] }
  }

  /// Adds a diagnostic that was found before this reader started.
  package func report(_ diagnostic: Diagnostic) {
    reported.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  /// Adds a diagnostic about another file that this file refers to. A diagnostic without a position is shown
  /// at the position of the reference.
  package func report(_ diagnostic: Diagnostic, namedAt position: SourcePosition) {
    if diagnostic.position != nil { return report(diagnostic) }
    report(
      "\(diagnostic.file): \(diagnostic.message)", diagnostic.severity, at: position, hint: diagnostic.hint)
  }

  /// Discards the diagnostics that were reported since the ``mark`` was taken.
  package func takeBack(to mark: (diagnostics: Int, errors: Int)) {
    reported.removeSubrange(mark.diagnostics...)
    dependents.removeAll { $0.index >= mark.diagnostics }
    errorCount = mark.errors
  }

  /// Returns the first error that was reported since the ``mark`` was taken, or `nil` if there is none.
  package func firstError(since mark: (diagnostics: Int, errors: Int)) -> Diagnostic? {
    reported[mark.diagnostics...].first { $0.severity == .error }
  }

  /// The number of diagnostics and errors so far.
  package var mark: (diagnostics: Int, errors: Int) { (reported.count, errorCount) }

  private func report(
    _ message: String, _ severity: Diagnostic.Severity, at position: SourcePosition, hint: String?
  ) {
    report(files.diagnostic(message, severity: severity, at: position, hint: hint))
  }
}

/// The state that the formats for one kind of file need while they read.
///
/// The target that owns the formats defines a conforming type and accesses it through an extension of
/// ``Reader``.
package protocol ReadingContext: AnyObject {
  /// Returns the other names to remove together with an entry of a pack.
  func names(withdrawnWith entry: Node.Entry) -> [String]
}

/// A cache of formats and grammars by name, which the next file of the same kind reuses.
package final class FormatCache {
  fileprivate var made: [String: Any] = [:]

  package init() {}
}

/// The state of writing a value in its long form, with the problems that were found.
///
/// A writer is a class because every format writes to it. Use a writer for one document only.
package final class Writer {
  /// The context for the document's kind.
  package let context: any WritingContext
  /// The problems of values that cannot be written. Each starts with the path of the value's key, for example
  /// `reminders.milk.expires: `.
  package private(set) var problems: [String] = []
  private var path: [String] = []

  package init(context: any WritingContext) {
    self.context = context
  }

  /// Records that a value cannot be written.
  /// - Returns: A placeholder. A document with problems must not be used.
  @discardableResult
  package func problem(_ message: String) -> JSONValue {
    problems.append((path.isEmpty ? "" : path.joined(separator: ".") + ": ") + message)
    return ""
  }

  /// Writes the value of a key by calling `body`, so that problems state the key.
  package func under(_ key: String, _ body: () -> JSONValue) -> JSONValue {
    path.append(key)
    defer { path.removeLast() }
    return body()
  }
}

/// The state that the formats for one kind of file need while they write.
///
/// The target that owns the formats defines a conforming type and accesses it through an extension of
/// ``Writer``.
package protocol WritingContext: AnyObject {}
