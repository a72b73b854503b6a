import TriggerModel

/// The name of a pending request, as the app gives it (rule N3).
struct RequestKey: Hashable, Sendable, BitwiseCopyable {
  private var reminder: ReminderID
  private var scheduledFor: Instant?
  private var occurrence: UInt32?
  /// What the system repeats has one name for all its occurrences.
  private var pattern: SystemRepeat?

  init(_ request: NotificationRequest, _ identifier: RequestIdentifier) {
    reminder = request.id.reminder
    switch identifier {
    case .perReminder: pattern = request.repeats
    case .perOccurrence where request.repeats != nil: pattern = request.repeats
    case .perOccurrence: scheduledFor = request.scheduledFor
    case .perRequest: occurrence = request.id.occurrence
    }
  }
}
