import DeviceSimulation
import NotificationGateway
import ScenarioModel
import Simulation
import Statistics
import TestBench
import TextFormats
import TriggerModel

/// The activity of the app apart from notifications: permissions, milestones, locked surfaces and analytics.
struct AppSection: ReportSection {
  static let key = "app"
  static let title = "Permission and surfaces"
  static let isOfSuite = true

  struct Row {
    enum Kind: String, CaseIterable {
      case permission, priming, milestone, plan, batch, surface, analytics
    }

    var kind: Kind
    /// The name of the permission, the priming, the milestone or the surface.
    ///
    /// `nil` for the permission to notify. In a sum over several scenarios, only the other permissions have a
    /// name.
    var name: String?
    var step: String
    var count: Int
    /// The denominator if the count is part of a share, or `nil` otherwise.
    var denominator: Int?
    var evidence: Evidence
    /// The benefit that a surface's overlay promises. Only the row of the surface's impressions has it.
    var benefit: String?

    init(
      _ kind: Kind, _ step: String, _ count: Int, of denominator: Int? = nil,
      _ evidence: Evidence = .instrumented, name: String? = nil
    ) {
      self.kind = kind
      self.name = name
      self.step = step
      self.count = count
      self.denominator = denominator
      self.evidence = evidence
    }

    /// The count, for example "1", or the share, for example "50.0 % (1 of 2)".
    var figure: String { denominator.map { Ratio(count, of: $0).description } ?? "\(count)" }
  }

  let rows: [Row]
  /// The app's settings at the end of the run, or `nil` if there are several runs or no rows.
  private let settingsRow: PermissionFlow.Row?

  init(_ results: [ScenarioResult]) {
    let rows = results.flatMap(Self.rows)
    guard results.count != 1 else {
      self.rows = rows
      settingsRow = rows.isEmpty ? nil : results[0].accounts.app.row
      return
    }
    // Rows of the same kind and step are added up whatever their names, because equal names in different
    // files are unrelated. Permissions keep their names, because they are the same in all files.
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
        sums[sums.count - 1].benefit = nil
      }
    }
    self.rows = Row.Kind.allCases.flatMap { kind in sums.filter { $0.kind == kind } }
    settingsRow = nil
  }

  private static func rows(_ result: ScenarioResult) -> [Row] {
    let setup = result.program.scenario.app
    let account = result.accounts.app
    var rows = permission(account)
    for (index, name) in setup.primings.enumerated() {
      rows += [
        Row(.priming, "shown", account.count(.primingShown(.init(index))), name: name),
        Row(.priming, "skipped", account.count(.primingSkipped(.init(index))), .declared, name: name),
      ]
    }
    // Rows with a count of 0 are omitted, except those for declarations of the file.
    rows.removeAll { $0.count == 0 }
    rows += setup.milestones.enumerated().map { index, milestone in
      Row(.milestone, "reached", account.count(.milestone(.init(index))), name: milestone.name)
    }
    if setup.reminderLimit != nil { rows.append(Row(.plan, "reminders refused", account.refused)) }
    if !setup.batches.isEmpty {
      rows += [
        Row(.batch, "done", account.batches, .declared), Row(.batch, "things done", account.doneInBatches),
        Row(.batch, "confirmations asked", account.confirmations),
        Row(.batch, "confirmations declined", account.declined, .declared),
      ]
    }
    for (surface, counts) in zip(setup.surfaces, account.surfaces) {
      rows += self.surface(surface, counts)
    }
    if let analytics = result.analytics {
      rows += [
        Row(.analytics, "emitted", analytics.emitted), Row(.analytics, "withheld", analytics.withheld),
      ]
    }
    return rows
  }

  private static func permission(_ account: AppAccount) -> [Row] {
    [
      Row(.permission, "primed", account.primed), Row(.permission, "skipped", account.skipped, .declared),
      Row(.permission, "prompts", account.prompts), Row(.permission, "granted", account.granted, .declared),
      Row(.permission, "denied", account.denied, .declared),
      Row(.permission, "settings banners", account.banners),
    ] + PermissionKind.allCases.flatMap { prompts(for: $0, account) }
  }

  /// Returns the rows about the prompts for a permission. For notifications, ``permission(_:)`` returns the
  /// first three rows.
  private static func prompts(for kind: PermissionKind, _ account: AppAccount) -> [Row] {
    let name =
      switch kind {
      case .notifications: String?.none
      case .location: "location"
      case .screenTime: "Screen Time"
      }
    func row(_ step: String, _ event: AppEvent, _ evidence: Evidence = .instrumented) -> Row {
      Row(.permission, step, account.count(event), evidence, name: name)
    }
    let answers = [
      row("prompts", .permissionRequested(kind)), row("granted", .permissionGranted(kind), .declared),
      row("denied", .permissionDenied(kind), .declared),
    ]
    return (kind == .notifications ? [] : answers) + [
      row("prompts before their need", .promptEarly(kind)),
      row("prompts upon another", .promptStacked(kind)),
    ]
  }

  private static func surface(_ surface: Surface, _ account: SurfaceAccount) -> [Row] {
    let span = SurfaceAccount.conversionSpan.inWords
    func row(
      _ step: String, _ count: Int, of denominator: Int? = nil, _ evidence: Evidence = .instrumented
    ) -> Row {
      Row(.surface, step, count, of: denominator, evidence, name: surface.name)
    }
    var shown = row("shown", account.shown)
    shown.benefit = surface.benefit.isEmpty ? nil : surface.benefit
    return [shown] + (surface.isOffer ? [row("shown unasked", account.unasked)] : []) + [
      row("followed", account.followed, .declared), row("dismissed", account.dismissed, .declared),
      row("left open", account.leftOpen, .declared), row("guests reminded", account.remindedGuests),
      row("guest conversion within \(span)", account.converted, of: account.watchedGuests, .declared),
      row("guests not watched for \(span)", account.remindedGuests - account.watchedGuests),
    ]
  }

  private static let rowFields: [ReportField<Row>] = [
    .choice("kind", Row.Kind.allCases.map(\.rawValue)) { $0.kind.rawValue },
    .optionalText(
      "name", { $0.name }, "The permission, the context of priming, the milestone or the surface."),
    .text("step", { $0.step }), .count("count", { $0.count }),
    .optional("of", ReportSchema.count("The total that the count is a share of.")) {
      $0.denominator.map(JSONValue.integer)
    },
    .optionalText("benefit", { $0.benefit }, "The promise of a surface's overlay."),
    .value("evidence", ReportSchema.evidence) { .string($0.evidence.rawValue) },
  ]

  private static let fields: [ReportField<Self>] = [
    .list("rows", of: rowFields) { $0.rows },
    .optional("settingsRow", ReportSchema.choice(PermissionFlow.Row.allCases.map(\.name))) {
      $0.settingsRow.map { .string($0.name) }
    },
  ]

  static let schema = ReportSchema.object(of: fields)
  var document: JSONValue { JSONValue(self, Self.fields) }

  var table: ReportTable {
    ReportTable(
      columns: [.text("of"), .text("step"), .number("count"), .text("evidence")],
      rows: rows.map { row in
        let subject = [row.kind.rawValue, row.name].compactMap(\.self).joined(separator: " ")
        return [
          subject + (row.benefit.map { ": \($0)" } ?? ""), row.step, row.figure, row.evidence.rawValue,
        ]
      },
      notes: settingsRow.map { ["The row in the app's settings at the end: \($0.name)."] } ?? [])
  }
}
