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
      case .elapsed(let spans):
        writer.text(spans.fact)
        writer.list(spans.spans) { $0.signed($1.milliseconds) }
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
