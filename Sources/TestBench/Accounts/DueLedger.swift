import TriggerModel

/// Holds the requests that were made against those that were due, reminder by reminder: a request answers
/// the latest one that was due and is not answered; or one that becomes due at the same instant, as
/// which of both comes first within an instant means nothing.
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
  /// By reminder: when requests that answer nothing so far were made, the latest only, and how many.
  private var early: [(instant: Instant, count: Int)]

  init(reminderCount: Int) {
    open = Array(repeating: [], count: reminderCount)
    early = Array(repeating: (.distantPast, 0), count: reminderCount)
  }

  /// - Returns: Whether a request of this instant had been waiting for it.
  mutating func due(
    _ reminder: ReminderID, at instant: Instant, because event: ObservedEvent, told sign: SignLedger.Entry?
  ) -> Bool {
    if early[reminder.index].instant == instant, early[reminder.index].count > 0 {
      early[reminder.index].count -= 1
      return true
    }
    open[reminder.index].append(Due(instant: instant, cause: event.kind, sign: sign))
    return false
  }

  /// - Returns: Whether the request answers one that was due.
  mutating func requested(_ reminder: ReminderID, at instant: Instant) -> Bool {
    if open[reminder.index].popLast() != nil { return true }
    let count = early[reminder.index].instant == instant ? early[reminder.index].count : 0
    early[reminder.index] = (instant, count + 1)
    return false
  }

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
