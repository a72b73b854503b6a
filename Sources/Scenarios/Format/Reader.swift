import CivilTime

/// What is known while a file is being read: its text, what was found wrong, and the names declared so far.
///
/// A class, because every format writes into it; it lives as long as the reading of one file.
final class Reader {
  let source: SourceText
  private(set) var diagnostics: [Diagnostic] = []
  var names = Names()
  var zones = ZoneTable()
  /// The zone of the scenario's start, once it is known.
  var startZone: Zone?
  /// The date of the scenario's start: day 1.
  var startDate: CivilDate?
  /// Tells whether a file exists, its name being relative to the scenario's folder.
  let fileExists: (String) -> Bool

  init(source: SourceText, fileExists: @escaping (String) -> Bool) {
    self.source = source
    self.fileExists = fileExists
  }

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  func error(_ message: String, at position: SourcePosition, hint: String? = nil) {
    report(message, .error, at: position, hint: hint)
  }

  func warning(_ message: String, at position: SourcePosition, hint: String? = nil) {
    report(message, .warning, at: position, hint: hint)
  }

  private func report(
    _ message: String, _ severity: Diagnostic.Severity, at position: SourcePosition, hint: String?
  ) {
    diagnostics.append(
      Diagnostic(
        message, severity: severity, file: source.file, at: position, hint: hint,
        excerpt: source.line(Int(position.line))))
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
  var reminders = NameList()
  var edits: [ReminderEdit] = []
  /// Notification types: what the per-type caps can name.
  var types = NameList()
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
