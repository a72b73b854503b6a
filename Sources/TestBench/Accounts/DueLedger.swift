import TriggerModel

/// Holds the requests that were made against those that were due, reminder by reminder: a request answers
/// the latest one that was due and is not answered.
struct DueLedger: Sendable {
  private struct Due: Sendable {
    var instant: Instant
    var cause: ObservedEvent.Kind
    /// The happening that led to it, if it is one that the platform gives a sign of.
    var sign: SignLedger.Entry?
    /// Why the engine made no request though it was told.
    var declined: Reason?
  }

  /// By reminder: those that are not answered, the latest last.
  private var open: [[Due]]

  init(reminderCount: Int) {
    open = Array(repeating: [], count: reminderCount)
  }

  mutating func due(
    _ reminder: ReminderID, at instant: Instant, because event: ObservedEvent, told sign: SignLedger.Entry?
  ) {
    open[reminder.index].append(Due(instant: instant, cause: event.kind, sign: sign))
  }

  /// - Returns: Whether the request answers one that was due.
  mutating func requested(_ reminder: ReminderID) -> Bool { open[reminder.index].popLast() != nil }

  mutating func declined(_ reminder: ReminderID, at instant: Instant, _ reason: Reason) {
    guard let last = open[reminder.index].indices.last, open[reminder.index][last].instant == instant else {
      return
    }
    open[reminder.index][last].declined = reason
  }

  /// Those that no request answers, by why: what the platform says of the sign that was not given,
  /// `toldLate`, `notWoken` where a schedule's time came and the app did not run, or `conditionUnseen` when
  /// the trigger was told and a condition was not.
  func unanswered(_ reminder: ReminderID, _ signs: SignLedger) -> [String: Int] {
    var counts: [String: Int] = [:]
    for due in open[reminder.index] {
      let reason =
        due.declined?.name ?? due.sign.flatMap(signs.flaw)
        ?? ([.woken, .delivered].contains(due.cause) ? "notWoken" : "conditionUnseen")
      counts[reason, default: 0] += 1
    }
    return counts
  }
}
