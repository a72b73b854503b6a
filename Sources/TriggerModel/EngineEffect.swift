/// A report of an engine, or a request to the app or the system. Effects are data, because an engine makes no
/// calls.
public enum EngineEffect: Hashable, Sendable, BitwiseCopyable {
  /// The reminder engine requests a notification from the scheduler.
  case request(NotificationRequest)
  /// The trigger of a reminder was observed, but the reminder requests no notification.
  case noRequest(ReminderID, Reason, failed: ConditionKinds)
  /// The scheduler's decision on a request.
  case decided(NotificationRequest, Decision)
  /// The scheduler discarded a collected or deferred request before its final decision.
  case dropped(NotificationRequest, Reason)
  /// Hand a request to the operating system.
  case add(NotificationRequest)
  /// Remove a request from the operating system for a reason. Has no effect if the system does not hold the
  /// request.
  ///
  /// The reason ``Reason/quietHours`` defers the request again, because quiet hours now end at a different
  /// time.
  case remove(RequestID, Reason)
  /// Withdraw all deferred and pending requests of a reminder for a reason, including those that the
  /// operating system holds.
  case withdraw(ReminderID, Reason)
  /// Remove the visible notifications of a reminder.
  case removeShown(ReminderID)
  /// Monitor a region.
  case monitor(RegionID)
  /// Stop monitoring a region.
  case unmonitor(RegionID)
  /// Monitor the exit from a circle. The circle replaces the previous one, and counts towards the number of
  /// regions that the system can monitor.
  case watch(Surroundings)
  /// Stop monitoring the circle.
  case unwatch
  /// Wake the app at a wall-clock instant for an occurrence of a reminder. This replaces the previous wake-up
  /// for the reminder. The instant `.distantFuture` cancels the wake-up.
  case wake(ReminderID, at: Instant)
  /// Wake the app when deferred requests are due. This replaces the previous wake-up of this kind.
  case wakeForRelease(at: Instant)
  /// Store ``EngineUnderTest/storedState()``, because it has changed.
  case persist
  /// The stored state is unusable. The engine starts as after a fresh installation.
  case storeUnusable(StoreProblem)
}

/// A set of kinds of conditions, such as the failed conditions of a reminder.
public struct ConditionKinds: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// One bit for each kind. The lowest bit is the first kind in ``allNames``.
  public var rawValue: UInt8

  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The time window of the local day.
  public static let timeWindow = ConditionKinds(rawValue: 1)
  /// The local weekday.
  public static let weekdays = ConditionKinds(rawValue: 2)
  /// The region that must or must not contain the phone.
  public static let region = ConditionKinds(rawValue: 4)
  /// The charging state.
  public static let charging = ConditionKinds(rawValue: 8)
  /// A comparison of a fact.
  public static let fact = ConditionKinds(rawValue: 16)

  /// The names of the kinds in files and reports, in the order of the bits.
  public static let allNames = ["timeWindow", "weekdays", "region", "charging", "fact"]

  /// The names of the kinds in this set, in the order of the bits.
  public var names: [String] {
    Self.allNames.enumerated().filter { rawValue >> UInt8($0.offset) & 1 == 1 }.map(\.element)
  }
}
