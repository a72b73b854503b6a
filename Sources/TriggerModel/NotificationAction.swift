/// What the person can do on a notification itself, without opening the app.
public enum NotificationAction: Hashable, Sendable, BitwiseCopyable {
  /// What the reminder is about is done: the instant from which it counts is now.
  case done
  /// The reminder is put off for so long.
  case snooze(TimeSpan)
}
