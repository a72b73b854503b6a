import CivilTime
public import TriggerModel

/// A kind of cap on the notifications of one type. It determines the key in a policy, the deliveries that
/// count, and the reason for denials. Some kinds also exist for the whole standard bucket, see ``ofBucket``.
///
/// To add a kind, add a case here before `lapse`, a call in `forEach`, and a ``TriggerModel/Reason``.
/// Policies, scenario files, their schema, oracles and checks follow from this declaration.
public enum TypeCap: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Caps per local day, per calendar week, per calendar month, in any sequence of consecutive local days, since
  /// installation, and since the app was last opened.
  case daily, weekly, monthly, rolling, lifetime, lapse

  /// Calls `body` for each kind.
  ///
  /// The loop is unrolled, so that the compiler specializes the checks for each kind. A decision takes 78.9
  /// ns, compared to 81.3 ns with a loop over a list (`triggerbench bench caps`).
  @inline(__always)
  static func forEach(_ body: (TypeCap) -> Void) {
    body(.daily)
    body(.weekly)
    body(.monthly)
    body(.rolling)
    body(.lifetime)
    body(.lapse)
  }

  /// The key under which a policy lists the caps of this kind.
  public var key: String {
    switch self {
    case .daily: "typeDailyCaps"
    case .weekly: "typeWeeklyCaps"
    case .monthly: "typeMonthlyCaps"
    case .rolling: "typeRollingCaps"
    case .lifetime: "lifetimeCap"
    case .lapse: "lapseCap"
    }
  }

  /// A description of the counted deliveries, for the file reference.
  public var meaning: String {
    switch self {
    case .daily: "overrides typeDailyCap for the types named"
    case .weekly: "per type and local calendar week, standard bucket only"
    case .monthly: "per type and local calendar month, standard bucket only"
    case .rolling:
      "per type and any sequence of consecutive local days, such as 2 in 7 days, standard bucket only"
    case .lifetime: "per type, ever"
    case .lapse: "per type, since the app was last opened"
    }
  }

  /// The reason for a denial by this cap.
  public var reason: Reason {
    switch self {
    case .daily: .typeDailyCap
    case .weekly: .typeWeeklyCap
    case .monthly: .typeMonthlyCap
    case .rolling: .typeRollingCap
    case .lifetime: .lifetimeCap
    case .lapse: .lapseCap
    }
  }

  /// The cap of this kind on all notifications of the standard bucket together, or `nil` if a policy has none.
  /// ``CapPolicy/dailyCap`` is declared separately, because every decision checks it.
  public var ofBucket: (key: String, meaning: String, reason: Reason)? {
    switch self {
    case .weekly: ("weeklyCap", "standard bucket, per local calendar week; none if missing", .weeklyCap)
    case .monthly: ("monthlyCap", "standard bucket, per local calendar month; none if missing", .monthlyCap)
    case .rolling:
      (
        "rollingCap",
        "standard bucket, in any sequence of consecutive local days, such as 3 in 7 days; none if missing",
        .rollingCap
      )
    case .daily, .lifetime, .lapse: nil
    }
  }

  /// The kinds with a cap on the whole standard bucket.
  public static let ofBuckets = allCases.filter { $0.ofBucket != nil }

  /// Whether the cap ignores critical and user-requested notifications.
  @inline(__always)
  var countsOnlyStandard: Bool { self != .lifetime && self != .lapse }

  /// Returns the days that this cap counts together, or `nil` if it does not count by day.
  ///
  /// - Parameter days: The length of the sequences of a ``rolling`` cap.
  func period(days: Int, weekStart: Weekday) -> CapPeriod? {
    switch self {
    case .daily: .day
    case .weekly: .week(from: weekStart)
    case .monthly: .month
    case .rolling: .days(days)
    case .lifetime, .lapse: nil
    }
  }

  /// Returns the number of deliveries and reservations of the type that count against a delivery on a day.
  @inline(__always)
  func count(of type: TypeID, on day: CivilDate, in state: GatewayState, _ policy: CompiledCapPolicy)
    -> UInt32
  {
    switch self {
    case .daily: state.days.count(.type(type), on: day)
    case .weekly, .monthly, .rolling:
      state.days.highestCount(.type(type), in: policy.period(of: self, type).spans(containing: day))
    case .lifetime: state.types[type.index].lifetime
    case .lapse: state.lapseCount(type)
    }
  }
}

/// The number of notifications that a cap allows.
public struct CapLimit: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The valid values of ``days``.
  public static let dayRange = 2...366

  /// The maximum number of notifications, 0 or more.
  public var count: Int
  /// The number of consecutive local days in which a ``TypeCap/rolling`` cap allows them, 2…366. Meaningless for
  /// other kinds.
  public var days: Int

  /// Creates a limit without checking the number of days.
  public init(_ count: Int, in days: Int = 0) {
    self.count = count
    self.days = days
  }

  /// Creates a limit on the notifications of one period.
  ///
  /// - Parameter count: At least 0.
  public init(integerLiteral count: Int) { self.init(count) }
}

extension CapPolicy {
  /// The daily caps of the named types, which override ``typeDailyCap``.
  public var typeDailyCaps: [String: Int] {
    get { self[.daily].mapValues(\.count) }
    set { self[.daily] = newValue.mapValues { CapLimit($0) } }
  }

  /// The maximum number of standard notifications per type and local calendar week. A type without an entry
  /// has no such cap.
  public var typeWeeklyCaps: [String: Int] {
    get { self[.weekly].mapValues(\.count) }
    set { self[.weekly] = newValue.mapValues { CapLimit($0) } }
  }

  /// The maximum number of notifications per type since installation.
  public var lifetimeCap: [String: Int] {
    get { self[.lifetime].mapValues(\.count) }
    set { self[.lifetime] = newValue.mapValues { CapLimit($0) } }
  }

  /// The maximum number of notifications per type since the app was last opened.
  public var lapseCap: [String: Int] {
    get { self[.lapse].mapValues(\.count) }
    set { self[.lapse] = newValue.mapValues { CapLimit($0) } }
  }
}
