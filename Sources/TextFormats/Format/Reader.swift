/// What is known while a file is being read: the texts, what was found wrong, and what one kind of file adds.
///
/// A class, because every format writes into it; it lives as long as the reading of one file. What is looked at for each
/// value of a file goes without run-time checks of access.
package final class Reader {
  package private(set) var files: SourceFiles
  @exclusivity(unchecked) private var reported: [Diagnostic] = []
  /// Which of them name something that one section declares, by the section's key.
  private var dependents: [(index: Int, section: String)] = []
  /// The keys of what could not be read, which has been reported, and the keys that misspelt ones were meant to be.
  private var lostKeys: Set<String> = []
  /// What only the formats of this kind of file know of.
  package let context: any ReadingContext

  /// The names that a pack declares and that the file takes away again.
  private var withdrawnNames: Set<String> = []
  /// What is being read mentions one of them, in a pack.
  @exclusivity(unchecked) package private(set) var isAboutWithdrawn = false
  /// The packs that the file includes, as it writes them.
  package var packs: [String] = []

  private let formats: MadeFormats

  /// - Parameter formats: What reading other files has made.
  package init(source: SourceText, context: any ReadingContext, formats: MadeFormats = MadeFormats()) {
    files = SourceFiles(source)
    self.context = context
    self.formats = formats
  }

  /// What takes long to make and is the same in every file of this kind: it is made the first time only.
  ///
  /// - Parameter name: No two things of one name and type may differ.
  package func once<Made>(_ name: String, _ make: () -> Made) -> Made {
    if let known = formats.made[name] as? Made { return known }
    let new = make()
    formats.made[name] = new
    return new
  }

  @exclusivity(unchecked) package private(set) var errorCount = 0
  package var hasErrors: Bool { errorCount > 0 }

  /// What the file may name.
  package var reach: ReachableFiles? {
    get { files.reach }
    set { files.reach = newValue }
  }

  /// Adds the text of a pack.
  /// - Returns: What the positions in it carry as their file.
  package func add(_ pack: SourceText) -> UInt16 { files.append(pack) }

  /// Reads a document of which parts are from files that another reader has read: positions in them are in the same
  /// files here.
  package func take(filesOf other: Reader) { files = other.files }

  /// A name that a pack declares is taken away, and what the context says goes with it.
  package func withdraw(_ entry: Node.Entry) {
    withdrawnNames.insert(entry.key)
    withdrawnNames.formUnion(context.names(withdrawnWith: entry))
  }

  /// Whether a pack mentions a name that was taken from it. What it says of that goes with it: whoever takes
  /// a reminder away need not look for its caps and goals.
  package func isOfWithdrawn(_ word: Word) -> Bool {
    guard word.position.file != 0, withdrawnNames.contains(word.text) else { return false }
    isAboutWithdrawn = true
    return true
  }

  /// Reads one item of a list or table.
  /// - Returns: Its value, nil when it is wrong; and whether it is to be left out, because a pack says it of a
  ///   name that was taken from it.
  package func item<Value>(_ read: () -> Value?) -> (value: Value?, isWithdrawn: Bool) {
    let outer = isAboutWithdrawn
    isAboutWithdrawn = false
    defer { isAboutWithdrawn = outer }
    let value = read()
    return (value, isAboutWithdrawn)
  }

  /// Of so many problems it is said what to do, which may take a look at every name of the file. More than these
  /// nobody is shown.
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

  /// Reports a name that a section does not declare. Where the section could not be read, that follows from what is
  /// wrong with it, and is not said.
  package func error(
    _ message: String, at position: SourcePosition, declaredUnder section: String,
    hint: @autoclosure () -> String? = nil
  ) {
    dependents.append((reported.count, section))
    error(message, at: position, hint: hint())
  }

  /// A misspelt key was meant to be this one, so what stands under it could not be read.
  package func lose(_ key: String) { lostKeys.insert(key) }

  /// What stands under a key could not be read. A name in it that a section of the same key does not declare is no
  /// reason for that.
  ///
  /// - Parameter count: How much had been reported before.
  package func lose(_ key: String, since count: Int) {
    let own = Set(dependents.filter { $0.section == key }.map(\.index))
    if (count..<reported.count).contains(where: { reported[$0].severity == .error && !own.contains($0) }) {
      lostKeys.insert(key)
    }
  }

  /// What was found wrong so far, each mistake once.
  package var diagnostics: [Diagnostic] {
    let consequences = Set(dependents.filter { lostKeys.contains($0.section) }.map(\.index))
    return consequences.isEmpty
      ? reported : reported.indices.filter { !consequences.contains($0) }.map { reported[$0] }
  }

  /// Takes what was found wrong before there was anything to read.
  package func report(_ diagnostic: Diagnostic) {
    reported.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  /// Takes what is wrong with another file, which is named at a place of this one: what is wrong with that file as a whole
  /// is told there.
  package func report(_ diagnostic: Diagnostic, namedAt position: SourcePosition) {
    if diagnostic.position != nil { return report(diagnostic) }
    report(
      "\(diagnostic.file): \(diagnostic.message)", diagnostic.severity, at: position, hint: diagnostic.hint)
  }

  /// Takes back what was reported since there were so many diagnostics, of which so many errors.
  package func takeBack(to mark: (diagnostics: Int, errors: Int)) {
    reported.removeSubrange(mark.diagnostics...)
    dependents.removeAll { $0.index >= mark.diagnostics }
    errorCount = mark.errors
  }

  /// How much was reported so far.
  package var mark: (diagnostics: Int, errors: Int) { (reported.count, errorCount) }

  private func report(
    _ message: String, _ severity: Diagnostic.Severity, at position: SourcePosition, hint: String?
  ) {
    report(files.diagnostic(message, severity: severity, at: position, hint: hint))
  }
}

/// What the formats of one kind of file know while it is being read, beyond what every ``Reader`` does.
///
/// The layer that owns these formats has one type for it, and reaches it through an extension of ``Reader``.
package protocol ReadingContext: AnyObject {
  /// The names, beside its own, that go when an entry of a pack is taken away.
  func names(withdrawnWith entry: Node.Entry) -> [String]
}

/// Formats and grammars that reading has made, by name: for the next file of this kind.
package final class MadeFormats {
  fileprivate var made: [String: Any] = [:]

  package init() {}
}
