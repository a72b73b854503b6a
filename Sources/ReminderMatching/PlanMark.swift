import CivilTime
import TriggerModel

extension Plan {
  /// A number by which a process recognises that an update of the app has changed when a reminder is due:
  /// stored with what was handed over beforehand. 0: nothing ever is.
  func markOfPlan() -> UInt32 {
    if schedule == nil && lapse == nil && repetition == nil { return 0 }
    var writer = StateWriter(UsedNames())
    writer.optional(schedule) { writer, schedule in
      writer.flag(schedule.ahead > 0)
      switch schedule.dates {
      case .recurring(let recurrence): recurrence.write(to: &writer)
      case .relative(let days): days.write(to: &writer)
      }
    }
    writer.optional(lapse) { writer, lapse in
      writer.list(lapse.days) { $0.signed(Int64($1)) }
      writer.signed(Int64(lapse.minute))
    }
    if let repetition { writer.list(repetition.patterns) { $0.pattern($1) } }
    return writer.checksum
  }
}

extension Recurrence {
  /// What older versions knew they wrote like this; the rest follows where it is said.
  fileprivate func write(to writer: inout StateWriter) {
    writer.day(start.dayNumber)
    for number in [minutes[0], interval] { writer.signed(Int64(number)) }
    writer.byte(frequency.rawValue)
    writer.byte(skip.rawValue)
    writer.optional(weekdays) { $0.byte($1.rawValue) }
    writer.byte(weekStart.rawValue)
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

extension RelativeDays {
  fileprivate func write(to writer: inout StateWriter) {
    writer.text(fact)
    writer.list(days) { $0.signed(Int64($1)) }
    writer.list(minutes) { $0.signed(Int64($1)) }
    writer.flag(isYearly)
    writer.byte(skip.rawValue)
  }
}
