/// The reason why a notification that was due did not reach the person.
///
/// Code, journal, reports, expectations and oracles share this closed list. The raw values follow the order
/// of the list in the design. The scheduler's reasons are in the default order of checks.
public enum Reason: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  // No request was made.
  /// A condition of the reminder did not hold at its trigger.
  case conditionFailed
  /// The person had snoozed the reminder.
  case snoozed
  /// The trigger occurred after the reminder had expired.
  case expired
  /// The reminder has already fired in this period, or has reached its total number of fires.
  case alreadyFired
  /// The person has not paid for a feature that the reminder needs.
  case notEntitled
  /// A value that the reminder needs is missing or too old, or the store was unreadable.
  case staleData
  /// A value that the reminder needs is based on too few measurements.
  case lowConfidence
  /// The engine observed everything that it needed for a request, but made none.
  case notRequested

  // The scheduler denied or deferred the request.
  /// No part of the app handles a tap on notifications of this type.
  case notRegistered
  /// The person has disabled this type, or all types, in the app's settings.
  case userDisabled
  /// The person's own daily cap is reached.
  case userDailyCap
  /// The person does not allow the app to show notifications.
  case permission
  /// The maximum number of notifications of this type per person is reached.
  case lifetimeCap
  /// The maximum number of notifications of this type during one absence from the app is reached.
  case lapseCap
  /// The delivery would fall into quiet hours.
  case quietHours
  /// The maximum number of notifications of this type per local day is reached.
  case typeDailyCap
  /// The maximum number of notifications of this type per calendar week is reached.
  case typeWeeklyCap
  /// The maximum number of notifications of this type per calendar month is reached.
  case typeMonthlyCap
  /// The maximum number of notifications of this type in any period of the policy's number of days is reached.
  case typeRollingCap
  /// The maximum number of standard notifications per local day is reached.
  case dailyCap
  /// The maximum number of standard notifications per calendar week is reached.
  case weeklyCap
  /// The maximum number of standard notifications per calendar month is reached.
  case monthlyCap
  /// The maximum number of standard notifications in any period of the policy's number of days is reached.
  case rollingCap
  /// The maximum number of critical notifications per local day is reached.
  case criticalDailyCap
  /// Another delivery, before or after this one, is within the minimum interval.
  case minimumInterval

  // The platform or a later stage lost the request.
  /// The system rejected the request when the app added it.
  case addFailed
  /// The system's maximum number of pending requests per app is reached.
  case pendingLimit
  /// The system's maximum number of monitored regions per app is reached.
  case regionLimit
  /// The app cancelled the request, because the person asked for it or because the request's conditions no
  /// longer held.
  case cancelled
  /// The system lost the request when the phone booted.
  case clearedByReboot
  /// The system lost the request when the app was updated.
  case clearedByUpdate
  /// The system removed the request when the person force-stopped the app.
  case clearedByForceStop
  /// The system removed the request when the person revoked the permission for exact alarms.
  case exactAlarmsRevoked
  /// A critical request within the minimum interval displaced the request.
  case preempted
  /// A newer plan of the same reminder replaced the request.
  case superseded
  /// The permission was revoked while the request was pending.
  case permissionRevoked
  /// A condition of a deferred request no longer held when the request was released.
  case staleAtRelease
  /// The request expired before the end of its deferral.
  case expiredAtRelease
  /// The notification was delivered but not visible, for example because the app was in the foreground.
  case notPresented
  /// The notification was tapped, but no part of the app handles its link.
  case linkUnresolved
  /// The notification was tapped, but the app did not receive the link.
  case linkLost
  /// The link was routed to a part of the app that did not consume the link.
  case linkUnconsumed

  /// The name in files, on the command line and in reports.
  public var name: String { Self.names[Int(rawValue)] }

  /// The names in the order of raw values. They are cached because reports use them often.
  private static let names = allCases.map { String(describing: $0) }

  /// Creates the reason with a name, or returns `nil` if there is none.
  public init?(name: some StringProtocol) {
    guard let reason = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = reason
  }

  /// The stage to which this reason belongs.
  public var stage: Stage {
    switch self {
    case .conditionFailed, .snoozed, .expired, .alreadyFired, .notEntitled, .staleData, .lowConfidence,
      .notRequested:
      .match
    case .notRegistered, .userDisabled, .userDailyCap, .permission, .lifetimeCap, .lapseCap,
      .quietHours, .typeDailyCap, .typeWeeklyCap, .typeMonthlyCap, .typeRollingCap, .dailyCap, .weeklyCap,
      .monthlyCap, .rollingCap, .criticalDailyCap, .minimumInterval:
      .scheduler
    case .addFailed, .pendingLimit, .regionLimit, .cancelled, .clearedByReboot, .clearedByUpdate,
      .clearedByForceStop, .exactAlarmsRevoked, .preempted, .superseded, .permissionRevoked,
      .staleAtRelease, .expiredAtRelease:
      .platform
    case .notPresented: .presentation
    case .linkUnresolved, .linkLost, .linkUnconsumed: .routing
    }
  }

  /// The stages from a match to a routed tap, in order.
  public enum Stage: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// In order: the conditions, the caps, the operating system, the screen, and the path of a tap into the
    /// app.
    case match, scheduler, platform, presentation, routing
  }
}

/// A set of reasons in one machine word.
public struct ReasonSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// One bit for each reason. The reason's raw value is the number of its bit.
  public var rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates a set with one reason.
  @inlinable
  public init(_ reason: Reason) {
    self.rawValue = 1 << UInt64(reason.rawValue)
  }

  /// Returns whether a reason is a member, without creating a set for it.
  @inlinable
  public func contains(_ reason: Reason) -> Bool {
    rawValue >> UInt64(reason.rawValue) & 1 == 1
  }

  /// Inserts a reason.
  @inlinable
  public mutating func insert(_ reason: Reason) {
    rawValue |= 1 << UInt64(reason.rawValue)
  }

  /// Removes a reason, if it is a member.
  @inlinable
  public mutating func remove(_ reason: Reason) {
    rawValue &= ~(1 << UInt64(reason.rawValue))
  }
}
