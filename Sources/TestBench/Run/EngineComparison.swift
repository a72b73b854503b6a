import ReminderMatching
import ScenarioModel
package import Simulation
import Statistics
package import TriggerModel

/// Holds the decisions of two engines in one scenario against each other.
package struct EngineComparison: Sendable {
  /// The first decision about a reminder in which two engines differ.
  package struct Difference: Hashable, Sendable {
    package var reminder: String
    package var instant: Instant
    /// `milk at 2026-03-02 17:40: built-in denies the request by quietHours; mine admits it`; of a person with
    /// several devices it begins with `milk on tablet`.
    package var sentence: String
  }

  /// In the order of time, and of one instant in that of the reminders' names.
  package private(set) var differences: [Difference] = []

  /// - Parameters:
  ///   - names: How the engines are called in sentences.
  package init(_ program: Program, _ a: DecisionLog, _ b: DecisionLog, names: (String, String)) {
    let words = RunWords(program)
    for (index, reminder) in program.scenario.reminders.enumerated() {
      let (first, second) = (a.decisions[index], b.decisions[index])
      var position = 0
      while position < first.count, position < second.count, first[position] == second[position] {
        position += 1
      }
      let left = position < first.count ? first[position] : nil
      let right = position < second.count ? second[position] : nil
      // What comes first in time is where they part, and of one instant on the first of the devices.
      guard
        let moment = [left, right].compactMap(\.self).min(by: {
          ($0.instant, $0.device) < ($1.instant, $1.device)
        })
      else { continue }
      func isThere(_ decision: DecisionLog.Decision) -> Bool {
        decision.instant == moment.instant && decision.device == moment.device
      }
      func phrase(_ decision: DecisionLog.Decision?, _ log: DecisionLog) -> String {
        guard let decision, isThere(decision) else {
          let miss = log.misses[index].last(where: isThere)
          return miss.map { $0.what.phrase } ?? "does nothing"
        }
        return decision.what.phrase
      }
      let id = reminder.declaration.id
      let device = program.devices.count > 1 ? " on \(words.name(ofDevice: moment.device))" : ""
      differences.append(
        Difference(
          reminder: id, instant: moment.instant,
          sentence: "\(id)\(device) at \(words.time(moment.moment)): \(names.0) \(phrase(left, a)); "
            + "\(names.1) \(phrase(right, b))"))
    }
    differences.sort { ($0.instant, $0.reminder) < ($1.instant, $1.reminder) }
  }
}
