import DeviceSimulation
import NotificationGateway
import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// What the app did beside its notifications: permission, milestones, locked surfaces, and what analytics
/// were told.
struct AppSection: ReportSection {
  static let key = "app"
  static let title = "Permission and surfaces"
  static let isOfSuite = true

  struct Row {
    enum Kind: String, CaseIterable {
      case permission, priming, milestone, plan, batch, surface, analytics
    }

    var kind: Kind
    /// The permission, where it is not the one to notify, the context of priming, the milestone or the surface; nil
    /// where several are taken together.
    var name: String?
    var step: String
    var count: Int
    /// What it is a share of.
    var denominator: Int?
    var evidence: Evidence
    /// What a surface's overlay promises, where it is shown.
    var benefit = ""

    /// "1", or "50.0 % (1 of 2)".
    var figure: String { denominator.map { Ratio(count, of: $0).description } ?? "\(count)" }
  }

  let rows: [Row]
  /// What the row in the app's settings offers, at the end of the one run.
  let settingsRow: PermissionFlow.Row?

  init(_ results: [ScenarioResult]) {
    let rows = results.flatMap(Self.rows)
    guard results.count != 1 else {
      self.rows = rows
      settingsRow = rows.isEmpty ? nil : results[0].accounts.app.row
      return
    }
    // Contexts, milestones and surfaces of different files have nothing to do with each other.
    var sums: [Row] = []
    for row in rows {
      let index = sums.firstIndex {
        $0.kind == row.kind && $0.step == row.step && (row.kind != .permission || $0.name == row.name)
      }
      if let index {
        sums[index].count += row.count
        sums[index].denominator = row.denominator.map { $0 + (sums[index].denominator ?? 0) }
      } else {
        sums.append(row)
        if row.kind != .permission { sums[sums.count - 1].name = nil }
        sums[sums.count - 1].benefit = ""
      }
    }
    let kinds = Row.Kind.allCases
    self.rows = kinds.flatMap { kind in sums.filter { $0.kind == kind } }
    settingsRow = nil
  }

  private static func rows(_ result: ScenarioResult) -> [Row] {
    let setup = result.program.scenario.app
    let account = result.accounts.app
    var rows = permission(account)
    for (index, name) in setup.primings.enumerated() {
      rows.append(
        Row(
          kind: .priming, name: name, step: "shown", count: account.count(.primingShown(.init(index))),
          evidence: .instrumented))
      rows.append(
        Row(
          kind: .priming, name: name, step: "skipped", count: account.count(.primingSkipped(.init(index))),
          evidence: .declared))
    }
    // What never happened is said only of what the file declares.
    rows.removeAll { $0.count == 0 }
    for (index, milestone) in setup.milestones.enumerated() {
      rows.append(
        Row(
          kind: .milestone, name: milestone.name, step: "reached",
          count: account.count(.milestone(.init(index))), evidence: .instrumented))
    }
    if setup.room != nil {
      rows.append(
        Row(kind: .plan, step: "reminders refused", count: account.refused, evidence: .instrumented))
    }
    if !setup.batches.isEmpty {
      let steps: [(String, Int, Evidence)] = [
        ("done", account.batches, .declared), ("things done", account.doneInBatches, .instrumented),
        ("confirmations asked", account.confirmations, .instrumented),
        ("confirmations declined", account.declined, .declared),
      ]
      rows += steps.map { Row(kind: .batch, step: $0.0, count: $0.1, evidence: $0.2) }
    }
    for (surface, counts) in zip(setup.surfaces, account.surfaces) {
      rows += self.surface(surface, counts)
    }
    if let analytics = result.analytics {
      rows.append(Row(kind: .analytics, step: "emitted", count: analytics.emitted, evidence: .instrumented))
      rows.append(Row(kind: .analytics, step: "withheld", count: analytics.withheld, evidence: .instrumented))
    }
    return rows
  }

  private static func permission(_ account: AppAccount) -> [Row] {
    let steps: [(String, Int, Evidence)] = [
      ("primed", account.primed, .instrumented), ("skipped", account.skipped, .declared),
      ("prompts", account.prompts, .instrumented), ("granted", account.granted, .declared),
      ("denied", account.denied, .declared), ("settings banners", account.banners, .instrumented),
    ]
    let rows = steps.map { Row(kind: .permission, step: $0.0, count: $0.1, evidence: $0.2) }
    return rows + PermissionKind.allCases.flatMap { prompts(for: $0, account) }
  }

