package import TriggerModel

extension Recurrence {
  /// All that says when it comes. What older versions knew they wrote like this; the rest follows where it is said.
  package func write(to writer: inout StateWriter) {
    writer.day(start.dayNumber)
    for number in [minutes[0], interval] { writer.signed(Int64(number)) }
    writer.byte(frequency.rawValue)
    writer.byte(skip.rawValue)
    writer.optional(weekdays) { $0.byte($1.rawValue) }
    writer.byte((weekStart ?? .monday).rawValue)
    if minutes.count > 1 { writer.list(minutes) { $0.signed(Int64($1)) } }
    if let dayOfMonth {
      writer.signed(Int64(dayOfMonth.place))
      writer.byte(dayOfMonth.weekday.rawValue)
    }
    for number in [shift, notBefore.map { Int($0.dayNumber) } ?? 0, count ?? 0] where number != 0 {
      writer.signed(Int64(number))
    }
  }
}
