public import CivilTime
public import TriggerModel

/// The scheduler's rules for admitting, denying and deferring requests, as their author wrote them.
///
/// The defaults are the rules of the FitMe app. A cap of 0 allows no delivery, and `nil` means no cap.
public struct CapPolicy: Hashable, Sendable {
  /// The quiet hours in local time, as half-open ranges. `nil` or empty windows mean no quiet hours.
  public var quietHours: WeeklyWindows? = Self.defaultQuietHours
  /// The action for requests with quiet hours as their first blocker, by bucket. A missing bucket uses
  /// `drop`.
  public var quietAction: [Bucket: QuietAction] = [.standard: .drop, .critical: .drop, .user: .defer]
  /// Whether critical requests skip the quiet-hours check.
  public var criticalBypassesQuietHours = false
  /// The types that skip the quiet-hours check, for example because the person chose their time.
  public var bypassQuietHours: [String] = []
  /// Whether an admitted critical request cancels the pending standard requests within ``minimumInterval``
  /// (``TriggerModel/Reason/preempted``).
  ///
  /// Notifications that were already shown are not affected. The checks of the standard bucket do not change.
  public var criticalPreempts = true
  /// The maximum number of standard notifications per local Gregorian day of delivery.
  public var dailyCap: Int? = 3
  /// The maximum number of critical notifications per local day, independent of ``dailyCap``.
  public var criticalDailyCap: Int? = 1
  /// The maximum number of standard notifications per type and local day.
  public var typeDailyCap: Int? = 1
  private var typeCaps: [TypeCap: [String: CapLimit]] = [:]
  private var bucketCaps: [TypeCap: CapLimit] = [:]
  /// The first day of a calendar week.
  public var weekStart = Weekday.monday
  /// Whether lifetime counts survive a reinstall, as in a keychain or on a server.
  public var lifetimeSurvivesReinstall = false
  /// The types that keep their lifetime counts through a reinstall even if ``lifetimeSurvivesReinstall`` is
  /// `false`.
  public var keptThroughReinstall: [String] = []
  /// The delay between the admission of a request and the moment its counts become visible.
  ///
  /// Use a nonzero delay for counters on a server, and zero for counters on the phone. The minimum interval
  /// is not delayed.
  public var counterLag = TimeSpan.zero
  /// Whether a notification that the app in front did not present uses up no cap and no interval.
  ///
  /// The app observes this only for deliveries while it is in front.
  public var countsPresentedOnly = false
  /// The minimum elapsed time between two deliveries, in both directions.
  public var minimumInterval: TimeSpan = .hours(4)
  /// The deliveries from which ``minimumInterval`` is measured.
  public var minimumIntervalScope = IntervalScope.standard
  /// The checks, in order. The first failing check is the reason.
  ///
  /// Checks that are not listed are skipped, except ``standingChecks``, which are then made first.
  public var checkOrder: [Reason] = Self.defaultCheckOrder

  /// The action for a request that quiet hours block.
  public enum QuietAction: UInt8, Hashable, Sendable, CaseIterable {
    /// Deny the request.
    case drop
    /// Defer the request until quiet hours end, then run all checks again.
    case `defer`
  }

  /// The buckets with deliveries that count as neighbours of a standard request. The user bucket never
  /// counts.
  public enum IntervalScope: UInt8, Hashable, Sendable, CaseIterable {
    /// Only the standard bucket.
    case standard
    /// The standard and the critical bucket.
    case all
  }

  /// The default check order: the scheduler's reasons in the order of ``TriggerModel/Reason``, in which
  /// permanent reasons come first.
  public static let defaultCheckOrder = Reason.allCases.filter {
    $0.stage == .scheduler && !standingChecks.contains($0)
  }

  private static let defaultQuietHours = WeeklyWindows(DailyWindow(from: 22 * 60, to: 7 * 60))

  /// The checks that a policy cannot disable: registration of the type and the person's preferences.
  public static let standingChecks: [Reason] = [.notRegistered, .userDisabled, .userDailyCap]

  /// Creates the default policy: three notifications a day, one per type, four hours apart, none at night.
  public init() {}

  /// The caps of one kind, by type name. A missing type has no cap of this kind.
  public subscript(cap: TypeCap) -> [String: CapLimit] {
    get { typeCaps[cap] ?? [:] }
    // Empty tables are removed, so that equal policies have equal tables.
    set { typeCaps[cap] = newValue.isEmpty ? nil : newValue }
  }

  /// The maximum number of standard notifications of all types together, for a kind in ``TypeCap/ofBuckets``.
  /// Other kinds have no effect.
  public subscript(ofBucket cap: TypeCap) -> CapLimit? {
    get { bucketCaps[cap] }
    set { bucketCaps[cap] = newValue }
  }
}

/// An error in a policy. ``description`` says what to change.
public enum CapPolicyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `key` names a type that does not exist. `nearest` lists the existing names that resemble it.
  case unknownType(String, key: String, nearest: [String])
  /// A cap, the minimum interval or the counter lag is less than zero.
  case negative(key: String)
  /// A rolling cap counts over fewer or more days than ``CapLimit/dayRange``.
  case wrongDays(key: String)
  /// The check order contains a reason that the scheduler does not check.
  case notACheck(Reason)
  /// The check order contains a check twice.
  case repeatedCheck(Reason)

  public var description: String {
    switch self {
    case .unknownType(let name, let key, let nearest):
      "\(key) names the type \"\(name)\", which does not exist; "
        + (nearest.isEmpty
          ? "use the name of a notification type" : "did you mean \(nearest.joined(separator: " or "))?")
    case .negative(let key):
      "\(key) is less than zero; use 0 to allow none, and leave it out for no limit"
    case .wrongDays(let key):
      "\(key) does not count over \(CapLimit.dayRange.lowerBound) to \(CapLimit.dayRange.upperBound) days; "
        + "use a daily cap for a single day"
    case .notACheck(let reason):
      "checkOrder names \(reason.name), which the scheduler does not check; use "
        + (CapPolicy.standingChecks + CapPolicy.defaultCheckOrder).map(\.name).joined(separator: ", ")
    case .repeatedCheck(let reason):
      "checkOrder names \(reason.name) twice; name each check once"
    }
  }
}
