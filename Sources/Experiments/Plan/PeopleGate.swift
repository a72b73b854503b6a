package import ScenarioModel

/// A product goal over a population: a figure of one policy, or the difference between two, with its target
/// and its kill criterion.
package struct PeopleGate: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// The figure of an arm, by its index.
    case figure(arm: Int)
    /// The difference of an arm from the base.
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
  /// The number of people like these that would decide the gate, or `nil` if it is decided or undecidable.
  package var peopleNeeded: Int64?
  /// Why there is no interval.
  package var lack: String?

  /// Evaluates a gate. It *passes* if the whole interval meets the target. It is a *kill* if the whole
  /// interval meets the kill criterion. Otherwise it is *inconclusive*.
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

  /// Returns whether the whole interval is on this side.
  func contains(_ interval: Interval) -> Bool { contains(interval.lower) && contains(interval.upper) }
}
