import ScenarioModel
import Simulation
import Statistics
import TriggerModel

/// Notifications that are seen on a second device.
extension ExpectationEvaluator {
  func doubled(
    _ expectation: Expectation, _ reminder: ReminderID, _ cause: SyncCause?, _ count: Expectation.Count,
    _ occasion: Occasion
  ) -> ExpectationResult {
    let all = doubled(reminder, cause, occasion)
    let inside = all.filter { words.isIn(occasion, $0) }
    let passed = count.contains(inside.count)
    let outside = passed ? nil : nearest(to: occasion, in: all, \.self)
    let others = cause == nil ? [] : excess(of: reminder).filter { $0.cause != cause }
    return ExpectationResult(
      text: expectation.text, position: expectation.position, passed: passed,
      got: words.times("double", inside),
      nearest: outside.map { "doubled at \(words.time($0))" },
      reasons: passed ? [] : others.map { "doubled by \($0.cause.name) at \(words.time($0.moment))" })
  }

  /// When each of them was seen.
  func doubled(_ reminder: ReminderID, _ cause: SyncCause?, _ occasion: Occasion) -> [Moment] {
    excess(of: reminder).filter { (cause == nil || $0.cause == cause) && isOn(occasion, $0.device) }
      .map(\.moment)
  }

  private func excess(of reminder: ReminderID) -> [SyncAccount.Excess] {
    accounts.sync.doubled.filter { $0.request.reminder == reminder }
  }
}