  /// What is counted of the prompts for each permission; of notifications the rest stands above.
  private static func prompts(for kind: PermissionKind, _ account: AppAccount) -> [Row] {
    var steps: [(String, AppEvent, Evidence)] = [
      ("prompts", .permissionRequested(kind), .instrumented),
      ("granted", .permissionGranted(kind), .declared),
      ("denied", .permissionDenied(kind), .declared),
    ]
    if kind == .notifications { steps = [] }
    steps += [
      ("prompts before their need", .promptEarly(kind), .instrumented),
      ("prompts upon another", .promptStacked(kind), .instrumented),
    ]
    let name =
      switch kind {
      case .notifications: String?.none
      case .location: "location"
      case .screenTime: "Screen Time"
      }
    return steps.map {
      Row(kind: .permission, name: name, step: $0.0, count: account.count($0.1), evidence: $0.2)
    }
  }

  private static func surface(_ surface: Surface, _ account: SurfaceAccount) -> [Row] {
    let steps: [(String, Int, Int?, Evidence)] = [
      ("shown", account.shown, nil, .instrumented), ("followed", account.followed, nil, .declared),
      ("dismissed", account.dismissed, nil, .declared), ("left open", account.leftOpen, nil, .declared),
      ("guests reminded", account.remindedGuests, nil, .instrumented),
      (
        "guest conversion within \(SurfaceAccount.conversionSpan.inWords)", account.converted,
        account.watchedGuests, .declared
      ),
      (
        "guests not watched for \(SurfaceAccount.conversionSpan.inWords)",
        account.remindedGuests - account.watchedGuests, nil, .instrumented
      ),
    ]
    var rows = steps.map {
      Row(kind: .surface, name: surface.name, step: $0.0, count: $0.1, denominator: $0.2, evidence: $0.3)
    }
    rows[0].benefit = surface.benefit
    if surface.isOffer {
      let row = Row(
        kind: .surface, name: surface.name, step: "shown unasked", count: account.unasked,
        evidence: .instrumented)
      rows.insert(row, at: 1)
    }
    return rows
  }

  static let schema = ReportSchema.object(
    [
      (
        "rows",
        ReportSchema.array(
          ReportSchema.object(
            [
              ("kind", ReportSchema.choice(Row.Kind.allCases.map(\.rawValue))),
              ("step", ReportSchema.string()), ("count", ReportSchema.count()),
              ("evidence", ReportSchema.evidence),
            ],
            optional: [
              (
                "name",
                ReportSchema.string("The permission, the context of priming, the milestone or the surface.")
              ),
              ("of", ReportSchema.count("What the count is a share of.")),
              ("benefit", ReportSchema.string("What the overlay of a surface promises.")),
            ]))
      )
    ],
    optional: [("settingsRow", ReportSchema.choice(PermissionFlow.Row.allCases.map(\.name)))])

  var document: JSONValue {
    var members: [JSONValue.Member] = [.init("rows", .array(rows.map(document)))]
    if let settingsRow { members.append(.init("settingsRow", .string(settingsRow.name))) }
    return .object(members)
  }

  private func document(_ row: Row) -> JSONValue {
    var members: [JSONValue.Member] = [.init("kind", .string(row.kind.rawValue))]
    if let name = row.name { members.append(.init("name", .string(name))) }
    members += [.init("step", .string(row.step)), .init("count", .integer(row.count))]
    if let denominator = row.denominator { members.append(.init("of", .integer(denominator))) }
    if !row.benefit.isEmpty { members.append(.init("benefit", .string(row.benefit))) }
    return .object(members + [.init("evidence", .string(row.evidence.rawValue))])
  }

  var table: ReportTable {
    ReportTable(
      columns: [.text("of"), .text("step"), .number("count"), .text("evidence")],
      rows: rows.map { row in
        var subject = row.kind.rawValue
        if let name = row.name { subject += " \(name)" }
        if !row.benefit.isEmpty { subject += ": \(row.benefit)" }
        return [subject, row.step, row.figure, row.evidence.rawValue]
      },
      notes: settingsRow.map { ["The row in the app's settings, at the end: \($0.name)."] } ?? [])
  }
}
