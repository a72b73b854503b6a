package import ScenarioModel

/// A goal of the product over a population: a figure of one policy, or the difference that a policy makes, with
/// its target and the bound at which the idea is given up.
package struct PeopleGate: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    /// By the position among the arms.
    case figure(arm: Int)
    /// Variant less base.
    case change(arm: Int)
  }

  /// The position of the metric in the plan.
  package var metric: Int
  package var subject: Subject
  package var target: Bound
  package var kill: Bound?
  package var benchmarks: [Benchmark]

  package init(metric: Int, subject: Subject, target: Bound, kill: Bound?, benchmarks: [Benchmark]) {
    self.metric = metric
    self.subject = subject
    self.target = target
    self.kill = kill
    self.benchmarks = benchmarks
  }
}

/// How a gate came out.
package struct PeopleGateResult: Hashable, Sendable {
  package var gate: PeopleGate
  package var value: Double?
  package var interval: Interval?
  package var verdict: GateVerdict
  /// How many people would decide it, if they were like those who were played; nil: it is decided, or no number
  /// of people would.
  package var peopleNeeded: Int64?
  /// Why there is no interval.
  package var lack: String?

  /// *pass*: the whole interval lies on the good side of the target; *kill*: on the bad side of that bound;
  /// *inconclusive*: anything else.
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

  /// Whether the whole interval is on this side.
  func contains(_ interval: Interval) -> Bool { contains(interval.lower) && contains(interval.upper) }
}
