package import Foundation
import Synchronization

/// A test of the comparison itself: it compares a program with itself many times while another core is busy.
package struct NoiseTrial: Sendable {
  /// The number of trials for each verdict.
  package struct Tally: Hashable, Sendable {
    package var trials = 0
    package var verdicts: [Verdict: Int] = [:]
    /// The number of blocks in all trials. A block has four runs.
    package var blocks = 0
    package var seconds = 0.0

    package func count(_ verdict: Verdict) -> Int { verdicts[verdict] ?? 0 }
  }

  package var trials = 100
  /// The percentage of events that B plays twice, 0…100. If it is 0, the program is compared with itself.
  package var replayed = 0.0
  package var comparison: BuildComparison

  package init(comparison: BuildComparison) {
    self.comparison = comparison
  }

  /// Runs the trials, each with a different order of runs.
  ///
  /// - Parameter progress: A closure that is called after each trial.
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

/// A thread that keeps one core busy.
private final class BusyLoop: Sendable {
  private let isOver = Atomic(false)

  init() {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {}
    }
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
}

extension NoiseTrial.Tally {
  /// Returns a row of a Markdown table: the compared benchmark, and the number of trials for each verdict.
  package func line(replayed: Double) -> String {
    let what = replayed > 0 ? "B plays \(brief(replayed)) % of its events twice" : "A against itself"
    let verdicts = Verdict.allCases.map { String(count($0)) }.joined(separator: " | ")
    let blocks = brief(Double(blocks) / Double(max(1, trials)))
    return "| \(what) | \(trials) | \(verdicts) | \(blocks) | \(brief(seconds / Double(max(1, trials)))) |"
  }

  /// The header of the table.
  package static let heading = """
    | compared | trials | \(Verdict.allCases.map(\.rawValue).joined(separator: " | ")) | blocks | seconds |
    |---|---:|\(Verdict.allCases.map { _ in "---:|" }.joined())---:|---:|
    """
}
