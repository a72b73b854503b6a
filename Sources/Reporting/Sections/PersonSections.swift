import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The number of times that people turned notifications off.
struct OptOutSection: ReportSection {
  static let key = "optOuts"
  static let title = "Opt-outs"
  static let isOfSuite = true

  private let account: OptOuts
  private let evidence: Evidence

  init(_ results: [ScenarioResult]) {
    evidence = results.contains(where: \.isModelled) ? .assumed : .declared
    account = results.reduce(into: OptOuts()) { $0.add($1.accounts.optOuts) }
  }

  private static let fields: [ReportField<Self>] = [
    .count("types", { $0.account.types }, "A notification type was switched off in the app's settings."),
    .count("all", { $0.account.all }, "All notifications were switched off in the app's settings."),
    .count(
      "permission", { $0.account.permission }, "The system's permission was revoked after it was granted."),
    .value("evidence", ReportSchema.evidence) { .string($0.evidence.rawValue) },
  ]

  static let schema = ReportSchema.object(of: fields)
  var document: JSONValue { JSONValue(self, Self.fields) }

  var table: ReportTable {
    let rows = [
      ("a type", account.types), ("all notifications", account.all), ("the permission", account.permission),
    ]
    return ReportTable(
      columns: [.text("switched off"), .number("times")],
      rows: rows.filter { $0.1 > 0 }.map { [$0.0, "\($0.1)"] })
  }
}

/// The reminders that the person snoozed.
struct SnoozeSection: ReportSection {
  static let key = "snoozes"
  static let title = "Snoozes"
  static let isOfSuite = true
  static let isOptional = true

  private struct Row {
    var reminder: String
    var count: Int
    /// Whether the reminder counts as frequently snoozed: three or more times.
    var isFrequent: Bool { count >= 3 }
  }

  private let rows: [Row]

  init(_ results: [ScenarioResult]) {
    rows = results.flatMap { result in
      let words = RunWords(result.program)
      return result.accounts.reminders.enumerated().compactMap { index, account in
        account.snoozed > 0 ? Row(reminder: words.name(ReminderID(index)), count: account.snoozed) : nil
      }
    }
  }

  private static let fields: [ReportField<Row>] = [
    .text("reminder", { $0.reminder }), .count("count", { $0.count }, "The number of snoozes."),
    .truth("isFrequent", { $0.isFrequent }, "Three times or more."),
  ]

  static let schema = ReportSchema.described(
    "Reminders that the person snoozed.", ReportSchema.array(of: fields))

  var document: JSONValue { .array(rows.map { JSONValue($0, Self.fields) }) }

  var table: ReportTable {
    ReportTable(
      columns: [.text("reminder"), .number("times"), .text("")],
      rows: rows.map { [$0.reminder, "\($0.count)", $0.isFrequent ? "frequently snoozed" : ""] })
  }
}
