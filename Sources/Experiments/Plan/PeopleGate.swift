package import ScenarioModel

/// A product goal over a population, with a target and a kill criterion. It applies to a figure of one policy
/// or to the difference between two.
package struct PeopleGate: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// The figure of the arm with the given index.
    case figure(arm: Int)
    /// The difference between the arm and the base.
    case change(arm: Int)
  }

  /// The index of the metric in the plan.
  package var metric: Int
  package var subject: Subject
  package var target: Bound
  package var kill: Bound?
  package var benchmarks: [Benchmark]
}

/// The conclusion about a gate over a population.
package enum PeopleVerdict: String, Hashable, Sendable, CaseIterable {
  /// The whole interval meets the target.
  case pass
  /// No part of the interval meets the target, and not all of it meets the kill criterion.
  case missed
  /// The whole interval meets the kill criterion.
  case kill
  /// The interval contains values that meet the target and values that do not, or there is no interval.
  case inconclusive
}

/// The result of a gate.
package struct PeopleGateResult: Hashable, Sendable {
  package var gate: PeopleGate
  package var value: Double?
  package var interval: Interval?
  package var verdict: PeopleVerdict
  /// The number of people with which another run is decided with a probability of 80 %. It is `nil` if the gate is
  /// decided or has no interval, or if too many people would be needed.
  package var peopleNeeded: Int64?
  /// The number of people for a probability of 90 %.
  package var peopleNeededAt90: Int64?
  /// The reason for a missing interval.
  package var lack: String?

  /// - Parameter error: The maximum probability that the interval misses the true value.
  package init(
    _ gate: PeopleGate, value: Double?, interval: Interval?, lack: String?, people: Int64,
    error: Double = ComparisonFamily.error
  ) {
    (self.gate, self.value, self.interval, self.lack) = (gate, value, interval, lack)
    verdict = interval.map(gate.verdict) ?? .inconclusive
    guard verdict == .inconclusive, let interval, let value else { return }
    let power = GatePower(value, interval, bound: gate.target.value, error: error)
    (peopleNeeded, peopleNeededAt90) = (
      power.people(for: 0.8, of: people), power.people(for: 0.9, of: people)
    )
  }
}

extension PeopleGate {
  func verdict(of interval: Interval) -> PeopleVerdict {
    if target.contains(interval) { return .pass }
    if let kill, kill.contains(interval) { return .kill }
    return target.misses(interval) ? .missed : .inconclusive
  }
}

extension Bound {
  var value: Double { Double(millionths) / 1_000_000 }

  func contains(_ number: Double) -> Bool {
    switch side {
    case .atLeast: number >= value
    case .atMost: number <= value
    case .above: number > value
    case .below: number < value
    }
  }

  /// Returns whether the whole interval meets the bound.
  func contains(_ interval: Interval) -> Bool { contains(interval.lower) && contains(interval.upper) }

  /// Returns whether no value of the interval meets the bound.
  func misses(_ interval: Interval) -> Bool { !contains(interval.lower) && !contains(interval.upper) }
}
