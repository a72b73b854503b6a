import CivilTime
public import TriggerModel

/// A kind of cap on the notifications of one type: how a policy writes it, what it counts, and the reason
/// that it gives.
///
/// To add one, add a case here before `lapse`, in `forEach` too, and a ``TriggerModel/Reason``: policies,
/// scenario files, their schema, oracles and checks take it from here.
public enum TypeCap: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// For each local day, for each calendar week, ever, and since the app was last opened.
  case daily, weekly, lifetime, lapse

  /// Calls the body for each kind. Written out, so that the check of every request is compiled for each of
  /// them: a loop over a list took 81.3 ns for a decision, this 78.9 (`triggerbench bench caps`).
  @inline(__always)
  static func forEach(_ body: (TypeCap) -> Void) {
    body(.daily)
    body(.weekly)
    body(.lifetime)
    body(.lapse)
  }

  /// The key under which a policy names caps by type.
  public var key: String {
    switch self {
    case .daily: "typeDailyCaps"
    case .weekly: "typeWeeklyCaps"
    case .lifetime: "lifetimeCap"
    case .lapse: "lapseCap"
    }
  }

  /// What is counted, for the documentation of files.
  public var meaning: String {
    switch self {
    case .daily: "overrides typeDailyCap for the types named"
    case .weekly: "per type and local calendar week, standard bucket only"
    case .lifetime: "per type, ever"
    case .lapse: "per type, since the app was last opened"
    }
  }

  /// Why a request is denied where the cap is reached.
  public var reason: Reason {
    switch self {
    case .daily: .typeDailyCap
    case .weekly: .typeWeeklyCap
    case .lifetime: .lifetimeCap
    case .lapse: .lapseCap
    }
  }

  /// Whether it says nothing about critical and user-requested notifications.
  @inline(__always)
  var isOfStandardBucket: Bool { self == .daily || self == .weekly }

  /// How many days of deliveries before today the accounts keep for it.
  var keptDays: Int {
    switch self {
    case .daily, .lifetime, .lapse: DayCounts.keptDays
    case .weekly: DayCounts.keptDaysOfWeeks
    }
  }

  /// How many deliveries and reservations of the type count beside a delivery on a day.
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
  /// Overrides ``typeDailyCap`` for the types named.
  public var typeDailyCaps: [String: Int] {
    get { self[.daily] }
    set { self[.daily] = newValue }
  }

  /// Per type and local calendar week, standard bucket only; a type that is left out has no such cap.
  public var typeWeeklyCaps: [String: Int] {
    get { self[.weekly] }
    set { self[.weekly] = newValue }
  }

  /// Per type, ever.
  public var lifetimeCap: [String: Int] {
    get { self[.lifetime] }
    set { self[.lifetime] = newValue }
  }

  /// Per type, since the app was last opened.
  public var lapseCap: [String: Int] {
    get { self[.lapse] }
    set { self[.lapse] = newValue }
  }
}
