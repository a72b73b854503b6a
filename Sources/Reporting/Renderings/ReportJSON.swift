import CivilTime
import PersonModel
import Recordings
import ScenarioModel
import Simulation
import Statistics
import TestBench
package import TextFormats
import TriggerModel

/// The report as a JSON document. It contains only integers and strings, with keys in a fixed order.
package struct ReportJSON {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var document: JSONValue {
    .object(
      JSONValue(report, Self.head).members
        + ReportSections.members(report.suite.scenarios, ofSuite: true)
        + JSONValue(report, Self.tail).members)
  }

  fileprivate static let head: [ReportField<Report>] = [
    .value("format", ["const": "triggerbench-report"]) { _ in "triggerbench-report" },
    .value("version", ["const": .integer(Report.formatVersion)]) { _ in .integer(Report.formatVersion) },
    .text("command", { $0.command }, "The command that makes the same report again."),
    .value("versions", ReportSchema.object(of: versions)) { JSONValue($0.versions, versions) },
    .choice("verdict", ["passed", "failed", "invalid"]) { $0.verdict.rawValue },
    .value("counts", ReportSchema.object(of: counts)) { JSONValue($0, counts) },
    .value("total", ReportSchema.reference("account")) { account($0.total, $0.isModelled) },
  ]

  fileprivate static let tail: [ReportField<Report>] = [
    .value("scenarios", ReportSchema.array(ReportSchema.reference("scenario"))) {
      .array($0.suite.scenarios.map(scenario))
    },
    .value("errors", ReportSchema.array(ReportSchema.reference("diagnostic"))) {
      .array($0.suite.diagnostics.map { JSONValue($0, diagnostic) })
    },
  ]

  private static let versions: [ReportField<Report.Versions>] = [
    .text("triggerbench", { $0.tool }), .text("timeZoneData", { $0.timeZoneData }),
    .text("geos", { $0.geos }),
    .optionalText(
      "engine", { $0.engine }, "The command of the engine under test; missing for the built-in engine."),
  ]

  private static let counts: [ReportField<Report>] = [
    .count("scenarios", { $0.suite.scenarios.count }), .count("failedScenarios", { $0.failedScenarios }),
    .count("expectations", { $0.expectationCount }),
    .count("failedExpectations", { $0.suite.failedExpectations }),
    .count("invalidFiles", { Set($0.suite.diagnostics.map(\.file)).count }),
    .count("otherFiles", { $0.suite.otherFiles }),
  ]

  // MARK: Scenarios

  private static func scenario(_ result: ScenarioResult) -> JSONValue {
    .object(JSONValue(result, scenarioFields).members + ReportSections.members([result]))
  }

  fileprivate static let scenarioFields: [ReportField<ScenarioResult>] = [
    .text("file", { $0.program.scenario.file }),
    .texts("packs", { $0.program.scenario.packs }, "A pack that the scenario includes."),
    .text("title", { $0.program.scenario.title }),
    .choice("verdict", ["passed", "failed"]) { $0.passed ? "passed" : "failed" },
    .text("profile", { $0.program.scenario.profile.value }, "The platform profile."),
    .optional(
      "knobs",
      [
        "type": "object", "description": "The profile settings that the scenario changes.",
        "additionalProperties": ReportSchema.string(),
      ]
    ) { result in
      let knobs = result.program.scenario.knobs
      return knobs.isEmpty ? nil : .object(knobs.map { .init($0.name, .string($0.value)) })
    },
    .optional(
      "person",
      ReportSchema.described(
        "The model that responds to notifications: figures that depend on it are assumed.",
        ReportSchema.object(of: person))
    ) {
      $0.program.scenario.person.map { JSONValue($0, person) }
    },
    .text("seed", { String($0.program.scenario.seed) }, "An unsigned integer."),
    .text("zone", { zone($0).identifier }, "The phone's zone at the start."),
    .text("start", { $0.program.scenario.start.iso8601(in: zone($0)) }),
    .text("end", { $0.program.end.iso8601(in: zone($0)) }, "Exclusive."),
    .count(
      "days", { RunWords($0.program).days },
      "Days from the start's time of day on; a started day counts in full."),
    .value("events", ReportSchema.object(of: events)) { JSONValue($0, events) },
    .value("total", ReportSchema.reference("account")) { account($0.accounts.total, $0.isModelled) },
    .value("metrics", ReportSchema.array(ReportSchema.reference("metric"))) {
      metrics($0.accounts.total, days: RunWords($0.program).days, $0.isModelled)
    },
    .list("expectations", of: expectation) { $0.expectations },
    .value(
      "reminders",
      ReportSchema.described(
        "A reminder without an account had no events.",
        ReportSchema.array(
          ReportSchema.object(
            [("id", ReportSchema.string())],
            optional: [
              ("account", ReportSchema.reference("account")),
              ("metrics", ReportSchema.array(ReportSchema.reference("metric"))),
            ])))
    ) { reminders($0) },
    .value("ignored", ReportSchema.reference("counts")) { $0.accounts.ignored.document },
    .value("fires", ReportSchema.array(of: fire)) { result in
      let words = RunWords(result.program)
      let fires = result.accounts.fires
      return .rows(JSONRows(count: fires.count) { JSONValue((fires[$0], words), fire) })
    },
    .choice("routing", ["modelled", "not modelled"]) {
      $0.program.links == nil ? "not modelled" : "modelled"
    },
    .value("imports", ReportSchema.array(ReportSchema.reference("import"))) {
      .array($0.program.imports.map { JSONValue($0, importReport) })
    },
    .value("warnings", ReportSchema.array(ReportSchema.reference("diagnostic"))) {
      .array($0.warnings.map { JSONValue($0, diagnostic) })
    },
    .texts("contradictions", { $0.accounts.contradictions }, "Why the accounts do not close."),
  ]

  private static func zone(_ result: ScenarioResult) -> Zone {
    result.program.scenario.zones[result.program.scenario.zone]
  }

  private static let person: [ReportField<PersonSetup>] = [
    .text("model", { _ in TapModel.name }, "The model's name."),
    .text("number", { String($0.number) }, "An unsigned integer."),
  ]

  private static let events: [ReportField<ScenarioResult>] = [
    .count("timeLine", { $0.accounts.happened }, "The events that happened, recorded fixes included."),
    .value("truth", ReportSchema.reference("counts")) { kinds($0.accounts.truth) },
    .value("observed", ReportSchema.reference("counts")) { kinds($0.accounts.observed) },
  ]

  private static func kinds(_ counts: [Int]) -> JSONValue {
    .object(
      ObservedEvent.Kind.allCases.compactMap { kind in
        let count = counts[Int(kind.rawValue)]
        return count == 0 ? nil : .init(kind.name, .integer(count))
      })
  }

  private static let expectation: [ReportField<ExpectationResult>] = [
    .text("text", { $0.text }), .choice("verdict", ["passed", "failed"]) { $0.passed ? "passed" : "failed" },
    .count("line", { Int($0.position.line) }), .count("column", { Int($0.position.column) }),
    .text("got", { $0.got }), .optionalText("nearest", { $0.nearest }),
    .optional("reasons", ReportSchema.array(ReportSchema.string())) {
      $0.reasons.isEmpty ? nil : .strings($0.reasons)
    },
  ]

  private static func reminders(_ result: ScenarioResult) -> JSONValue {
    let words = RunWords(result.program)
    // Most of thousands of reminders have equal accounts, so the members of an account are reused.
    var known: [ReminderAccount: [JSONValue.Member]] = [ReminderAccount(): []]
    return .array(
      result.accounts.reminders.enumerated().map { index, account in
        let id = JSONValue.Member("id", .string(words.name(ReminderID(index))))
        if let members = known[account] { return .object([id] + members) }
        let members = [
          JSONValue.Member("account", self.account(account, result.isModelled)),
          JSONValue.Member("metrics", metrics(account, days: words.days, result.isModelled)),
        ]
        known[account] = members
        return .object([id] + members)
      })
  }

  private static let fire: [ReportField<(fire: RunAccounts.Fire, words: RunWords)>] = [
    .text("reminder", { $0.words.name($0.fire.request.reminder) }),
    .count("occurrence", { Int($0.fire.request.occurrence) }), .text("at", { $0.fire.instant.iso8601 }),
    .text("local", { $0.words.time($0.fire.moment) }, "The time on the phone's wall clock."),
    .value(
      "exposure",
      ReportSchema.described(
        "'held': for a summary after the end of the run. 'hidden': not visible, for example with the app in front.",
        ReportSchema.choice(Exposure.allCases.map(\.rawValue)))
    ) { .string($0.fire.exposure.rawValue) },
    .optional("response", ReportSchema.choice(Response.allCases.map(\.rawValue))) {
      $0.fire.response.map { .string($0.rawValue) }
    },
  ]

  // MARK: Accounts

  private static func account(_ account: ReminderAccount, _ isModelled: Bool) -> JSONValue {
    JSONValue((account, isModelled), accountFields)
  }

  fileprivate static let accountFields: [ReportField<(account: ReminderAccount, isModelled: Bool)>] = [
    .count("matches", { $0.account.matches }, "Triggers that the app observed for a waiting reminder."),
    .count(
      "replaced", { $0.account.replaced }, "Requests that a later plan replaced: in no step of the funnel."),
    .value("noRequest", ReportSchema.reference("counts")) { $0.account.noRequest.document },
    .value("failedConditions", ReportSchema.reference("counts")) {
      .object(
        zip(ConditionKinds.allNames, $0.account.failedKinds).compactMap {
          $0.1 == 0 ? nil : .init($0.0, .integer($0.1))
        })
    },
    .count("deferrals", { $0.account.deferrals }),
    .value("denied", ReportSchema.reference("counts")) { $0.account.denied.document },
    .value("blockedBy", ReportSchema.reference("counts")) { $0.account.blockedBy.document },
    .value("notObserved", ReportSchema.reference("counts")) { $0.account.notObserved.document },
    .value("notRequested", ReportSchema.reference("counts")) { $0.account.notRequested.document },
    .count("unfounded", { $0.account.unfounded }, "Requests without a due reminder."),
    .count(
      "early", { $0.account.early },
      "Requests for a time that was not reached: withdrawn, or later than the end of the run."),
    .count("exposedInList", { $0.account.listed }, "Exposed in the list only."),
    .value("funnel", ReportSchema.array(ReportSchema.reference("step"))) {
      .array(Funnel($0.account, isModelled: $0.isModelled).steps.map { JSONValue($0, step) })
    },
    .optional("unfoundedBecause", ReportSchema.reference("counts")) {
      $0.account.unfoundedBecause.isEmpty ? nil : $0.account.unfoundedBecause.document
    },
  ]

  fileprivate static let step: [ReportField<Funnel.Step>] = [
    .choice("step", ["due", "observed", "requested", "admitted", "delivered", "exposed", "tapped", "routed"])
    { $0.name },
    .count("count", { $0.count }, "The count of the step before, minus the losses, plus the gains."),
    .list("losses", of: loss) { $0.losses },
    .optional("gains", ReportSchema.array(of: loss)) {
      $0.gains.isEmpty ? nil : .array($0.gains.map { JSONValue($0, loss) })
    },
    .value("evidence", ReportSchema.evidence) { .string($0.evidence.rawValue) },
  ]

  private static let loss: [ReportField<Funnel.Loss>] = [
    .text("reason", { $0.reason }), .count("count", { $0.count }),
    .optional("culprit", ReportSchema.choice(Culprit.allCases.map(\.rawValue))) {
      $0.culprit.map { JSONValue.string($0.rawValue) }
    },
  ]

  private static func metrics(_ account: ReminderAccount, days: Int, _ isModelled: Bool) -> JSONValue {
    .array(
      Figure.ratios.map { JSONValue((metric: $0, Figure($0, account, days: days), isModelled), metric) })
  }

  fileprivate static let metric: [ReportField<(metric: Metric, figure: Figure, isModelled: Bool)>] = [
    .text("name", { $0.metric.name }), .count("numerator", { $0.figure.numerator }),
    .count("denominator", { $0.figure.denominator ?? 1 }),
    .count(
      "unknown", { $0.figure.unknown }, "Exposed notifications whose response the scenario does not state."),
    .text("text", { $0.figure.description }),
    .value("evidence", ReportSchema.evidence) {
      .string($0.metric.evidence(isModelled: $0.isModelled).rawValue)
    },
  ]

  // MARK: Files

  fileprivate static let importReport: [ReportField<ImportReport>] = [
    .text("file", { $0.summary.file }), .count("read", { $0.summary.read }),
    .count("taken", { $0.summary.taken }), .list("findings", of: finding) { $0.summary.findings },
    .list("derivations", of: derivation) { $0.derivations },
  ]

  private static let finding: [ReportField<ImportSummary.Finding>] = [
    .text("kind", { $0.kind.rawValue }), .count("count", { $0.count }),
    .count("firstLine", { $0.firstLine }), .text("text", { $0.description }),
  ]

  private static let derivation: [ReportField<ImportReport.Derivation>] = [
    .text("event", { $0.event }), .text("rule", { $0.chosen }),
    .value("counts", ReportSchema.reference("counts")) {
      .object($0.counts.map { .init($0.rule, .integer($0.count)) })
    },
  ]

  fileprivate static let diagnostic: [ReportField<Diagnostic>] = [
    .text("file", { $0.file }),
    .optional("line", ReportSchema.count()) { $0.position.map { .count($0.line) } },
    .optional("column", ReportSchema.count()) { $0.position.map { .count($0.column) } },
    .text("severity", { $0.severity.rawValue }), .text("message", { $0.message }),
    .optionalText("hint", { $0.hint }),
  ]
}

extension ReportSchema {
  package static let json = JSONValue.object(
    [
      .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
      .init("title", "TriggerBench report"),
      .init(
        "description",
        "The result of a suite's run. Within a version, keys are only added. Times are ISO 8601."),
    ] + root.members + [
      .init(
        "$defs",
        [
          "scenario": scenario, "account": object(of: ReportJSON.accountFields),
          "step": object(of: ReportJSON.step), "metric": object(of: ReportJSON.metric),
          "ratio": object([("numerator", count()), ("denominator", count()), ("text", string())]),
          "counts": ["type": "object", "additionalProperties": count()],
          "import": object(of: ReportJSON.importReport), "diagnostic": object(of: ReportJSON.diagnostic),
        ])
    ])

  private static let root = object(
    required(ReportJSON.head) + ReportSections.schemas(ofSuite: true) + required(ReportJSON.tail))

  private static let scenario = object(
    required(ReportJSON.scenarioFields) + ReportSections.schemas(),
    optional: ReportSections.optionalSchemas + optional(ReportJSON.scenarioFields))
}
