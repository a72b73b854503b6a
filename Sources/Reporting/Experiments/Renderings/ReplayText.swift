package import Experiments
import TriggerModel

/// One person of an experiment, played alone: what the experiment counted of them, and each notification that
/// changed fate.
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
    let table = ResultTable(columns: head.map { .text($0) }, rows: rows)
    var lines = ["person \(person) of \(plan.population), seed \(plan.seed), \(plan.watch.days) days"]
    lines += ExperimentText.lines(table)
    for arm in 1..<outcomes.count { lines += moves(arm) }
    return lines.joined(separator: "\n")
  }

  private static func mostFrequent(_ denied: [Int64]) -> Reason? {
    Reason.allCases.max { denied[Int($0.rawValue)] < denied[Int($1.rawValue)] }
      .flatMap { denied[Int($0.rawValue)] > 0 ? $0 : nil }
  }

  private func moves(_ arm: Int) -> [String] {
    // A request that one of the two does not make has no fate there.
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
    let table = ResultTable(
      columns: [.text("due"), .text("type"), .text("base"), .text(name)], rows: rows)
    return ["", "\(name): \(rows.count) \(rows.count == 1 ? "notification" : "notifications") changed fate"]
      + ExperimentText.lines(table)
  }

  /// "day 3 14:05", as 'explain' takes it.
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
  /// By when it was due.
  fileprivate var order: (UInt16, UInt8, UInt8, UInt64) { (day, hour, minute, key) }
}
