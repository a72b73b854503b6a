import Foundation
import TextFormats

/// Reads a run from its report.
enum ReportRun {
  static func read(_ data: Data, file: String) throws(Diagnostic) -> RecordedRun {
    let report: Document
    do {
      report = try JSONDecoder().decode(Document.self, from: data)
      guard report.format == "triggerbench-report" else { throw NoReport() }
    } catch {
      throw Diagnostic(
        "this is neither a report nor a journal of triggerbench", file: file,
        hint: "name a folder with report.json, such a file, or what 'triggerbench run --journal FILE' wrote")
    }
    return RecordedRun(source: .report, scenarios: report.scenarios.map(\.recorded))
  }

  private struct NoReport: Error {}

  private struct Document: Decodable {
    var format: String
    var scenarios: [Scenario]
  }

  private struct Scenario: Decodable {
    var file: String
    var title: String
    var profile: String
    var seed: String
    var fires: [Fire]
    var metrics: [Metric]
    var reminders: [Reminder]
    var expectations: [Expectation]
    var gates: [Gate]

    var recorded: RecordedScenario {
      var scenario = RecordedScenario(file: file, title: title, profile: profile, seed: seed)
      var repetitions: [RecordedDecision.Occasion: Int] = [:]
      for fire in fires {
        var occasion = RecordedDecision.Occasion(
          reminder: fire.reminder, device: fire.device ?? "", person: 0, time: fire.local, repetition: 0)
        let repetition = repetitions[occasion, default: 0]
        repetitions[occasion] = repetition + 1
        occasion.repetition = repetition
        scenario.decisions.append(
          RecordedDecision(occasion: occasion, askedAt: fire.at, fate: fire.fate))
      }
      scenario.metrics = metrics.map {
        RecordedMetric(name: $0.name, numerator: $0.numerator, denominator: $0.denominator)
      }
      scenario.losses = reminders.flatMap { reminder in
        (reminder.account?.funnel ?? []).flatMap(\.losses).map {
          RecordedLoss(reminder: reminder.id, reason: $0.reason, count: $0.count)
        }
      }
      scenario.verdicts =
        expectations.map { RecordedVerdict(claim: $0.text, verdict: $0.verdict) }
        + gates.map { RecordedVerdict(claim: "gate " + $0.name, verdict: $0.verdict) }
      return scenario
    }
  }

  private struct Fire: Decodable {
    var reminder: String
    var device: String?
    var at: String
    var local: String
    var exposure: String

    var fate: Fate {
      switch exposure {
      case "banner": Fate(shownAt: local, words: "fires")
      case "list": Fate(shownAt: local, words: "fires, in the list only")
      default: Fate(words: "is delivered and not shown")
      }
    }
  }

  private struct Metric: Decodable {
    var name: String
    var numerator: Int
    var denominator: Int
  }

  private struct Reminder: Decodable {
    var id: String
    var account: Account?

    struct Account: Decodable { var funnel: [Step] }
    struct Step: Decodable { var losses: [Loss] }
    struct Loss: Decodable {
      var reason: String
      var count: Int
    }
  }

  private struct Expectation: Decodable {
    var text: String
    var verdict: String
  }

  private struct Gate: Decodable {
    var name: String
    var verdict: String
  }
}
