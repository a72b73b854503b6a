/// The state of reading a file: its texts, the diagnostics, and a context for each kind of file.
///
/// A reader is a class because every format writes to it. It is used for one file only. Properties that are
/// accessed for every value skip the run-time check for exclusive access.
package final class Reader {
  package private(set) var files: SourceFiles
  @exclusivity(unchecked) private var reported: [Diagnostic] = []
  /// The indices of the diagnostics about undeclared names, each with the key of the section that should
  /// declare the name.
  private var dependents: [(index: Int, section: String)] = []
  /// The keys with unreadable values, and the keys that misspelled ones were meant to be.
  private var lostKeys: Set<String> = []
  /// The context of this kind of file.
  package let context: any ReadingContext

  /// The names that a pack declares and this file removes.
  private var withdrawnNames: Set<String> = []
  /// Whether the current item belongs to a pack and mentions a removed name.
  @exclusivity(unchecked) package private(set) var isAboutWithdrawn = false
  /// The packs that the file includes, by the names that the file gives them.
  package var packs: [String] = []

  private let formats: FormatCache

  /// - Parameter formats: A cache of formats from earlier files.
  package init(source: SourceText, context: any ReadingContext, formats: FormatCache = FormatCache()) {
    files = SourceFiles(source)
    self.context = context
    self.formats = formats
  }

  /// Returns a cached value, or creates it on first use. Use it for values that are expensive to create and
  /// the same for every file of this kind.
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

  /// The files that this file may refer to.
  package var reach: ReachableFiles? {
    get { files.reach }
    set { files.reach = newValue }
  }

  /// Adds the text of a pack.
  /// - Returns: The file number for positions in the pack.
  package func add(_ pack: SourceText) -> UInt16 { files.append(pack) }

  /// Replaces the files with those of another reader, which has read parts of the document.
  package func take(filesOf other: Reader) { files = other.files }

  /// Records that the file removes a name that a pack declares, and the related names that the context
  /// returns.
  package func withdraw(_ entry: Node.Entry) {
    withdrawnNames.insert(entry.key)
    withdrawnNames.formUnion(context.names(withdrawnWith: entry))
  }

  /// Returns whether a word of a pack is a removed name. If it is, the item that contains the word is removed
  /// too, so authors who remove a reminder need not remove its caps and goals.
  package func isOfWithdrawn(_ word: Word) -> Bool {
    guard word.position.file != 0, withdrawnNames.contains(word.text) else { return false }
    isAboutWithdrawn = true
    return true
  }

  /// Reads one item of a list or table.
  /// - Returns: The value, or `nil` if it is wrong, and whether to leave the item out because it belongs to a
  ///   pack and mentions a removed name.
  package func item<Value>(_ read: () -> Value?) -> (value: Value?, isWithdrawn: Bool) {
    let outer = isAboutWithdrawn
    isAboutWithdrawn = false
    defer { isAboutWithdrawn = outer }
    let value = read()
    return (value, isAboutWithdrawn)
  }

  /// The maximum number of problems with hints. Finding a hint may require comparing all names of the file,
  /// and problems beyond this number are not shown.
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
  /// unreadable, because it is then only a consequence.
  package func error(
    _ message: String, at position: SourcePosition, declaredUnder section: String,
    hint: @autoclosure () -> String? = nil
  ) {
    dependents.append((reported.count, section))
    error(message, at: position, hint: hint())
  }

  /// Records that a key has no readable value because it was misspelled in the file.
  package func lose(_ key: String) { lostKeys.insert(key) }

  /// Records that the value of a key is unreadable if it has errors. Errors about names that this same
  /// section does not declare do not count.
  ///
  /// - Parameter count: The number of diagnostics before the value was read.
  package func lose(_ key: String, since count: Int) {
    let own = Set(dependents.filter { $0.section == key }.map(\.index))
    if (count..<reported.count).contains(where: { reported[$0].severity == .error && !own.contains($0) }) {
      lostKeys.insert(key)
    }
  }

  /// The diagnostics so far, except those that are only consequences of others.
  package var diagnostics: [Diagnostic] {
    let consequences = Set(dependents.filter { lostKeys.contains($0.section) }.map(\.index))
    return consequences.isEmpty
      ? reported : reported.indices.filter { !consequences.contains($0) }.map { reported[$0] }
  }

  /// Adds a diagnostic that was found before this reader read the file.
  package func report(_ diagnostic: Diagnostic) {
    reported.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  /// Adds a diagnostic about another file that this file refers to. A diagnostic without a position is shown
  /// where this file refers to the other file.
  package func report(_ diagnostic: Diagnostic, namedAt position: SourcePosition) {
    if diagnostic.position != nil { return report(diagnostic) }
    report(
      "\(diagnostic.file): \(diagnostic.message)", diagnostic.severity, at: position, hint: diagnostic.hint)
  }

  /// Discards all diagnostics reported since ``mark`` returned this value.
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

/// The additional state that the formats of one kind of file need for reading.
///
/// The layer that owns the formats defines one type for it and accesses it through an extension of
/// ``Reader``.
package protocol ReadingContext: AnyObject {
  /// Returns other names to remove together with an entry of a pack.
  func names(withdrawnWith entry: Node.Entry) -> [String]
}

/// A cache of formats and grammars by name, reused for the next file of the same kind.
package final class FormatCache {
  fileprivate var made: [String: Any] = [:]

  package init() {}
}

/// The state of writing a value in its long form, and the problems found.
///
/// A writer is a class because every format writes with it. It is used for one document only.
package final class Writer {
  /// The context of this kind of file.
  package let context: any WritingContext
  /// The problems with values that cannot be written. Each begins with the path of the value's key, such as
  /// `reminders.milk.expires: `.
  package private(set) var problems: [String] = []
  private var path: [String] = []

  package init(context: any WritingContext) {
    self.context = context
  }

  /// Records that a value cannot be written.
  /// - Returns: A placeholder. The document must not be used once there are problems.
  @discardableResult
  package func problem(_ message: String) -> JSONValue {
    problems.append((path.isEmpty ? "" : path.joined(separator: ".") + ": ") + message)
    return ""
  }

  /// Runs `body` to write the value of a key.
  package func under(_ key: String, _ body: () -> JSONValue) -> JSONValue {
    path.append(key)
    defer { path.removeLast() }
    return body()
  }
}

/// The additional state that the formats of one kind of file need for writing.
///
/// The layer that owns the formats defines one type for it and accesses it through an extension of
/// ``Writer``.
package protocol WritingContext: AnyObject {}
