package import Experiments
import TriggerModel

/// The replay of one person of an experiment: the counts, and each notification whose outcome differs in a
/// variant.
package struct ReplayText {
  private let plan: ExperimentPlan
  private let person: UInt64
  private let outcomes: [PersonOutcome]

  package init(_ plan: ExperimentPlan, person: UInt64) {
    self.plan = plan
    self.person = person
    outcomes = plan.arms.map { arm in
      var (prototype, outcome) = (arm.prototype, PersonOutcome(types: plan.types.count))
      prototype.run(person, into: &outcome)
      return outcome
    }
  }

  package var text: String {
    let head = ["policy", "requested", "shown", "tapped", "opted out", "denied most by"]
    let rows = zip(plan.arms, outcomes).map { arm, outcome in
      [
        arm.name, "\(outcome.requested)", "\(outcome.shown)", "\(outcome.tapped)",
        outcome.optedOut > 0 ? "yes" : "no", Self.mostFrequent(outcome.denied)?.name ?? "none",
      ]
    }
    let table = ReportTable(columns: head.map { .text($0) }, rows: rows)
    var lines = ["person \(person) of \(plan.population), seed \(plan.seed), \(plan.watch.days) days"]
    lines += table.terminalLines
    for arm in 1..<outcomes.count { lines += moves(arm) }
    return lines.joined(separator: "\n")
  }

  private static func mostFrequent(_ denied: [Int64]) -> Reason? {
    Reason.allCases.max { denied[Int($0.rawValue)] < denied[Int($1.rawValue)] }
      .flatMap { denied[Int($0.rawValue)] > 0 ? $0 : nil }
  }

  private func moves(_ arm: Int) -> [String] {
    // An outcome is `nil` if the request was not made under that policy.
    var fates: [UInt64: (base: PersonOutcome.Decision?, variant: PersonOutcome.Decision?)] = [:]
    for decision in outcomes[0].decisions { fates[decision.key] = (decision, nil) }
    for decision in outcomes[arm].decisions { fates[decision.key, default: (nil, nil)].variant = decision }
    let changed = fates.compactMap { key, pair -> (request: PersonOutcome.Decision, words: [String])? in
      let (base, variant) = (pair.base?.fate, pair.variant?.fate)
      guard base?.isShown ?? false != variant?.isShown ?? false, let request = pair.variant ?? pair.base
      else {
        return nil
      }
      return (request, [plan.types[Int(request.type)], Self.words(base), Self.words(variant)])
    }
    let rows = changed.sorted { $0.request.order < $1.request.order }.map {
      [Self.time($0.request)] + $0.words
    }
    let name = plan.arms[arm].name
    if rows.isEmpty { return ["", "\(name): the same notifications as under the base"] }
    let table = ReportTable(
      columns: [.text("due"), .text("type"), .text("base"), .text(name)], rows: rows)
    return ["", "\(name): \(counted(rows.count, "notification")) changed fate"] + table.terminalLines
  }

  /// Returns the due time in the form that `explain` accepts, such as "day 3 14:05".
  private static func time(_ request: PersonOutcome.Decision) -> String {
    func two(_ number: UInt8) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "day \(request.day) \(two(request.hour)):\(two(request.minute))"
  }

  private static func words(_ fate: PersonOutcome.Fate?) -> String {
    switch fate {
    case nil: "not requested"
    case .ignored: "shown"
    case .tapped: "shown, tapped"
    case .dismissed: "shown, dismissed"
    case .waiting: "waiting at the end"
    case let fate?: fate.reason.map { "denied: \($0.name)" } ?? "lost"
    }
  }
}

extension PersonOutcome.Decision {
  /// The sort key, which orders decisions by due time.
  fileprivate var order: (UInt16, UInt8, UInt8, UInt64) { (day, hour, minute, key) }
}

/// A CSV table with one row for each person and policy.
package struct PersonTable: Sendable {
  package static let header =
    "person,policy,requested,shown,tapped,dismissed,optedOut,opens,organicOpens,personDays\n"

  private let names: [String]

  package init(_ plan: ExperimentPlan) {
    names = plan.arms.map { $0.name.contains(where: { ",\"".contains($0) }) ? "\"\($0.name)\"" : $0.name }
  }

  package func rows(sink: @escaping @Sendable (String) -> Void) -> PersonRows {
    let names = names
    return PersonRows(
      write: { person, outcomes, text in
        for (name, outcome) in zip(names, outcomes) {
          let numbers = [
            outcome.requested, outcome.shown, outcome.tapped, outcome.dismissed, outcome.optedOut,
            outcome.opens, outcome.organicOpens, outcome.personDays,
          ]
          text += "\(person),\(name)," + numbers.map { "\($0)" }.joined(separator: ",") + "\n"
        }
      }, sink: sink)
  }
}

/// The result of a coverage trial as a Markdown table, which states how many intervals contain the true
/// value.
package struct CoverageTable {
  private let plan: ExperimentPlan
  private let outcome: CoverageTrial.Outcome

  package init(_ plan: ExperimentPlan, _ outcome: CoverageTrial.Outcome) {
    self.plan = plan
    self.outcome = outcome
  }

  package var text: String {
    let trials = max(1, outcome.trials)
    let lines = [
      "\(outcome.trials) replications, on average with \(outcome.people / Int64(trials)) people and "
        + "\(Numbers.fixed(Double(outcome.looks) / Double(trials), 1)) interim looks.", "",
      "| interval of | truth | half width | replications | contain the truth | share |",
      "|---|--:|--:|--:|--:|--:|",
    ]
    return (lines + outcome.tallies.map(row)).joined(separator: "\n") + "\n"
  }

  private func row(_ tally: CoverageTrial.Tally) -> String {
    let metric = plan.metrics[tally.metric]
    let name = plan.arms[tally.arm].name
    let subject = tally.isChange ? "difference of \(metric.name), \(name)" : "\(metric.name), \(name)"
    let truth = tally.isChange ? metric.difference(tally.truth) : metric.text(tally.truth)
    let width = tally.trials > 0 ? metric.width(tally.halfWidth) : "none"
    let share = Numbers.share(Int64(tally.hits), of: Int64(tally.trials))
    return "| \(subject) | \(truth) | \(width) | \(tally.trials) | \(tally.hits) | \(share) |"
  }
}
