import Scenarios
package import TestBench
import TriggerModel

/// What the platform told the app, beside what really happened.
package struct Observation: Sendable {
  /// One kind of sign, all of its apps or regions together.
  package struct Row: Sendable {
    package var name: String
    package var account: SignAccount
    /// By app or place, where the kind has them.
    package var subjects: [(name: String, account: SignAccount)]
  }

  /// Only kinds of which something happened or was told.
  package var rows: [Row]

  /// One run's.
  package init(_ result: ScenarioResult) {
    let scenario = result.program.scenario
    let signs = result.accounts.signs
    rows = Sign.Kind.allCases.compactMap { kind in
      let subjects = signs.subjects(of: kind)
      if subjects.isEmpty { return nil }
      let names: [String] =
        switch kind {
        case .appOpened: scenario.apps
        case .regionEntered, .regionExited: scenario.places.map(\.name)
        case .unlock, .chargingStarted, .chargingStopped: []
        }
      return Row(
        name: kind.name, account: signs.account(of: kind),
        subjects: names.isEmpty
          ? [] : subjects.map { (names[Int($0)], signs.account(of: kind, $0)) })
    }
  }

  /// Several runs' together; apps and places of different files have nothing to do with each other.
  package init(_ results: [ScenarioResult]) {
    var totals: [String: SignAccount] = [:]
    for row in results.flatMap({ Observation($0).rows }) {
      totals[row.name, default: SignAccount()].add(row.account)
    }
    rows = Sign.Kind.allCases.compactMap { kind in
      totals[kind.name].map { Row(name: kind.name, account: $0, subjects: []) }
    }
  }

  /// All signs of all kinds.
  package var total: SignAccount { rows.reduce(into: SignAccount()) { $0.add($1.account) } }

  /// One sentence about the whole: how much was told, and what that cost.
  package static func summary(_ report: Report) -> String {
    let total = Observation(report.suite.scenarios).total
    let account = report.total
    let lost = account.notObserved.values.reduce(0, +)
    var text = "told of \(Ratio(total.matched, of: total.truth)) of what happened"
    if total.falseSigns > 0 { text += ", and \(total.falseSigns) times of what had not" }
    text += "; \(lost) of \(account.dueRequests) due requests not made"
    if account.unfounded > 0 { text += ", \(account.unfounded) made without cause" }
    return text
  }
}

extension SignAccount {
  /// Of what was told, how much had happened.
  package var precision: Ratio { Ratio(matched, of: observed) }
  /// Of what happened, how much was told.
  package var recall: Ratio { Ratio(matched, of: truth) }

  /// "3 dwell, 1 notRunning".
  var causes: String { missed.inWords }

  /// "2 min 5 s", or nothing.
  var delayWords: (median: String, longest: String) {
    (medianDelay.map(Self.words) ?? "", longestDelay.map(Self.words) ?? "")
  }

  private static func words(_ milliseconds: Int64) -> String {
    let parts = [
      (milliseconds / 3_600_000, "h"), (milliseconds / 60_000 % 60, "min"), (milliseconds / 1_000 % 60, "s"),
    ]
    .filter { $0.0 > 0 }.prefix(2)
    if parts.isEmpty { return milliseconds > 0 ? "\(milliseconds) ms" : "0 s" }
    return parts.map { "\($0.0) \($0.1)" }.joined(separator: " ")
  }
}

extension [String: Int] {
  /// "3 dwell, 1 notRunning", in the order of the names.
  var inWords: String { keys.sorted().map { "\(self[$0] ?? 0) \($0)" }.joined(separator: ", ") }
}
