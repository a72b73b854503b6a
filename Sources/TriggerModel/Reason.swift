/// Why something that was due did not reach a person: one closed list for code, journal, reports,
/// expectations and oracles.
///
/// The raw value is the position in the design's list; within the scheduler's part it is also the
/// default order of checks.
public enum Reason: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  // No request was made.
  /// A condition of the reminder did not hold when its trigger came.
  case conditionFailed
  /// The person had put the reminder off.
  case snoozed
  /// The trigger came after the reminder had expired.
  case expired
  /// It has asked before, and may not again yet, or ever.
  case alreadyFired
  /// What the person has not paid for.
  case notEntitled
  /// The value that it asks for is missing or too old; or the store could not be read.
  case staleData
  /// Too few measurements stand behind the value that it asks for.
  case lowConfidence

  // The scheduler refused or held the request.
  /// Nobody in the app handles taps on this type.
  case notRegistered
  /// The person has switched this type off, or all of them, in the settings of the app.
  case userDisabled
  /// The limit of a day that the person has set.
  case userDailyCap
  /// The person does not allow the app to notify.
  case permission
  /// As many of this type as one person may ever see.
  case lifetimeCap
  /// As many of this type as one absence from the app may bring.
  case lapseCap
  /// It would come in the quiet hours.
  case quietHours
  /// As many of this type as a local day may bring.
  case typeDailyCap
  /// As many of this type as a calendar week may bring.
  case typeWeeklyCap
  /// As many of the standard bucket as a local day may bring.
  case dailyCap
  /// As many of the critical bucket as a local day may bring.
  case criticalDailyCap
  /// Too near to another notification, before it or after.
  case minimumInterval

  // The platform, and what comes afterwards.
  /// The system refused the request when it was handed over.
  case addFailed
  /// The system keeps only so many requests of one app.
  case pendingLimit
  /// The system watches only so many regions for one app.
  case regionLimit
  /// The app took it back: the person asked for that, or its cause is gone.
  case cancelled
  /// A critical request within the minimum interval took its place.
  case preempted
  /// A newer plan of the same reminder took its place.
  case superseded
  /// The permission was taken away while the request was pending.
  case permissionRevoked
  /// It was held, and a condition no longer held when it was to be released.
  case staleAtRelease
  /// It was held for longer than it is of use.
  case expiredAtRelease
  /// Delivered where nobody could see it, as while the app was in front.
  case notPresented
  /// It was tapped, and nobody handles its link.
  case linkUnresolved
  /// It was tapped, and the link did not come through to the app.
  case linkLost
  /// The link found its part of the app, where nobody took it.
  case linkUnconsumed

  /// The name used in files, on the command line and in reports.
  public var name: String { Self.names[Int(rawValue)] }

  /// By raw value; made once, as reports are full of them.
  private static let names = allCases.map { String(describing: $0) }

  /// The reason with that name, if there is one.
  public init?(name: some StringProtocol) {
    guard let reason = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = reason
  }

  /// The part of the path at which this reason acts.
  public var stage: Stage {
    switch self {
    case .conditionFailed, .snoozed, .expired, .alreadyFired, .notEntitled, .staleData, .lowConfidence:
      .match
    case .notRegistered, .userDisabled, .userDailyCap, .permission, .lifetimeCap, .lapseCap,
      .quietHours, .typeDailyCap, .typeWeeklyCap, .dailyCap, .criticalDailyCap, .minimumInterval:
      .scheduler
    case .addFailed, .pendingLimit, .regionLimit, .cancelled, .preempted, .superseded,
      .permissionRevoked, .staleAtRelease, .expiredAtRelease:
      .platform
    case .notPresented: .presentation
    case .linkUnresolved, .linkLost, .linkUnconsumed: .routing
    }
  }

  /// The parts of the path from a match to a routed tap, in order.
  public enum Stage: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The conditions; the caps; the operating system; the screen; the way of a tap into the app.
    case match, scheduler, platform, presentation, routing
  }
}

/// A set of reasons in one machine word.
public struct ReasonSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// Bit *r* stands for the reason whose raw value is *r*.
  public var rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// This one alone.
  @inlinable
  public init(_ reason: Reason) {
    self.rawValue = 1 << UInt64(reason.rawValue)
  }

  /// Whether a reason is a member; no set is made of it first.
  @inlinable
  public func contains(_ reason: Reason) -> Bool {
    rawValue >> UInt64(reason.rawValue) & 1 == 1
  }

  /// Adds a reason; nothing changes where it is a member.
  @inlinable
  public mutating func insert(_ reason: Reason) {
    rawValue |= 1 << UInt64(reason.rawValue)
  }

  /// Takes a reason out; nothing changes where it is no member.
  @inlinable
  public mutating func remove(_ reason: Reason) {
    rawValue &= ~(1 << UInt64(reason.rawValue))
  }
}
