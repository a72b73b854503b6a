import Foundation
import Journal
package import TextFormats

/// The parts of a journal or a report that a comparison of runs uses.
package struct RecordedRun: Hashable, Sendable {
  /// The kind of file that recorded the run.
  package enum Source: String, Hashable, Sendable {
    /// A journal, which contains every decision with its reason.
    case journal
    /// A report, which contains the time of each exposed notification. It only counts the other
    /// notifications, by reason.
    case report
  }

  package var source: Source
  /// The scenarios in the order of the run.
  package var scenarios: [RecordedScenario]
}

/// A scenario of a recorded run.
package struct RecordedScenario: Hashable, Sendable {
  /// The name that the scenario file had in the run.
  package var file: String
  package var title: String
  /// The platform profile.
  package var profile: String
  package var seed: String
  package var decisions: [RecordedDecision] = []
  /// The reasons that triggers led to no request, by occasion. Empty for a report.
  package var declined: [RecordedDecision.Occasion: String] = [:]
  /// The metrics in the order of the report.
  package var metrics: [RecordedMetric] = []
  /// The losses of each reminder by reason, in the order of the report. Empty for a journal.
  package var losses: [RecordedLoss] = []
  /// The verdicts on expectations and gates. Empty for a journal.
  package var verdicts: [RecordedVerdict] = []
}

/// The decision on one request of a reminder.
package struct RecordedDecision: Hashable, Sendable {
  /// The occasion of a request. A scenario has the same occasions under every engine and policy.
  package struct Occasion: Hashable, Sendable {
    package var reminder: String
    package var device: String
    package var person: Int
    /// The requested time on the phone's wall clock, for example `2026-03-02T10:00:00+01:00`.
    package var time: String
    /// The index among the reminder's requests for that time, from 0.
    package var repetition: Int
  }

  package var occasion: Occasion
  /// The time at which the engine made the request, in UTC.
  package var askedAt: String
  package var fate: Fate
}

/// The outcome of a request.
package struct Fate: Hashable, Sendable {
  /// The time of exposure on the phone's wall clock, or `nil` if the notification was not exposed.
  package var shownAt: String?
  /// The outcome as a verb phrase, for example `fires` or `is denied by minimumInterval`.
  package var words: String
  /// The reason in the words of a report, or `nil` if the outcome has none.
  package var reason: String?
}

/// A ratio, or a count without a denominator.
package struct RecordedMetric: Hashable, Sendable {
  package var name: String
  package var numerator: Int
  package var denominator: Int?
}

package struct RecordedLoss: Hashable, Sendable {
  package var reminder: String
  package var reason: String
  package var count: Int
}

package struct RecordedVerdict: Hashable, Sendable {
  /// The text of the expectation, or the name of the gate.
  package var claim: String
  package var verdict: String
}

/// Reads a recorded run from a report, from the folder of a report, or from a journal.
package enum RunReader {
  /// Returns the path of a file: the path itself, or the path of the named file in it if it is a folder.
  static func file(_ name: String, at path: String) -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return path
    }
    return (path.hasSuffix("/") ? path : path + "/") + name
  }

  package static func read(_ path: String) throws(Diagnostic) -> RecordedRun {
    let file = Self.file("report.json", at: path)
    if let problem = RegularFile.problem(file) {
      throw Diagnostic(problem, file: file, hint: "name a folder of reports, a report.json, or a journal")
    }
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: file), options: .mappedIfSafe)
    } catch {
      throw Diagnostic("the file cannot be read", file: file)
    }
    if data.starts(with: Data("{\"form\":\"\(JournalHeader.form)\"".utf8)) {
      return try JournalRun.read(data, file: file)
    }
    return try ReportRun.read(data, file: file)
  }
}

/// Reads a recorded run from a report.
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
