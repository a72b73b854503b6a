import Statistics
import TestBench
import TextFormats
import TriggerModel

/// What the person put off, and how often.
struct SnoozeSection: ReportSection {
  static let key = "snoozes"
  static let title = "Put off"
  static let isOfSuite = true
  static let isOptional = true

  /// From so many times on it is called frequent: the third time is no accident any more.
  private static let frequent = 3

  private let counts: [(reminder: String, count: Int)]

  init(_ results: [ScenarioResult]) {
    counts = results.flatMap { result in
      let words = RunWords(result.program)
      return result.accounts.reminders.enumerated().compactMap { index, account in
        account.snoozed > 0 ? (words.name(ReminderID(index)), account.snoozed) : nil
      }
    }
  }

  static let schema = ReportSchema.described(
    "Reminders that the person put off.",
    ReportSchema.array(
      ReportSchema.object([
        ("reminder", ReportSchema.string()), ("count", ReportSchema.count("How often.")),
        ("isFrequent", ReportSchema.typed("boolean", "Three times or more.")),
      ])))

  var document: JSONValue {
    .array(
      counts.map {
        .object([
          .init("reminder", .string($0.reminder)), .init("count", .integer($0.count)),
          .init("isFrequent", .truth($0.count >= Self.frequent)),
        ])
      })
  }

  var table: ReportTable {
    ReportTable(
      columns: [.text("reminder"), .number("times"), .text("")],
      rows: counts.map {
        [$0.reminder, "\($0.count)", $0.count >= Self.frequent ? "frequently snoozed" : ""]
      })
  }
}
