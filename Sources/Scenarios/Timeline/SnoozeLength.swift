import CivilTime
import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// For how long the person puts a reminder off.
enum SnoozeLength: Hashable, Sendable {
  case span(TimeSpan)
  /// By the calendar: the same day and time of another month, or its last day where it has no such day.
  case calendarMonths(Int)

  /// What the button "1 month" of apps is worth: 30 days.
  static let month = TimeSpan.days(30)
  static let months = 1...120

  func action(for reminder: ReminderID) -> TimelineAction {
    switch self {
    case .span(let span): .event(.snooze(reminder, for: span))
    case .calendarMonths(let months): .snoozeMonths(reminder, months)
    }
  }
}

extension Atom<SnoozeLength> {
  /// `3 days`, `1 month`, which is 30 days, or `1 calendar month`.
  static var snoozeLength: Atom {
    let months = #"[0-9]+ +(?:calendar +)?months?"#
    let duration = Atom<TimeSpan>.duration
    return Atom(
      name: "LENGTH",
      meaning: "a duration such as 4 h or 3 days, '1 month' of 30 days, or '1 calendar month'",
      pattern: "\(months)|\(duration.pattern)", jsonTypes: nil,
      write: { length, writer in
        switch length {
        case .span(let span): duration.write(span, writer)
        case .calendarMonths(let months):
          .string(months == 1 ? "1 calendar month" : "\(months) calendar months")
        }
      }
    ) { word, reader in
      guard let match = word.text.wholeMatch(of: /([0-9]+) +(calendar +)?months?/) else {
        return duration.parse(word, reader).map { .span($0) }
      }
      guard let count = Int(match.1), SnoozeLength.months.contains(count) else {
        reader.error(
          "'\(word.text)' is not from 1 to \(SnoozeLength.months.upperBound) months", at: word.position)
        return nil
      }
      return match.2 == nil
        ? .span(TimeSpan(milliseconds: SnoozeLength.month.milliseconds * Int64(count)))
        : .calendarMonths(count)
    }
  }
}
