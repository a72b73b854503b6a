package import Foundation
import Synchronization

/// Tries the comparison itself: a program against itself, many times, while another core is kept busy.
package struct NoiseTrial: Sendable {
  /// What the comparisons of one kind said.
  package struct Tally: Hashable, Sendable {
    package var trials = 0
    package var verdicts: [Verdict: Int] = [:]
    /// Blocks of four runs, over all trials.
    package var blocks = 0
    package var seconds = 0.0

    package init() {}

    package func count(_ verdict: Verdict) -> Int { verdicts[verdict] ?? 0 }
  }

  package var trials = 100
  /// Per cent of its events that B plays twice; 0 compares A with itself.
  package var replayed = 0.0
  package var comparison: BuildComparison

  package init(comparison: BuildComparison) {
    self.comparison = comparison
  }

  /// Compares an executable with itself; the order of runs differs from trial to trial.
  ///
  /// - Parameter progress: Called after every trial.
  package func run(_ executable: URL, progress: (Tally) -> Void) throws -> Tally {
    let noise = BusyLoop()
    defer { noise.stop() }
    var tally = Tally()
    for trial in 0..<trials {
      var comparison = comparison
      comparison.countsInstructions = false
      comparison.plan.seed = UInt64(trial + 1)
      let elapsed = try ContinuousClock().measure {
        let report = try comparison.run(a: executable, b: executable, replayed: replayed)
        tally.verdicts[report.verdict, default: 0] += 1
        tally.blocks += report.rows.reduce(0) { max($0, $1.look.blocks) }
      }
      tally.trials += 1
      tally.seconds += elapsed / .seconds(1)
      progress(tally)
    }
    return tally
  }
}

/// A thread that does nothing as fast as it can.
private final class BusyLoop: Sendable {
  private let isOver = Atomic(false)

  init() {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {}
    }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
}
