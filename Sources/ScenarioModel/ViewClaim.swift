package import TriggerModel

/// A list that our app shows its person. It is computed from the reminders' declarations and from what has happened
/// to them; no engine is asked.
package enum AppView: String, Hashable, Sendable, CaseIterable {
  /// Everything that is overdue or still to come, in the order of time, grouped by when that is.
  case upcoming
  /// What is overdue, what is due today, and how much of it is done.
  case today
}

/// When something is due, seen from a day.
package enum ViewGroup: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// Its date is past, and it is not done.
  case overdue
  /// Its date is that day, whatever the time.
  case today
  /// A later date of the same calendar week.
  case thisWeek
  /// A later date of the same month, in another week.
  case thisMonth
  case later

  /// As files and reports have it: `this week`.
  package var words: String {
    switch self {
    case .overdue: "overdue"
    case .today: "today"
    case .thisWeek: "this week"
    case .thisMonth: "this month"
    case .later: "later"
    }
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What a view shows at a moment: `upcoming on day 3 at 08:00 shows anna today, bob this week`.
package struct ViewClaim: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// The reminder stands in the group, or in any; with a value, in the part of the list that has it.
    case shows(ReminderID, ViewGroup?, part: String?)
    /// The reminder does not stand in the list.
    case hides(ReminderID)
    /// So many entries of the group, or of all groups.
    case count(Int, ViewGroup?)
    /// So many are done of those that were to be done today.
    case done(Int, of: Int)
    /// Nothing is overdue, and nothing of today is left.
    case allCaughtUp
  }

  package var view: AppView
  /// The attribute of items by which the list is parted, such as their room; nil: it is not.
  package var parts: String?
  package var statements: [Statement]
  /// A date, and a minute or a second: the list is that of its beginning.
  package var occasion: Occasion

  package init(view: AppView, parts: String?, statements: [Statement], occasion: Occasion) {
    self.view = view
    self.parts = parts
    self.statements = statements
    self.occasion = occasion
  }
}
