import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// A comparison of the events on the device with the events that the app observed.
struct ObservationSection: ReportSection {
  static let key = "observation"
  static let title = "Truth against observation"
  static let isOfSuite = true

  /// One kind of event, summed over all apps or regions.
  struct Row {
    var name: String
    var account: SignalAccount
    /// The accounts of each app or region, if the kind of event has them.
    var subjects: [Subject] = []
  }

  struct Subject {
    var name: String
    var account: SignalAccount
  }

  /// The kinds that occurred or were observed at least once.
  private(set) var rows: [Row] = []

  init(_ results: [ScenarioResult]) {
    rows = results.count == 1 ? Self.rows(results[0]) : Self.sums(results.flatMap(Self.rows))
  }

  private static func rows(_ result: ScenarioResult) -> [Row] {
    let scenario = result.program.shownScenario
    let signs = result.accounts.signals
    return PlatformSignal.Kind.allCases.compactMap { kind in
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
          ? [] : subjects.map { Subject(name: names[Int($0)], account: signs.account(of: kind, $0)) })
    }
  }

  /// Returns the sums over several scenarios, by kind. Apps and regions of different files are unrelated.
  private static func sums(_ rows: [Row]) -> [Row] {
    var totals: [String: SignalAccount] = [:]
    for row in rows { totals[row.name, default: SignalAccount()].add(row.account) }
    return PlatformSignal.Kind.allCases.compactMap { kind in
      totals[kind.name].map { Row(name: kind.name, account: $0) }
    }
  }

  private static let accountFields: [ReportField<SignalAccount>] = [
    .count("truth", { $0.truth }, "The number of times that it happened."),
    .count("observed", { $0.observed }, "The number of times that the app observed it."),
    .count("matched", { $0.matched }, "Events and observations that belong together."),
    .count("falseSigns", { $0.falseSigns }, "Observed although it had not happened."),
    .value("missed", ReportSchema.reference("counts")) { $0.missed.document },
    .value("precision", ReportSchema.reference("ratio")) { $0.precision.document },
    .value("recall", ReportSchema.reference("ratio")) { $0.recall.document },
    .optional("medianDelay", ReportSchema.count("Milliseconds from the event to its observation.")) {
      $0.delays.median.map(JSONValue.count)
    },
    .optional("longestDelay", ReportSchema.count("Milliseconds.")) {
      $0.delays.longest.map(JSONValue.count)
    },
    .value("evidence", ReportSchema.evidence) { _ in .string(Evidence.instrumented.rawValue) },
  ]

  private static let subjectFields: [ReportField<Subject>] =
    [.text("name", { $0.name })] + accountFields.map { $0.of(\.account) }

  private static let fields: [ReportField<Row>] =
    [.choice("sign", PlatformSignal.Kind.allCases.map(\.name)) { $0.name }]
    + accountFields.map { $0.of(\.account) }
    + [
      .optional("subjects", ReportSchema.array(of: subjectFields)) { row in
        row.subjects.isEmpty ? nil : .array(row.subjects.map { JSONValue($0, subjectFields) })
      }
    ]

  static let schema = ReportSchema.array(of: fields)
  var document: JSONValue { .array(rows.map { JSONValue($0, Self.fields) }) }

  var table: ReportTable {
    func cells(_ name: String, _ account: SignalAccount) -> [String] {
      [
        name, "\(account.truth)", "\(account.observed)", "\(account.precision)", "\(account.recall)",
        account.delays.median.map(SignalAccount.words) ?? "",
        account.delays.longest.map(SignalAccount.words) ?? "", account.missed.inWords,
        Evidence.instrumented.rawValue,
      ]
    }
    return ReportTable(
      columns: [
        .text("sign"), .number("happened"), .number("observed"), .number("precision"), .number("recall"),
        .number("median delay"), .number("longest delay"), .text("missed because"), .text("evidence"),
      ],
      rows: rows.flatMap { row in
        [cells(row.name, row.account)] + row.subjects.map { cells("\(row.name) \($0.name)", $0.account) }
      })
  }

  /// Returns lines for a terminal about the app's observations in the whole suite and their consequences.
  static func summary(_ report: Report) -> [String] {
    let total = ObservationSection(report.suite.scenarios).rows.reduce(into: SignalAccount()) {
      $0.add($1.account)
    }
    let account = report.total
    var lines: [String] = []
    if total.truth > 0 {
      let permille = Ratio(total.matched, of: total.truth).rounded(to: 1_000) ?? 0
      lines.append(
        "observed by the app: \(total.matched) of \(total.truth) device events (\(permille / 10).\(permille % 10) %)"
      )
    }
    if total.falseSigns > 0 {
      lines.append("observed although it had not happened: \(counted(total.falseSigns, "event"))")
    }
    if account.dueRequests > 0 {
      lines.append(
        "requested by the app: \(account.dueRequests - account.unmade) of \(account.dueRequests) due requests"
      )
    }
    if let silent = account.notRequested[Reason.notRequested.name] {
      lines.append("observed, and not requested by the engine: \(counted(silent, "due request"))")
    }
    if account.unfounded > 0 {
      lines.append("requested although nothing was due: \(account.unfoundedWords)")
    }
    return lines
  }
}

extension SignalAccount {
  /// The share of observations that match a true event.
  var precision: Ratio { Ratio(matched, of: observed) }
  /// The share of true events that the app observed.
  var recall: Ratio { Ratio(matched, of: truth) }

  /// Returns the two largest units of a duration in milliseconds, for example "2 min 5 s".
  fileprivate static func words(_ milliseconds: Int64) -> String {
    let parts = [
      (milliseconds / 3_600_000, "h"), (milliseconds / 60_000 % 60, "min"), (milliseconds / 1_000 % 60, "s"),
    ]
    .filter { $0.0 > 0 }.prefix(2)
    if parts.isEmpty { return milliseconds > 0 ? "\(milliseconds) ms" : "0 s" }
    return parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}

extension ReminderAccount {
  /// The number of unfounded requests and their causes, for example "3" or "3 (2 readingDenied)".
  var unfoundedWords: String {
    unfoundedBecause.isEmpty ? "\(unfounded)" : "\(unfounded) (\(unfoundedBecause.inWords))"
  }
}

extension Ratio {
  var document: JSONValue {
    [
      "numerator": .integer(numerator), "denominator": .integer(denominator), "text": .string(description),
    ]
  }
}

extension [String: Int] {
  /// The counts in alphabetical order of their keys, for example "3 dwell, 1 notRunning".
  var inWords: String { keys.sorted().map { "\(self[$0] ?? 0) \($0)" }.joined(separator: ", ") }

  /// The counts as an object whose keys are sorted.
  var document: JSONValue { .object(keys.sorted().map { .init($0, .integer(self[$0] ?? 0)) }) }
}

extension ReasonCounts {
  /// The nonzero counts as an object, in the order of the reasons.
  var document: JSONValue { .object(nonZero.map { .init($0.reason.name, .integer($0.count)) }) }
}
