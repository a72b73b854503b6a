import CivilTime
import TriggerModel

extension Plan {
  /// A number by which a process recognises that an update of the app has changed when a reminder is due:
  /// stored with what was handed over beforehand. 0: nothing ever is.
  func markOfPlan() -> UInt32 {
    if schedule == nil && lapse == nil && repetition == nil { return 0 }
    var writer = StateWriter(UsedNames())
    writer.optional(schedule) { writer, schedule in
      let recurrence = schedule.recurrence
      writer.flag(schedule.ahead > 0)
      writer.day(recurrence.start.dayNumber)
      for number in [recurrence.minute, recurrence.interval] { writer.signed(Int64(number)) }
      writer.byte(recurrence.frequency.rawValue)
      writer.byte(recurrence.skip.rawValue)
      writer.optional(recurrence.weekdays) { $0.byte($1.rawValue) }
      writer.byte(recurrence.weekStart.rawValue)
    }
    writer.optional(lapse) { writer, lapse in
      writer.list(lapse.days) { $0.signed(Int64($1)) }
      writer.signed(Int64(lapse.minute))
    }
    if let repetition { writer.list(repetition.patterns) { $0.pattern($1) } }
    return writer.checksum
  }
}
