package import ReminderMatching
package import TriggerModel

/// How many reminders may wait at once, as a fact says: the app counts them, and the engine knows of it by one fact
/// for each, which says whether the reminder has a place.
///
/// Places go to the reminders in the order in which they were made; those that are there from the start were made in
/// the order of their names. A reminder that has fired for good, or is deleted, or is locked, takes none. What has no
/// place sleeps, and wakes as soon as there is one.
package struct ReminderRoom: Hashable, Sendable {
  /// Of names.
  package var fact: FactID
  /// By name that the fact can take; nil: as many as there are.
  package var limits: [Int?]

  package init(fact: FactID, limits: [Int?]) {
    self.fact = fact
    self.limits = limits
  }

  /// The fact that says whether a reminder has a place.
  package static func factName(of reminder: String) -> String {
    "active." + reminder.split(separator: " ").joined(separator: "..")
  }

  /// Those that are there from the start, in the order in which they count as made.
  package static func initialOrder(_ reminders: [ReminderDeclaration]) -> [Int] {
    reminders.indices.filter { !reminders[$0].isMadeLater }.sorted { reminders[$0].id < reminders[$1].id }
  }

  /// Who has a place; of those that do not exist, who would have one.
  ///
  /// - Parameters:
  ///   - order: Those that wait, in the order in which they were made.
  ///   - isLocked: By reminder.
  package func places(_ order: [Int], at name: Int, isLocked: [Bool]) -> [Bool] {
    var left = limits.indices.contains(name) ? limits[name] ?? .max : .max
    var result = Array(repeating: false, count: isLocked.count)
    var waits = result
    for reminder in order {
      waits[reminder] = true
      if isLocked[reminder] || left == 0 { continue }
      result[reminder] = true
      left -= 1
    }
    for reminder in result.indices where !waits[reminder] { result[reminder] = left > 0 }
    return result
  }

  /// Whether the plan of that number locks a reminder, by a condition of its own.
  package static func isLocked(_ reminder: ReminderDeclaration, by fact: String, at name: Int) -> Bool {
    reminder.conditions.contains { condition in
      guard case .fact(let comparison) = condition, comparison.reason == .notEntitled,
        comparison.quantity == .value(fact), comparison.comparison == .equal
      else { return false }
      return !comparison.constants.contains(.name(name))
    }
  }
}
