public import CivilTime
public import TriggerModel

/// The rules by which the scheduler admits, denies and holds requests. The defaults are the seeds'.
///
/// A cap of 0 allows none; nil is no cap.
public struct CapPolicy: Hashable, Sendable {
  /// Half-open, local; nil or start == end: none.
  public var quietHours: DailyWindow? = DailyWindow(from: 22 * 60, to: 7 * 60)
  /// What happens to a request whose first blocker is quiet hours, by bucket.
  public var quietAction: [Bucket: QuietAction] = [.standard: .drop, .critical: .drop, .user: .defer]
  public var criticalBypassesQuietHours = false
  /// Standard bucket, per local Gregorian day of delivery.
  public var dailyCap: Int? = 3
  /// Critical bucket, per local day; independent of the standard one.
  public var criticalDailyCap: Int? = 1
  /// Per type and local day, standard bucket only.
  public var typeDailyCap: Int? = 1
  /// Overrides ``typeDailyCap`` for the types named.
  public var typeDailyCaps: [String: Int] = [:]
  /// Per type, ever.
  public var lifetimeCap: [String: Int] = [:]
  /// Per type, since the app was last opened.
  public var lapseCap: [String: Int] = [:]
  public var lifetimeSurvivesReinstall = false
  /// Elapsed time between deliveries, in both directions.
  public var minimumInterval: TimeSpan = .hours(4)
  public var minimumIntervalScope = IntervalScope.standard
  /// The first failing check is the reason. A check that is missing is not made.
  public var checkOrder: [Reason] = Self.defaultCheckOrder

  public enum QuietAction: UInt8, Hashable, Sendable, CaseIterable {
    case drop, `defer`
  }

  /// Whose deliveries count as neighbours of a standard request; user-requested ones never do.
  public enum IntervalScope: UInt8, Hashable, Sendable, CaseIterable {
    case standard
    /// Critical deliveries count too.
    case all
  }

  /// Permanent reasons before passing ones.
  public static let defaultCheckOrder: [Reason] = [
    .permission, .lifetimeCap, .lapseCap, .quietHours, .typeDailyCap, .dailyCap, .criticalDailyCap,
    .minimumInterval,
  ]

  public init() {}
}
