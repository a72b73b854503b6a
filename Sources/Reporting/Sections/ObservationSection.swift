import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// What the platform told the app, beside what really happened.
struct ObservationSection: ReportSection {
  static let key = "observation"
  static let title = "Truth against observation"
  static let isOfSuite = true

  /// One kind of sign, all of its apps or regions together.
  struct Row {
    var name: String
    var account: SignAccount
    /// By app or place, where the kind has them.
    var subjects: [(name: String, account: SignAccount)]
  }

  /// Only kinds of which something happened or was told.
  var rows: [Row]

  init(_ results: [ScenarioResult]) {
    if results.count == 1 { self.init(results[0]) } else { self.init(ofSeveral: results) }
  }

  private init(_ result: ScenarioResult) {
    let scenario = result.program.shownScenario
    let signs = result.accounts.signs
    rows = Sign.Kind.allCases.compactMap { kind in
      let subjects = signs.subjects(of: kind)
      if subjects.isEmpty { return nil }
      let names: [String] =
        switch kind {
        case .appOpened: scenario.apps
        case .regionEntered, .regionExited: scenario.places.map(\.name)
        case .unlock, .chargingStarted, .chargingStopped: []
        }
      return Row(
        name: kind.name, account: signs.account(of: kind),
        subjects: names.isEmpty
          ? [] : subjects.map { (names[Int($0)], signs.account(of: kind, $0)) })
    }
  }

  /// Several runs' together; apps and places of different files have nothing to do with each other.
  private init(ofSeveral results: [ScenarioResult]) {
    var totals: [String: SignAccount] = [:]
    for row in results.flatMap({ ObservationSection($0).rows }) {
      totals[row.name, default: SignAccount()].add(row.account)
    }
    rows = Sign.Kind.allCases.compactMap { kind in
      totals[kind.name].map { Row(name: kind.name, account: $0, subjects: []) }
    }
  }

  /// All signs of all kinds.
  var total: SignAccount { rows.reduce(into: SignAccount()) { $0.add($1.account) } }

  var document: JSONValue {
    .array(
      rows.map { row in
        var members: [JSONValue.Member] = [.init("sign", .string(row.name))] + Self.members(row.account)
        if !row.subjects.isEmpty {
          let subjects = row.subjects.map { name, account in
            JSONValue.object([.init("name", .string(name))] + Self.members(account))
          }
          members.append(.init("subjects", .array(subjects)))
        }
        return .object(members)
      })
  }

  private static func members(_ account: SignAccount) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("truth", .integer(account.truth)), .init("observed", .integer(account.observed)),
      .init("matched", .integer(account.matched)), .init("falseSigns", .integer(account.falseSigns)),
      .init("missed", account.missed.document), .init("precision", account.precision.document),
      .init("recall", account.recall.document),
    ]
    if let median = account.delays.median, let longest = account.delays.longest {
      members.append(.init("medianDelay", .integer(Int(median))))
      members.append(.init("longestDelay", .integer(Int(longest))))
    }
    return members + [.init("evidence", .string(Evidence.instrumented.rawValue))]
  }

  static let schema = ReportSchema.array(
    ReportSchema.object(
      [("sign", ReportSchema.choice(Sign.Kind.allCases.map(\.name)))] + keys,
      optional: delayKeys + [
        (
          "subjects",
          ReportSchema.array(
            ReportSchema.object([("name", ReportSchema.string())] + keys, optional: delayKeys))
        )
      ]))

  private static let keys: [(String, JSONValue)] = [
    ("truth", ReportSchema.count("How often it really happened.")),
    ("observed", ReportSchema.count("How often the app was told so.")),
    ("matched", ReportSchema.count("Of both, those that belong together.")),
    ("falseSigns", ReportSchema.count("Told, and had not happened.")),
    ("missed", ReportSchema.reference("counts")), ("precision", ReportSchema.reference("ratio")),
    ("recall", ReportSchema.reference("ratio")), ("evidence", ReportSchema.evidence),
  ]

  private static let delayKeys: [(String, JSONValue)] = [
    ("medianDelay", ReportSchema.count("Milliseconds from happening to telling.")),
    ("longestDelay", ReportSchema.count("Milliseconds.")),
  ]

  var table: ReportTable {
    func cells(_ name: String, _ account: SignAccount) -> [String] {
      let delays = account.delayWords
      return [
        name, "\(account.truth)", "\(account.observed)", "\(account.precision)", "\(account.recall)",
        delays.median, delays.longest, account.causes, Evidence.instrumented.rawValue,
      ]
    }
    return ReportTable(
      columns: [
        .text("sign"), .number("happened"), .number("told"), .number("precision"), .number("recall"),
        .number("median delay"), .number("longest delay"), .text("never told because"), .text("evidence"),
      ],
      rows: rows.flatMap { row in
        [cells(row.name, row.account)] + row.subjects.map { cells("\(row.name) \($0.name)", $0.account) }
      })
  }

  /// What the app was told of the whole, and what that cost, in sentences of their own; none where there is nothing
  /// to tell.
  static func summary(_ report: Report) -> [String] {
    let total = ObservationSection(report.suite.scenarios).total
    let account = report.total
    var lines: [String] = []
    if total.truth > 0 {
      let permille = Ratio(total.matched, of: total.truth).rounded(to: 1_000) ?? 0
      lines.append(
        "the app was told of \(total.matched) of \(total.truth) things that happened: \(permille / 10).\(permille % 10) %"
      )
    }
    if total.falseSigns > 0 {
      let times = total.falseSigns == 1 ? "once" : "\(total.falseSigns) times"
      lines.append("it was told \(times) of something that had not happened")
    }
    let lost = account.notObserved.values.reduce(0, +)
    if account.dueRequests > 0 {
      lines.append("\(account.dueRequests - lost) of \(account.dueRequests) requests that were due were made")
    }
    if account.unfounded > 0 {
      lines.append(
        "\(account.unfoundedWords) request\(account.unfounded == 1 ? " was" : "s were") made without cause")
    }
    return lines
  }
}

extension SignAccount {
  /// Of what was told, how much had happened.
  var precision: Ratio { Ratio(matched, of: observed) }
  /// Of what happened, how much was told.
  var recall: Ratio { Ratio(matched, of: truth) }

  /// "3 dwell, 1 notRunning".
  var causes: String { missed.inWords }

  /// "2 min 5 s", or nothing.
  var delayWords: (median: String, longest: String) {
    (delays.median.map(Self.words) ?? "", delays.longest.map(Self.words) ?? "")
  }

  private static func words(_ milliseconds: Int64) -> String {
    let parts = [
      (milliseconds / 3_600_000, "h"), (milliseconds / 60_000 % 60, "min"), (milliseconds / 1_000 % 60, "s"),
    ]
    .filter { $0.0 > 0 }.prefix(2)
    if parts.isEmpty { return milliseconds > 0 ? "\(milliseconds) ms" : "0 s" }
    return parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}

extension ReminderAccount {
  /// How many requests answer none that was due: "3", or "3 (2 readingDenied)".
  var unfoundedWords: String {
    unfoundedBecause.isEmpty ? "\(unfounded)" : "\(unfounded) (\(unfoundedBecause.inWords))"
  }
}

extension [String: Int] {
  /// "3 dwell, 1 notRunning", in the order of the names.
  var inWords: String { keys.sorted().map { "\(self[$0] ?? 0) \($0)" }.joined(separator: ", ") }
}
