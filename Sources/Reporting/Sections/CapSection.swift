import CivilTime
import ReminderMatching
import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The use of each cap by deliveries.
struct CapSection: ReportSection {
  static let key = "caps"
  static let title = "Caps"
  /// A suite omits the section, because each scenario has its own policy.
  static let isOfSuite = false

  private let audits: [CapAudit]
  /// The deliveries over the caps of people with several devices, or `nil` if no person has several.
  private let shared: SharedCaps?

  init(_ results: [ScenarioResult]) {
    audits = results.map { CapAudit($0.program, $0.accounts) }
    shared = SharedCaps(zip(results.map(\.program), audits))
  }

  private static let rowFields: [ReportField<CapCounts.Row>] = [
    .text("cap", { $0.cap.name }),
    .optional("limit", ReportSchema.count("Missing: not capped. The highest of several types.")) {
      $0.limit.map(JSONValue.integer)
    },
    .count("most", { $0.most }, "The most in one period of the cap, in total or of one type."),
    .count("over", { $0.over }, "Deliveries beyond the cap."),
  ]

  private static let fields: [ReportField<Self>] = [
    .list("rows", of: rowFields) { $0.audits.flatMap(\.rows) },
    .count("mostIn24Hours", { $0.mostIn24Hours }, "Of the standard bucket, in any 24 hours of elapsed time."),
    .value("evidence", ReportSchema.evidence) { _ in .string(Evidence.instrumented.rawValue) },
    .optional("devices", SharedCaps.schema) { $0.shared.map { JSONValue($0, SharedCaps.fields) } },
  ]

  static let schema = ReportSchema.object(of: fields)
  var document: JSONValue { JSONValue(self, Self.fields) }

  var table: ReportTable {
    ReportTable(
      columns: [.text("cap"), .number("limit"), .number(most), .number("over the limit")],
      rows: audits.flatMap(\.rows).filter { $0.most > 0 }.compactMap { row in
        row.limit.map { [row.cap.name, "\($0)", "\(row.most)", "\(row.over)"] }
      }, notes: ["At most \(mostIn24Hours) of the standard bucket in any 24 hours."] + (shared?.notes ?? []))
  }

  /// The heading of the column, which names the periods that every policy has.
  private var most: String {
    let usual: [Reason] = [.dailyCap, .typeDailyCap, .typeWeeklyCap, .criticalDailyCap]
    return audits.flatMap(\.rows).allSatisfy { usual.contains($0.cap) }
      ? "most in a day or week" : "most in a period"
  }

  private var mostIn24Hours: Int { audits.map(\.mostIn24Hours).max() ?? 0 }

  /// The deliveries over a cap in words, or `nil` if there are none.
  var excess: String? {
    let exceeded = audits.flatMap(\.exceeded)
    if exceeded.isEmpty { return nil }
    return exceeded.map { row in
      let limit = row.limit.map { " of \($0)" } ?? ""
      return "\(row.over) beyond \(row.cap.name)\(limit), \(row.most) \(row.cap.fullestPeriod)"
    }.joined(separator: "; ")
  }
}

extension Reason {
  /// The period with the most deliveries under a cap, in words.
  fileprivate var fullestPeriod: String {
    switch self {
    case .typeWeeklyCap, .weeklyCap: "in the fullest week"
    case .typeMonthlyCap, .monthlyCap: "in the fullest month"
    case .typeRollingCap, .rollingCap: "in the fullest sequence of days"
    default: "on the fullest day"
    }
  }
}

/// The deliveries over the caps of a person with several devices, counted per person and per device.
private struct SharedCaps {
  struct Excess {
    var device: String
    var reminder: String
    var time: String
    var beyond: CapAudit.Beyond
  }

  private var scopes: Set<CapScope> = []
  private var excess: [Excess] = []
  private var beyondOnDevices = 0

  /// Creates the counts. Returns `nil` if no person has several devices.
  init?(_ audits: some Sequence<(Program, CapAudit)>) {
    for (program, audit) in audits where program.devices.count > 1 {
      scopes.insert(program.scenario.sync?.caps ?? .device)
      beyondOnDevices += audit.beyondOnDevices
      excess += audit.beyond.map { beyond in
        let moment = beyond.fire.moment
        return Excess(
          device: program.devices[Int(beyond.fire.device)].name,
          reminder: program.reminders.declarations[beyond.fire.request.reminder.index].id,
          time: program.scenario.zones[moment.zone].local(at: moment.wall).iso8601, beyond: beyond)
      }
    }
    if scopes.isEmpty { return nil }
  }

  private static let excessFields: [ReportField<Excess>] = [
    .text("device", { $0.device }), .text("reminder", { $0.reminder }),
    .text("time", { $0.time }, "The local time there."), .text("cap", { $0.beyond.cap.name }),
    .count("limit", { $0.beyond.limit }, "The limit of that cap."),
    .count(
      "untold", { $0.beyond.untold },
      "Deliveries of other devices that count towards the cap and that this device did not know."),
  ]

  static let fields: [ReportField<Self>] = [
    .choice("caps", CapScope.allCases.map(\.name)) { $0.scope.name },
    .count("beyondOfPerson", { $0.excess.count }, "Counted over all devices of the person."),
    .count("beyondOfDevice", { $0.beyondOnDevices }, "Counted on each device separately."),
    .count(
      "untold", { shared in shared.excess.count { $0.beyond.untold > 0 } },
      "Those beyond the person's caps whose device did not know all deliveries of the others."),
    .list("beyond", of: excessFields) { $0.excess },
  ]

  static let schema = ReportSchema.described(
    "Deliveries beyond a cap by days if a person has several devices.",
    ReportSchema.object(of: fields))

  /// The scope of the caps. A single scenario has only one scope.
  private var scope: CapScope { scopes.contains(.person) ? .person : .device }

  /// The maximum number of deliveries that a page lists. The JSON document lists all of them.
  private static let listLimit = 6

  var notes: [String] {
    let sum =
      "The devices count \(scope == .person ? "the person's deliveries" : "their own deliveries"): "
      + "\(excess.count) beyond the caps counted per person, \(beyondOnDevices) counted per device."
    let more = excess.count > Self.listLimit ? ["\(excess.count - Self.listLimit) more"] : []
    return [sum] + excess.prefix(Self.listLimit).map(words) + more
  }

  /// Returns a description, for example "b at 2026-03-02 10:10 on tablet, beyond dailyCap 1: did not know of
  /// 1".
  private func words(_ excess: Excess) -> String {
    let cause = excess.beyond.untold > 0 ? ": did not know of \(excess.beyond.untold)" : ""
    return "\(excess.reminder) at \(excess.time.minuteText) on \(excess.device), beyond "
      + "\(excess.beyond.cap.name) \(excess.beyond.limit)\(cause)"
  }
}
