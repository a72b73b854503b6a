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

/// The result of a gate.
package struct PeopleGateResult: Hashable, Sendable {
  package var gate: PeopleGate
  package var value: Double?
  package var interval: Interval?
  package var verdict: GateVerdict
  /// The number of people needed to decide the gate, or `nil` if it is decided or undecidable.
  package var peopleNeeded: Int64?
  /// The reason for a missing interval.
  package var lack: String?

  /// Evaluates a gate.
  ///
  /// The gate *passes* if the whole interval meets the target. The verdict is *kill* if the whole interval
  /// meets the kill criterion, and *inconclusive* otherwise.
  package init(
    _ gate: PeopleGate, value: Double?, interval: Interval?, lack: String?, people: Int64
  ) {
    (self.gate, self.value, self.interval, self.lack) = (gate, value, interval, lack)
    guard let interval, let value else {
      verdict = .inconclusive
      return
    }
    if gate.target.contains(interval) {
      verdict = .pass
    } else if let kill = gate.kill, kill.contains(interval) {
      verdict = .kill
    } else {
      verdict = .inconclusive
      let bound = [gate.target, gate.kill].compactMap(\.self).first { $0.contains(value) }
      peopleNeeded = bound.flatMap {
        PairEstimate.peopleNeeded(
          interval, forHalfWidth: ($0.value - value).magnitude, taken: people)
      }
    }
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
}
