import CivilTime
import PersonModel
import Recordings
import ScenarioModel
import Simulation
import Statistics
import TestBench
package import TextFormats
import TriggerModel

/// The report as a JSON document: integers and text only, keys in a fixed order.
package struct ReportJSON {
  private let report: Report

  package init(_ report: Report) {
    self.report = report
  }

  package var document: JSONValue {
    let suite = report.suite
    return .object(
      [
        .init("format", "triggerbench-report"),
        .init("version", .integer(Report.formatVersion)),
        .init("command", .string(report.command)),
        .init(
          "versions",
          .object(
            [
              .init("triggerbench", .string(report.versions.tool)),
              .init("timeZoneData", .string(report.versions.timeZoneData)),
              .init("geos", .string(report.versions.geos)),
            ] + (report.versions.engine.map { [.init("engine", .string($0))] } ?? []))),
        .init("verdict", .string(report.verdict.rawValue)),
        .init(
          "counts",
          [
            "scenarios": .integer(suite.scenarios.count),
            "failedScenarios": .integer(report.failedScenarios),
            "expectations": .integer(report.expectationCount),
            "failedExpectations": .integer(report.failedExpectations),
            "invalidFiles": .integer(Set(suite.diagnostics.map(\.file)).count),
            "otherFiles": .integer(suite.otherFiles),
          ]),
        .init("total", account(report.total, report.isModelled)),
      ] + ReportSections.members(suite.scenarios, ofSuite: true) + [
        .init("scenarios", .array(suite.scenarios.map(scenario))),
        .init("errors", .array(suite.diagnostics.map(diagnostic))),
      ])
  }

  private func knobs(_ knobs: [Knob]) -> [JSONValue.Member] {
    if knobs.isEmpty { return [] }
    return [.init("knobs", .object(knobs.map { .init($0.name, .string($0.value)) }))]
  }

  /// The model behind what is assumed.
  private func person(_ setup: PersonSetup?) -> [JSONValue.Member] {
    guard let setup else { return [] }
    let model: JSONValue = ["model": .string(TapModel.name), "number": .string(String(setup.number))]
    return [.init("person", model)]
  }

  private func scenario(_ result: ScenarioResult) -> JSONValue {
    let program = result.program
    let scenario = program.scenario
    let words = RunWords(program)
    let zone = scenario.zones[scenario.zone]
    return .object(
      [
        .init("file", .string(scenario.file)),
        .init("packs", .array(scenario.packs.map { .string($0) })),
        .init("title", .string(scenario.title)),
        .init("verdict", .string(result.passed ? "passed" : "failed")),
        .init("profile", .string(scenario.profile.value)),
      ] + knobs(scenario.knobs) + person(scenario.person) + [
        .init("seed", .string(String(scenario.seed))),
        .init("zone", .string(zone.identifier)),
        .init("start", .string(scenario.start.iso8601(in: zone))),
        .init("end", .string(program.end.iso8601(in: zone))),
        .init("days", .integer(words.days)),
        .init("events", events(result)),
        .init("total", account(result.accounts.total, result.isModelled)),
        .init("metrics", .array(metrics(result.accounts.total, days: words.days, result.isModelled))),
        .init("expectations", .array(result.expectations.map { expectation($0, scenario.file) })),
        .init("reminders", .array(reminders(result, days: words.days))),
        .init("ignored", result.accounts.ignored.document),
        .init("fires", .rows(fires(result))),
        .init("routing", .string(program.links == nil ? "not modelled" : "modelled")),
        .init("imports", .array(program.imports.map(importReport))),
        .init("warnings", .array(result.warnings.map(diagnostic))),
        .init("contradictions", .array(result.accounts.contradictions.map { .string($0) })),
      ] + ReportSections.members([result]))
  }

  private func events(_ result: ScenarioResult) -> JSONValue {
    func counts(_ counts: [Int]) -> JSONValue {
      .object(
        ObservedEvent.Kind.allCases.compactMap { kind in
          let count = counts[Int(kind.rawValue)]
          return count == 0 ? nil : .init(kind.name, .integer(count))
        })
    }
    return [
      "timeLine": .integer(result.accounts.happened), "truth": counts(result.accounts.truth),
      "observed": counts(result.accounts.observed),
    ]
  }

  private func account(_ account: ReminderAccount, _ isModelled: Bool) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("matches", .integer(account.matches)),
      .init("replaced", .integer(account.replaced)),
      .init("noRequest", reasons(account.noRequest)),
      .init(
        "failedConditions",
        .object(
          zip(ConditionKinds.allNames, account.failedKinds).compactMap {
            $0.1 == 0 ? nil : .init($0.0, .integer($0.1))
          })),
      .init("deferrals", .integer(account.deferrals)),
      .init("denied", reasons(account.denied)),
      .init("blockedBy", reasons(account.blockedBy)),
      .init("notObserved", account.notObserved.document),
      .init("unfounded", .integer(account.unfounded)),
      .init("early", .integer(account.early)),
      .init("exposedInList", .integer(account.listed)),
      .init("funnel", .array(Funnel(account, isModelled: isModelled).steps.map(step))),
    ]
    if !account.unfoundedBecause.isEmpty {
      members.append(.init("unfoundedBecause", account.unfoundedBecause.document))
    }
    return .object(members)
  }

  private func step(_ step: Funnel.Step) -> JSONValue {
    func counts(_ counts: [Funnel.Loss]) -> JSONValue {
      .array(counts.map { ["reason": .string($0.reason), "count": .integer($0.count)] })
    }
    let gains = step.gains.isEmpty ? [] : [JSONValue.Member("gains", counts(step.gains))]
    return .object(
      [
        .init("step", .string(step.name)), .init("count", .integer(step.count)),
        .init("losses", counts(step.losses)),
      ] + gains + [.init("evidence", .string(step.evidence.rawValue))])
  }

  private func reasons(_ counts: ReasonCounts) -> JSONValue {
    .object(counts.nonZero.map { .init($0.reason.name, .integer($0.count)) })
  }

  private func metrics(_ account: ReminderAccount, days: Int, _ isModelled: Bool) -> [JSONValue] {
    Figure.ratios.map { metric in
      let figure = Figure(metric, account, days: days)
      return [
        "name": .string(metric.name), "numerator": .integer(figure.numerator),
        "denominator": .integer(figure.denominator ?? 1), "unknown": .integer(figure.unknown),
        "text": .string(figure.description),
        "evidence": .string(metric.evidence(isModelled: isModelled).rawValue),
      ]
    }
  }

  private func expectation(_ result: ExpectationResult, _ file: String) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("text", .string(result.text)),
      .init("verdict", .string(result.passed ? "passed" : "failed")),
      .init("line", .integer(Int(result.position.line))),
      .init("column", .integer(Int(result.position.column))),
      .init("got", .string(result.got)),
    ]
    if let nearest = result.nearest { members.append(.init("nearest", .string(nearest))) }
    if !result.reasons.isEmpty {
      members.append(.init("reasons", .array(result.reasons.map { .string($0) })))
    }
    return .object(members)
  }

  private func reminders(_ result: ScenarioResult, days: Int) -> [JSONValue] {
    let words = RunWords(result.program)
    // Of thousands of reminders most have come to the same.
    var known: [ReminderAccount: [JSONValue.Member]] = [ReminderAccount(): []]
    return result.accounts.reminders.enumerated().map { index, account in
      let id = JSONValue.Member("id", .string(words.name(ReminderID(index))))
      if let members = known[account] { return .object([id] + members) }
      let members = [
        JSONValue.Member("account", self.account(account, result.isModelled)),
        JSONValue.Member("metrics", .array(metrics(account, days: days, result.isModelled))),
      ]
      known[account] = members
      return .object([id] + members)
    }
  }

  private func fires(_ result: ScenarioResult) -> JSONRows {
    let words = RunWords(result.program)
    let fires = result.accounts.fires
    return JSONRows(count: fires.count) { fire(fires[$0], words) }
  }

  private func fire(_ fire: RunAccounts.Fire, _ words: RunWords) -> JSONValue {
    let response = fire.response.map { [JSONValue.Member("response", .string($0.rawValue))] } ?? []
    return .object(
      [
        .init("reminder", .string(words.name(fire.request.reminder))),
        .init("occurrence", .integer(Int(fire.request.occurrence))),
        .init("at", .string(fire.instant.iso8601)),
        .init("local", .string(words.time(fire.moment))),
        .init("exposure", .string(fire.exposure.rawValue)),
      ] + response)
  }

  private func importReport(_ report: ImportReport) -> JSONValue {
    .object([
      .init("file", .string(report.summary.file)),
      .init("read", .integer(report.summary.read)),
      .init("taken", .integer(report.summary.taken)),
      .init(
        "findings",
        .array(
          report.summary.findings.map {
            [
              "kind": .string($0.kind.rawValue), "count": .integer($0.count),
              "firstLine": .integer($0.firstLine),
              "text": .string($0.description),
            ]
          })),
      .init(
        "derivations",
        .array(
          report.derivations.map { derivation in
            [
              "event": .string(derivation.event), "rule": .string(derivation.chosen),
              "counts": .object(derivation.counts.map { .init($0.rule, .integer($0.count)) }),
            ]
          })),
    ])
  }

  private func diagnostic(_ diagnostic: Diagnostic) -> JSONValue {
    var members: [JSONValue.Member] = [.init("file", .string(diagnostic.file))]
    if let position = diagnostic.position {
      members.append(.init("line", .integer(Int(position.line))))
      members.append(.init("column", .integer(Int(position.column))))
    }
    members.append(.init("severity", .string(diagnostic.severity.rawValue)))
    members.append(.init("message", .string(diagnostic.message)))
    if let hint = diagnostic.hint { members.append(.init("hint", .string(hint))) }
    return .object(members)
  }
}

extension Ratio {
  /// Its numerator, its denominator, and both in words.
  var document: JSONValue {
    [
      "numerator": .integer(numerator), "denominator": .integer(denominator), "text": .string(description),
    ]
  }
}

extension [String: Int] {
  /// In the order of the names.
  var document: JSONValue { .object(keys.sorted().map { .init($0, .integer(self[$0] ?? 0)) }) }
}
