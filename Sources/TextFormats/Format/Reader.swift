/// The state of reading a file: its texts, the diagnostics, and a context for each kind of file.
///
/// A class, because every format writes into it. It lives as long as the reading of one file. Properties that
/// are used for every value are exempt from run-time checks of exclusive access.
package final class Reader {
  package private(set) var files: SourceFiles
  @exclusivity(unchecked) private var reported: [Diagnostic] = []
  /// The diagnostics about names that a section does not declare, with the section's key.
  private var dependents: [(index: Int, section: String)] = []
  /// The keys whose values could not be read, and the keys that misspelled ones were meant to be.
  private var lostKeys: Set<String> = []
  /// The context of this kind of file.
  package let context: any ReadingContext

  /// The names that a pack declares and that the file removes.
  private var withdrawnNames: Set<String> = []
  /// Whether the item being read is a pack's and mentions a removed name.
  @exclusivity(unchecked) package private(set) var isAboutWithdrawn = false
  /// The packs that the file includes, as the file names them.
  package var packs: [String] = []

  private let formats: FormatCache

  /// - Parameter formats: A cache of formats from earlier files.
  package init(source: SourceText, context: any ReadingContext, formats: FormatCache = FormatCache()) {
    files = SourceFiles(source)
    self.context = context
    self.formats = formats
  }

  /// Returns a value that takes long to create and is the same for every file of this kind.
  ///
  /// - Parameter name: Values with the same name and type must be equal.
  package func once<Made>(_ name: String, _ make: () -> Made) -> Made {
    if let known = formats.made[name] as? Made { return known }
    let new = make()
    formats.made[name] = new
    return new
  }

  @exclusivity(unchecked) package private(set) var errorCount = 0
  package var hasErrors: Bool { errorCount > 0 }

  /// The files that this file may name.
  package var reach: ReachableFiles? {
    get { files.reach }
    set { files.reach = newValue }
  }

  /// Adds the text of a pack.
  /// - Returns: The file number of positions in it.
  package func add(_ pack: SourceText) -> UInt16 { files.append(pack) }

  /// Uses the files of another reader, because parts of the document are from there.
  package func take(filesOf other: Reader) { files = other.files }

  /// Removes a name that a pack declares, together with the names that the context adds.
  package func withdraw(_ entry: Node.Entry) {
    withdrawnNames.insert(entry.key)
    withdrawnNames.formUnion(context.names(withdrawnWith: entry))
  }

  /// Returns whether a pack mentions a removed name. Such an item is removed too, so that an author who
  /// removes a reminder need not remove its caps and goals.
  package func isOfWithdrawn(_ word: Word) -> Bool {
    guard word.position.file != 0, withdrawnNames.contains(word.text) else { return false }
    isAboutWithdrawn = true
    return true
  }

  /// Reads one item of a list or table.
  /// - Returns: The value, or `nil` if it is wrong, and whether a pack's item mentions a removed name and is
  ///   to be left out.
  package func item<Value>(_ read: () -> Value?) -> (value: Value?, isWithdrawn: Bool) {
    let outer = isAboutWithdrawn
    isAboutWithdrawn = false
    defer { isAboutWithdrawn = outer }
    let value = read()
    return (value, isAboutWithdrawn)
  }

  /// The number of problems with hints. A hint may compare all names of the file, and no more problems are
  /// shown.
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

  /// Reports a name that a section does not declare. If the section itself could not be read, the error is a
  /// consequence and is not shown.
  package func error(
    _ message: String, at position: SourcePosition, declaredUnder section: String,
    hint: @autoclosure () -> String? = nil
  ) {
    dependents.append((reported.count, section))
    error(message, at: position, hint: hint())
  }

  /// Records that a misspelled key was meant to be this one, so that its value could not be read.
  package func lose(_ key: String) { lostKeys.insert(key) }

  /// Records that the value of a key could not be read, unless the only errors are names that a section of
  /// the same key does not declare.
  ///
  /// - Parameter count: The number of diagnostics before the value.
  package func lose(_ key: String, since count: Int) {
    let own = Set(dependents.filter { $0.section == key }.map(\.index))
    if (count..<reported.count).contains(where: { reported[$0].severity == .error && !own.contains($0) }) {
      lostKeys.insert(key)
    }
  }

  /// The diagnostics so far, without consequences of others.
  package var diagnostics: [Diagnostic] {
    let consequences = Set(dependents.filter { lostKeys.contains($0.section) }.map(\.index))
    return consequences.isEmpty
      ? reported : reported.indices.filter { !consequences.contains($0) }.map { reported[$0] }
  }

  /// Adds a diagnostic from before the file was read.
  package func report(_ diagnostic: Diagnostic) {
    reported.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  /// Adds a diagnostic about another file that this file names. A diagnostic about that file as a whole is
  /// shown at the position of the name.
  package func report(_ diagnostic: Diagnostic, namedAt position: SourcePosition) {
    if diagnostic.position != nil { return report(diagnostic) }
    report(
      "\(diagnostic.file): \(diagnostic.message)", diagnostic.severity, at: position, hint: diagnostic.hint)
  }

  /// Discards the diagnostics reported since a mark.
  package func takeBack(to mark: (diagnostics: Int, errors: Int)) {
    reported.removeSubrange(mark.diagnostics...)
    dependents.removeAll { $0.index >= mark.diagnostics }
    errorCount = mark.errors
  }

  /// The number of diagnostics and errors so far.
  package var mark: (diagnostics: Int, errors: Int) { (reported.count, errorCount) }

  private func report(
    _ message: String, _ severity: Diagnostic.Severity, at position: SourcePosition, hint: String?
  ) {
    report(files.diagnostic(message, severity: severity, at: position, hint: hint))
  }
}

/// The state that the formats of one kind of file need in addition to the ``Reader``.
///
/// The layer that owns the formats has one type for it and accesses it through an extension of ``Reader``.
package protocol ReadingContext: AnyObject {
  /// Returns further names that are removed with an entry of a pack.
  func names(withdrawnWith entry: Node.Entry) -> [String]
}

/// A cache of formats and grammars by name, for the next file of this kind.
package final class FormatCache {
  fileprivate var made: [String: Any] = [:]

  package init() {}
}

/// The state of writing a value in its long form, and the problems found.
///
/// A class, because every format writes with it. It lives as long as the writing of one document.
package final class Writer {
  /// The context of this kind of file.
  package let context: any WritingContext
  /// The values that cannot be written, each with its keys: `reminders.milk.expires: …`
  package private(set) var problems: [String] = []
  private var path: [String] = []

  package init(context: any WritingContext) {
    self.context = context
  }

  /// Records that a value cannot be written.
  /// - Returns: A placeholder. The document is unusable then.
  @discardableResult
  package func problem(_ message: String) -> JSONValue {
    problems.append((path.isEmpty ? "" : path.joined(separator: ".") + ": ") + message)
    return ""
  }

  /// Writes the value of a key.
  package func under(_ key: String, _ body: () -> JSONValue) -> JSONValue {
    path.append(key)
    defer { path.removeLast() }
    return body()
  }
}

/// The state that the formats of one kind of file need while writing.
///
/// The layer that owns the formats has one type for it and accesses it through an extension of ``Writer``.
package protocol WritingContext: AnyObject {}
