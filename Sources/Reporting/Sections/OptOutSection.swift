import Statistics
import TestBench
import TextFormats

/// How often people asked for less.
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

  static let schema = ReportSchema.object([
    ("types", ReportSchema.count("A notification type was switched off in the app's settings.")),
    ("all", ReportSchema.count("All notifications were switched off in the app's settings.")),
    (
      "permission", ReportSchema.count("The system's permission was taken away after it had been given.")
    ), ("evidence", ReportSchema.evidence),
  ])

  var document: JSONValue {
    [
      "types": .integer(account.types), "all": .integer(account.all),
      "permission": .integer(account.permission), "evidence": .string(evidence.rawValue),
    ]
  }

  var table: ReportTable {
    let rows = [
      ("a type", account.types), ("all notifications", account.all), ("the permission", account.permission),
    ]
    return ReportTable(
      columns: [.text("the person switched off"), .number("times")],
      rows: rows.filter { $0.1 > 0 }.map { [$0.0, "\($0.1)"] })
  }
}
