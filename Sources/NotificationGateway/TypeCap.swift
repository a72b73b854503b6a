import CivilTime
public import TriggerModel

/// A kind of cap on the notifications of one type. It determines the key in a policy, the deliveries that
/// count, and the reason for denials.
///
/// To add a kind, add a case here before `lapse`, a call in `forEach`, and a ``TriggerModel/Reason``.
/// Policies, scenario files, their schema, oracles and checks follow from this declaration.
public enum TypeCap: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Caps per local day, per calendar week, since installation, and since the app was last opened.
  case daily, weekly, lifetime, lapse

  /// Calls `body` for each kind.
  ///
  /// The loop is unrolled, so that the compiler specializes the checks for each kind. A decision takes 78.9
  /// ns, compared to 81.3 ns with a loop over a list (`triggerbench bench caps`).
  @inline(__always)
  static func forEach(_ body: (TypeCap) -> Void) {
    body(.daily)
    body(.weekly)
    body(.lifetime)
    body(.lapse)
  }

  /// The key under which a policy lists the caps of this kind.
  public var key: String {
    switch self {
    case .daily: "typeDailyCaps"
    case .weekly: "typeWeeklyCaps"
    case .lifetime: "lifetimeCap"
    case .lapse: "lapseCap"
    }
  }

  /// A description of the counted deliveries, for the file reference.
  public var meaning: String {
    switch self {
    case .daily: "overrides typeDailyCap for the types named"
    case .weekly: "per type and local calendar week, standard bucket only"
    case .lifetime: "per type, ever"
    case .lapse: "per type, since the app was last opened"
    }
  }

  /// The reason for a denial by this cap.
  public var reason: Reason {
    switch self {
    case .daily: .typeDailyCap
    case .weekly: .typeWeeklyCap
    case .lifetime: .lifetimeCap
    case .lapse: .lapseCap
    }
  }

  /// Whether the cap ignores critical and user-requested notifications.
  @inline(__always)
  var countsOnlyStandard: Bool { self == .daily || self == .weekly }

  /// The number of days before today whose counts this cap needs.
  var keptDays: Int {
    switch self {
    case .daily, .lifetime, .lapse: DayCounts.keptDays
    case .weekly: DayCounts.keptDaysOfWeeks
    }
  }

  /// Returns the number of deliveries and reservations of the type that count against a delivery on a day.
  @inline(__always)
  func count(of type: TypeID, on day: CivilDate, in state: GatewayState, _ policy: CompiledCapPolicy)
    -> UInt32
  {
    switch self {
    case .daily: state.days.count(.type(type), on: day)
    case .weekly: state.days.count(.type(type), in: policy.week(of: day))
    case .lifetime: state.types[type.index].lifetime
    case .lapse: state.lapseCount(type)
    }
  }
}

extension CapPolicy {
  /// The daily caps of the named types, which override ``typeDailyCap``.
  public var typeDailyCaps: [String: Int] {
    get { self[.daily] }
    set { self[.daily] = newValue }
  }

  /// The maximum number of standard notifications per type and local calendar week. A type without an entry
  /// has no such cap.
  public var typeWeeklyCaps: [String: Int] {
    get { self[.weekly] }
    set { self[.weekly] = newValue }
  }

  /// The maximum number of notifications per type since installation.
  public var lifetimeCap: [String: Int] {
    get { self[.lifetime] }
    set { self[.lifetime] = newValue }
  }

  /// The maximum number of notifications per type since the app was last opened.
  public var lapseCap: [String: Int] {
    get { self[.lapse] }
    set { self[.lapse] = newValue }
  }
}
