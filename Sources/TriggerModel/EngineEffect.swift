/// What an engine wants done, or wants known. Effects are data: the engine calls nobody.
public enum EngineEffect: Hashable, Sendable, BitwiseCopyable {
  /// The reminder engine asks the scheduler for a notification.
  case request(NotificationRequest)
  /// A reminder saw its trigger and asks for nothing.
  case noRequest(ReminderID, Reason, failed: ConditionKinds)
  /// The scheduler's answer to a request.
  case decided(NotificationRequest, Decision)
  /// A held request was given up before it was decided for good.
  case dropped(NotificationRequest, Reason)
  /// Hand this request to the operating system.
  case add(NotificationRequest)
  /// Take a request back from the operating system, and why. One that it does not have is no error. Because of
  /// ``Reason/quietHours``: it was put off, and is held again, as quiet hours end at another time now.
  case remove(RequestID, Reason)
  /// Give up everything of a reminder that is held or pending, also with the operating system, and why.
  case withdraw(ReminderID, Reason)
  /// Ask the system to watch a region.
  case monitor(RegionID)
  /// Tell the system to stop watching a region.
  case unmonitor(RegionID)
  /// Ask the system to tell when the phone has left a circle; replaces an earlier one. It counts among the
  /// regions that the system watches.
  case watch(Surroundings)
  /// Tell the system that no circle is to be watched any more.
  case unwatch
  /// Ask to be woken at a wall-clock instant for a reminder's occurrence; replaces an earlier wish of
  /// the same reminder. `.distantFuture` takes the wish back.
  case wake(ReminderID, at: Instant)
  /// Ask to be woken when held requests become due; replaces an earlier wish.
  case wakeForRelease(at: Instant)
  /// The engine's state changed in a way that must survive a restart: store
  /// ``EngineUnderTest/storedState()``.
  case persist
  /// What was stored cannot be used: the engine begins as after a fresh installation.
  case storeUnusable(StoreProblem)
}

/// The kinds of condition, as a set: which of a reminder's conditions did not hold.
public struct ConditionKinds: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// A bit for each kind, from the lowest in the order of ``allNames``.
  public var rawValue: UInt8

  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The window of the local day.
  public static let timeWindow = ConditionKinds(rawValue: 1)
  /// The local weekday.
  public static let weekdays = ConditionKinds(rawValue: 2)
  /// A region that the phone must be in, or outside of.
  public static let region = ConditionKinds(rawValue: 4)
  /// The charger, which must be there or must not.
  public static let charging = ConditionKinds(rawValue: 8)
  /// What the app knows: a comparison of a fact.
  public static let fact = ConditionKinds(rawValue: 16)

  /// The name of each kind in files and reports, in the order of the bits.
  public static let allNames = ["timeWindow", "weekdays", "region", "charging", "fact"]

  /// The names of the kinds in this set, in the order of the bits.
  public var names: [String] {
    Self.allNames.enumerated().filter { rawValue >> UInt8($0.offset) & 1 == 1 }.map(\.element)
  }
}
