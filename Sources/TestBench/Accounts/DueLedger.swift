import DeviceSimulation
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
    /// The app could not read a fact that the reminder asks for.
    var isBlind: Bool
    /// Why the engine made no request though it was told.
    var declined: Reason?
  }

  /// A request that answers none that was due.
  private struct Unfounded: Sendable {
    var instant: Instant
    var isBlind: Bool
  }

  /// By reminder: those that are not answered, the latest last.
  private var open: [[Due]]
  /// By reminder: the requests that answer nothing so far, the latest last.
  private var unfounded: [[Unfounded]]

  init(reminderCount: Int) {
    open = Array(repeating: [], count: reminderCount)
    unfounded = Array(repeating: [], count: reminderCount)
  }

  /// - Parameter isBlind: The app cannot read a fact that the reminder asks for.
  mutating func due(
    _ reminder: ReminderID, at instant: Instant, because event: ObservedEvent, told sign: SignLedger.Entry?,
    isBlind: Bool
  ) {
    if unfounded[reminder.index].last?.instant == instant {
      unfounded[reminder.index].removeLast()
    } else {
      open[reminder.index].append(Due(instant: instant, cause: event.kind, sign: sign, isBlind: isBlind))
    }
  }

  /// - Parameter isBlind: The app cannot read a fact that the reminder asks for.
  mutating func requested(_ reminder: ReminderID, at instant: Instant, isBlind: Bool) {
    if open[reminder.index].popLast() == nil {
      unfounded[reminder.index].append(Unfounded(instant: instant, isBlind: isBlind))
    }
  }

  mutating func declined(_ reminder: ReminderID, at instant: Instant, _ reason: Reason) {
    guard let last = open[reminder.index].indices.last, open[reminder.index][last].instant == instant else {
      return
    }
    open[reminder.index][last].declined = reason
  }

  /// How many requests answer none that was due, and how many of these were made without knowing a fact that
  /// the reminder asks for.
  func unfounded(_ reminder: ReminderID) -> (count: Int, blind: Int) {
    (unfounded[reminder.index].count, unfounded[reminder.index].count { $0.isBlind })
  }

  /// Those that no request answers, by why: what the platform says of the sign that was not given,
  /// `toldLate`, `readingDenied` when the app could not read a fact, `notWoken` where a schedule's time came
  /// and the app did not run, or `conditionUnseen` when the trigger was told and a condition was not.
  func unanswered(_ reminder: ReminderID, _ signs: SignLedger) -> [String: Int] {
    var counts: [String: Int] = [:]
    for due in open[reminder.index] {
      counts[reason(for: due, signs), default: 0] += 1
    }
    return counts
  }

  private func reason(for due: Due, _ signs: SignLedger) -> String {
    // What cannot be read looks like data that is missing.
    if let declined = due.declined, !due.isBlind || ![.staleData, .lowConfidence].contains(declined) {
      return declined.name
    }
    if let flaw = due.sign.flatMap(signs.flaw) { return flaw }
    if due.isBlind { return MissCause.readingDenied.name }
    return [.woken, .delivered].contains(due.cause) ? "notWoken" : "conditionUnseen"
  }
}
