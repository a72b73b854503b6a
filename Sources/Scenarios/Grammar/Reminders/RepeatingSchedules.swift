import CivilTime
import ReminderMatching
import TextFormats
import TriggerModel

extension Format<RepeatingSchedule> {
  /// The long form of what the system repeats: a recurrence, or a span.
  static var repetition: Format {
    .object(
      "What the system repeats by itself: one request is handed over, and appears again and again though the app "
        + "never runs; conditions are asked once, then"
    ) { fields in
      let every = fields.optional(
        "every", .scalar(.duration), "a span, counted from when it is handed over; at least 1 min",
        from: { if case .span(let span) = $0 { span } else { nil } })
      let frequency = fields.optional(
        "frequency", .scalar(.frequency), "how often: daily, weekly, monthly or yearly",
        from: { $0.recurrence?.frequency })
      let start = fields.optional(
        "start", .scalar(.date), "the first date that is meant; it says the day of the week, month or year",
        from: { $0.recurrence?.start })
      let minute = fields.optional(
        "at", .scalar(.minuteOfDay), "the local time of day", from: { $0.recurrence?.minutes.first })
      let weekdays = fields.optional(
        "weekdays", .scalar(.days), "weekly only: the days of the week; the start's own if missing",
        from: { $0.recurrence?.weekdays })
      let skip = fields.optional(
        "skip", .scalar(.skip), "forward, where a month may not have the day", from: { $0.recurrence?.skip })
      fields.exactlyOne(of: ["every", "frequency"])
      if let every { return checked(.span(every), fields) }
      guard let frequency else { return nil }
      guard let start, let minute else {
        fields.error("'frequency' needs 'start' and 'at'", at: "frequency")
        return nil
      }
      if weekdays != nil, frequency != .weekly {
        fields.error("'weekdays' belongs to the frequency weekly", at: "weekdays")
      }
      return checked(
        .calendar(
          Recurrence(
            start: start, minute: minute, frequency: frequency, skip: skip ?? .backward, weekdays: weekdays)),
        fields)
    }
  }

  private static func checked(_ repetition: RepeatingSchedule, _ fields: Fields<RepeatingSchedule>)
    -> RepeatingSchedule?
  {
    guard let problem = repetition.problem else { return repetition }
    fields.error(problem.text, hint: problem.remedy)
    return nil
  }
}

extension RepeatingSchedule {
  fileprivate var recurrence: Recurrence? {
    if case .calendar(let recurrence) = self { recurrence } else { nil }
  }
}
