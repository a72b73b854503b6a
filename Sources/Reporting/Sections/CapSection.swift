import Statistics
import TestBench
import TextFormats
import TriggerModel

/// How full the caps were, by counting what was delivered.
struct CapSection: ReportSection {
  static let key = "caps"
  static let title = "Caps"
  /// Each scenario has a policy of its own.
  static let isOfSuite = false

  private let audits: [CapAudit]
  /// What devices that share a person's caps, or do not, make of them; nil where no person has several.
  private let shared: SharedCaps?

  init(_ results: [ScenarioResult]) {
    audits = results.map { CapAudit($0.program, $0.accounts) }
    shared = SharedCaps(zip(results.map(\.program), audits))
  }

  static let schema = ReportSchema.object(
    [
      (
        "rows",
        ReportSchema.array(
          ReportSchema.object(
            [
              ("cap", ReportSchema.string()),
              ("most", ReportSchema.count("On one day, or in one week: in all, or of one type.")),
              ("over", ReportSchema.count("Deliveries beyond the cap.")),
            ], optional: [("limit", ReportSchema.count("Missing: not capped. Of several types the highest."))]
          ))
      ),
      (
        "mostIn24Hours", ReportSchema.count("Of the standard bucket, in any 24 hours of elapsed time.")
      ), ("evidence", ReportSchema.evidence),
    ], optional: [("devices", SharedCaps.schema)])

  var document: JSONValue {
    let rows = audits.flatMap(\.rows).map { row in
      let limit = row.limit.map { [JSONValue.Member("limit", .integer($0))] } ?? []
      return JSONValue.object(
        [.init("cap", .string(row.cap.name))] + limit
          + [.init("most", .integer(row.most)), .init("over", .integer(row.over))])
    }
    return .object(
      [
        .init("rows", .array(rows)), .init("mostIn24Hours", .integer(mostIn24Hours)),
        .init("evidence", .string(Evidence.instrumented.rawValue)),
      ] + (shared.map { [JSONValue.Member("devices", $0.document)] } ?? []))
  }

  var table: ReportTable {
    ReportTable(
      columns: [.text("cap"), .number("limit"), .number("most in a day or week"), .number("beyond it")],
      rows: audits.flatMap(\.rows).filter { $0.most > 0 }.compactMap { row in
        row.limit.map { [row.cap.name, "\($0)", "\(row.most)", "\(row.over)"] }
      }, notes: ["At most \(mostIn24Hours) of the standard bucket in any 24 hours."] + (shared?.notes ?? []))
  }

  private var mostIn24Hours: Int { audits.map(\.mostIn24Hours).max() ?? 0 }

  /// What was delivered beyond a cap; nil when nothing was.
  var excess: String? {
    let exceeded = audits.flatMap(\.exceeded)
    if exceeded.isEmpty { return nil }
    return exceeded.map { row in
      let period = row.cap == .typeWeeklyCap ? "week" : "day"
      let limit = row.limit.map { " of \($0)" } ?? ""
      return "\(row.over) beyond \(row.cap.name)\(limit), \(row.most) on the fullest \(period)"
    }.joined(separator: "; ")
  }
}
