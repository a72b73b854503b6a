package import CivilTime
import ReminderMatching
package import ScenarioModel
package import TextFormats
import TriggerModel

/// Points at single dates that lie before the story: no run can reach them.
package enum PastDates {
  /// A file that expects something of a list has them there as overdue, and means it.
  package static func warn(
    of reminders: [DeclaredReminder], startingAt start: CivilDate, _ expectations: [Expectation],
    _ reader: Reader
  ) {
    for case .view in expectations.map(\.claim) { return }
    for reminder in reminders {
      for case .scheduled(let schedule) in reminder.declaration.triggers {
        guard case .recurring(let dates) = schedule.dates, dates.frequency == .once, dates.start < start
        else {
          continue
        }
        reader.warning(
          "'\(reminder.declaration.id)' waits for \(dates.start.iso8601), which is before the story begins: it never comes",
          at: reminder.position,
          hint: "write a later date, or expect what a list shows of it, such as 'upcoming … shows "
            + "\(reminder.declaration.id) overdue'")
      }
    }
  }
}
