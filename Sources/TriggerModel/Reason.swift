/// Why something that was due did not reach a person: one closed list for code, journal, reports,
/// expectations and oracles.
///
/// The raw value is the position in the design's list; within the scheduler's part it is also the
/// default order of checks.
public enum Reason: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  // No request was made.
  case conditionFailed
  case snoozed
  case expired
  case alreadyFired
  case notEntitled
  case staleData
  case lowConfidence

  // The scheduler refused or held the request.
  case notRegistered
  case userDisabled
  case userDailyCap
  case permission
  case lifetimeCap
  case lapseCap
  case quietHours
  case typeDailyCap
  case typeWeeklyCap
  case dailyCap
  case criticalDailyCap
  case minimumInterval

  // The platform, and what comes afterwards.
  case addFailed
  case pendingLimit
  case regionLimit
  case cancelled
  case preempted
  case superseded
  case permissionRevoked
  case staleAtRelease
  case expiredAtRelease
  case notPresented
  case linkUnresolved
  case linkLost
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
    case match, scheduler, platform, presentation, routing
  }
}

/// A set of reasons in one machine word.
public struct ReasonSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public var rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  @inlinable
  public init(_ reason: Reason) {
    self.rawValue = 1 << UInt64(reason.rawValue)
  }

  @inlinable
  public func contains(_ reason: Reason) -> Bool {
    rawValue >> UInt64(reason.rawValue) & 1 == 1
  }

  @inlinable
  public mutating func insert(_ reason: Reason) {
    rawValue |= 1 << UInt64(reason.rawValue)
  }

  @inlinable
  public mutating func remove(_ reason: Reason) {
    rawValue &= ~(1 << UInt64(reason.rawValue))
  }
}
