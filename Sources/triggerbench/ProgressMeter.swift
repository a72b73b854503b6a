import Experiments
import Foundation
import Synchronization

/// How far a long piece of work has come, on a terminal: from its second second on, with its rate and how long it
/// still takes.
final class ProgressMeter: Sendable {
  private struct State {
    var done: Int64 = 0
    var expected: Int64 = 0
    var shownAt: UInt64
    var isShown = false
  }

  private let start = Terminal.stopwatch()
  private let isOn = isatty(STDERR_FILENO) == 1
  private let state: Mutex<State>

  init() { state = Mutex(State(shownAt: start)) }

  /// There is more to do.
  var expect: @Sendable (Int64) -> Void {
    { count in self.state.withLock { $0.expected += count } }
  }

  /// There is more to do for an experiment. That the assumptions come, and how long they take, is said beforehand where
  /// they take long: whoever does not want to know can do without.
  func announce(_ plan: ExperimentPlan) -> @Sendable (ExperimentRunner.Stage, Int64) -> Void {
    let sensitivity = plan.sensitivity
    return { stage, plays in
      self.expect(plays)
      guard stage == .assumptions, let sensitivity, let seconds = self.seconds(for: plays), seconds >= 10
      else {
        return
      }
      self.clear()
      Terminal.diagnose(
        "triggerbench: about \(Int64(seconds)) s more for \(sensitivity.assumptions.count) assumptions, each tried with "
          + "\(sensitivity.people) people ('sensitivity: none' in the file leaves them out)")
    }
  }

  /// How long so much takes, as fast as it has gone so far; nil: nothing is done yet.
  private func seconds(for plays: Int64) -> Double? {
    let done = state.withLock(\.done)
    return done == 0 ? nil : Double(plays) * Double(Terminal.stopwatch() - start) / 1e9 / Double(done)
  }

  /// More is done.
  var add: @Sendable (Int64) -> Void {
    { count in
      self.state.withLock { state in
        state.done += count
        let now = Terminal.stopwatch()
        guard self.isOn, now - state.shownAt > 1_000_000_000 else { return }
        state.shownAt = now
        state.isShown = true
        Terminal.write("\r\u{1B}[K" + self.words(state, at: now), to: .standardError)
      }
    }
  }

  private func words(_ state: State, at now: UInt64) -> String {
    let rate = Double(state.done) / (Double(now - start) / 1e9)
    let left = max(0, Double(state.expected - state.done)) / max(1, rate)
    return
      "\(state.done) of \(state.expected) plays, \(Int64(rate)) a second, \(Int64(left.rounded(.up))) s left"
  }

  func clear() {
    if state.withLock({ $0.isShown }) { Terminal.write("\r\u{1B}[K", to: .standardError) }
  }
}
