import CivilTime

/// What is known while a file is being read: the texts, what was found wrong, and the names declared so far.
///
/// A class, because every format writes into it; it lives as long as the reading of one file.
final class Reader {
  private(set) var files: SourceFiles
  private(set) var diagnostics: [Diagnostic] = []
  var names = Names()
  var zones = ZoneTable()
  /// The zone of the scenario's start, once it is known.
  var startZone: Zone?
  /// The date of the scenario's start: day 1.
  var startDate: CivilDate?
  /// Tells whether a file exists, its name being relative to the scenario's folder.
  let fileExists: (String) -> Bool

  /// The names that a pack declares and that the scenario takes away again.
  private var withdrawnNames: Set<String> = []
  /// What is being read mentions one of them, in a pack.
  private(set) var isAboutWithdrawn = false
  /// The packs that the scenario includes, as it writes them.
  var packs: [String] = []
  /// A pack is read by itself, without a scenario that includes it.
  let isPackAlone: Bool

  init(source: SourceText, isPackAlone: Bool = false, fileExists: @escaping (String) -> Bool) {
    files = SourceFiles(source)
    self.isPackAlone = isPackAlone
    self.fileExists = fileExists
  }

  private(set) var errorCount = 0
  var hasErrors: Bool { errorCount > 0 }

  /// Adds the text of a pack.
  /// - Returns: What the positions in it carry as their file.
  func add(_ pack: SourceText) -> UInt16 { files.append(pack) }

  /// A name that a pack declares is taken away, and with a reminder the notification type that it gives.
  func withdraw(_ entry: Node.Entry) {
    withdrawnNames.insert(entry.key)
    if case .scalar(let type)? = entry.overridden?["notify"]?["type"]?.content { withdrawnNames.insert(type) }
  }

  /// Whether a pack mentions a name that was taken from it. What it says of that goes with it: whoever takes
  /// a reminder away need not look for its caps and goals.
  func isOfWithdrawn(_ word: Word) -> Bool {
    guard word.position.file != 0, withdrawnNames.contains(word.text) else { return false }
    isAboutWithdrawn = true
    return true
  }

  /// Reads one item of a list or table.
  /// - Returns: Its value, nil when it is wrong; and whether it is to be left out, because a pack says it of a
  ///   name that was taken from it.
  func item<Value>(_ read: () -> Value?) -> (value: Value?, isWithdrawn: Bool) {
    let outer = isAboutWithdrawn
    isAboutWithdrawn = false
    defer { isAboutWithdrawn = outer }
    let value = read()
    return (value, isAboutWithdrawn)
  }

  func error(_ message: String, at position: SourcePosition, hint: String? = nil) {
    report(message, .error, at: position, hint: hint)
  }

  func warning(_ message: String, at position: SourcePosition, hint: String? = nil) {
    report(message, .warning, at: position, hint: hint)
  }

  /// Takes what was found wrong before there was anything to read.
  func report(_ diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  /// Takes back what was reported since there were so many diagnostics, of which so many errors.
  func takeBack(to mark: (diagnostics: Int, errors: Int)) {
    diagnostics.removeSubrange(mark.diagnostics...)
    errorCount = mark.errors
  }

  /// How much was reported so far.
  var mark: (diagnostics: Int, errors: Int) { (diagnostics.count, errorCount) }

  private func report(
    _ message: String, _ severity: Diagnostic.Severity, at position: SourcePosition, hint: String?
  ) {
    report(files.diagnostic(message, severity: severity, at: position, hint: hint))
  }
}

/// The names that a file declares, each kind in the order of declaration.
struct Names {
  var apps = NameList()
  var places = NameList()
  /// The declarations of ``places``, in the same order; nil where one is wrong, which has been reported.
  var placeDeclarations: [Place?] = []
  var facts = NameList()
  /// The declarations of ``facts``, in the same order; nil where one is wrong, which has been reported.
  var factDeclarations: [FactDeclaration?] = []
  /// Where facts come from.
  var factSources = NameList()
  var reminders = NameList()
  var edits: [ReminderEdit] = []
  /// Notification types: what the per-type caps can name.
  var types = NameList()
  /// The types by their names in snake case, as stored counters and analytics have them.
  var typesInSnakeCase: [String: String] = [:]
  /// The type of every reminder, in their order.
  var typesOfReminders: [String] = []
  /// Nil when they cannot be read, which has been reported.
  var gates: NameList? = NameList()
  /// The links that the time line opens.
  var links = NameList()
  /// The contexts of priming.
  var primings = NameList()
  var surfaces = NameList()
  var milestones = NameList()
}

/// Names without repetition, and the position of each.
struct NameList {
  private(set) var all: [String] = []
  private var positions: [String: Int] = [:]

  /// - Complexity: O(1)
  func position(of name: String) -> Int? { positions[name] }

  /// Adds a name; false when it was there already.
  @discardableResult
  mutating func append(_ name: String) -> Bool {
    guard positions[name] == nil else { return false }
    positions[name] = all.count
    all.append(name)
    return true
  }
}
