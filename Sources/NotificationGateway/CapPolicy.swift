public import CivilTime
public import TriggerModel

/// The rules by which the scheduler admits, denies and holds requests, as their author states them.
///
/// The defaults are those of the first app built on these rules. A cap of 0 allows none; nil is no cap.
public struct CapPolicy: Hashable, Sendable {
  /// Half-open, local; nil or start == end: none.
  public var quietHours: DailyWindow? = DailyWindow(from: 22 * 60, to: 7 * 60)
  /// What happens to a request whose first blocker is quiet hours, by bucket; a bucket left out drops.
  public var quietAction: [Bucket: QuietAction] = [.standard: .drop, .critical: .drop, .user: .defer]
  /// Whether quiet hours are no check for the critical bucket.
  public var criticalBypassesQuietHours = false
  /// Whether an admitted critical request takes back the standard requests that are pending within
  /// ``minimumInterval`` of it (``TriggerModel/Reason/preempted``), so that the two do not compete. What has been
  /// shown is never recalled, and the standard bucket's own rules do not change.
  public var criticalPreempts = true
  /// Standard bucket, per local Gregorian day of delivery.
  public var dailyCap: Int? = 3
  /// Critical bucket, per local day; independent of the standard one.
  public var criticalDailyCap: Int? = 1
  /// Per type and local day, standard bucket only.
  public var typeDailyCap: Int? = 1
  private var typeCaps: [TypeCap: [String: Int]] = [:]
  /// The day on which a calendar week begins.
  public var weekStart = Weekday.monday
  /// True for counters kept in a keychain or on a server, false for those deleted with the app.
  public var lifetimeSurvivesReinstall = false
  /// The types whose lifetime counts are kept in such a place, when not all are.
  public var keptThroughReinstall: [String] = []
  /// How long after a request is admitted its counts are seen, as when they are kept on a server that lags
  /// behind; the minimum interval knows of it at once. Zero for counters on the phone.
  public var counterLag = TimeSpan.zero
  /// Elapsed time between deliveries, in both directions.
  public var minimumInterval: TimeSpan = .hours(4)
  /// Which deliveries ``minimumInterval`` is measured from.
  public var minimumIntervalScope = IntervalScope.standard
  /// The first failing check is the reason. A check that is missing is not made, except for
  /// registration and the person's own preferences: those come first unless they are named.
  public var checkOrder: [Reason] = Self.defaultCheckOrder

  /// What can become of a request that quiet hours stop.
  public enum QuietAction: UInt8, Hashable, Sendable, CaseIterable {
    /// Deny it for good.
    case drop
    /// Hold the request until the window ends, then check it again in full.
    case `defer`
  }

  /// Whose deliveries count as neighbours of a standard request; user-requested ones never do.
  public enum IntervalScope: UInt8, Hashable, Sendable, CaseIterable {
    /// Those of the standard bucket alone.
    case standard
    /// Critical deliveries count too.
    case all
  }

  /// Permanent reasons before passing ones: the order in which ``TriggerModel/Reason`` lists them.
  public static let defaultCheckOrder = Reason.allCases.filter {
    $0.stage == .scheduler && !standingChecks.contains($0)
  }

  /// What no policy can leave out: whether the type is registered, and what the person has chosen.
  public static let standingChecks: [Reason] = [.notRegistered, .userDisabled, .userDailyCap]

  /// The rules of the first app: three a day, one of a type, four hours apart, none at night.
  public init() {}

  /// The caps of one kind, by the name of the type; a type that is left out has none of its own.
  public subscript(cap: TypeCap) -> [String: Int] {
    get { typeCaps[cap] ?? [:] }
    // Equal policies have equal tables.
    set { typeCaps[cap] = newValue.isEmpty ? nil : newValue }
  }
}
