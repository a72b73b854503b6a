/// The names that reminders may use, each with its position: what an author writes, turned into the
/// dense identifiers that events carry.
public struct EngineNames: Hashable, Sendable {
  public private(set) var apps: [String]
  public private(set) var regions: [String]
  /// By region: where it is; empty where nobody says.
  public private(set) var circles: [RegionCircle]
  public private(set) var facts: [String]
  public private(set) var types: [String]
  /// By fact: what it is worth when the local day on which it was said is over; nil: it lasts.
  public private(set) var dayEnds: [FactValue?]
  /// By fact: whether it holds a date, which is the same day wherever the phone is.
  public private(set) var isDate: [Bool]
  private var appIDs: [String: AppID]
  private var regionIDs: [String: RegionID]
  private var factIDs: [String: FactID]
  private var typeIDs: [String: TypeID]

  /// - Parameter types: The notification types in their order of declaration, which is part of the
  ///   order of decisions. Types that reminders add are appended by the compiler.
  /// - Parameter dayEnds: By name, the facts of a day, such as the workouts of today: each ends at local
  ///   midnight, and has this value until it is said anew.
  /// - Parameter dates: The facts that hold a date, such as a birthday, and no instant.
  /// - Parameter circles: Where the regions are, one for each: what decides which of them are watched where the
  ///   system watches fewer.
  public init(
    apps: [String] = [], regions: [String] = [], facts: [String] = [], types: [String] = [],
    dayEnds: [String: FactValue] = [:], dates: Set<String> = [], circles: [RegionCircle] = []
  ) {
    self.apps = apps
    self.regions = regions
    self.circles = circles
    self.facts = facts
    self.types = types
    self.dayEnds = facts.map { dayEnds[$0] }
    isDate = facts.map(dates.contains)
    appIDs = Self.positions(apps)
    regionIDs = Self.positions(regions)
    factIDs = Self.positions(facts)
    typeIDs = Self.positions(types)
  }

  public func app(_ name: String) -> AppID? { appIDs[name] }
  public func region(_ name: String) -> RegionID? { regionIDs[name] }
  public func fact(_ name: String) -> FactID? { factIDs[name] }
  public func type(_ name: String) -> TypeID? { typeIDs[name] }

  /// The identifier of a type, which is added when it is new.
  package mutating func internType(_ name: String) -> TypeID {
    if let id = typeIDs[name] { return id }
    let id = TypeID(types.count)
    types.append(name)
    typeIDs[name] = id
    return id
  }

  private static func positions<Subject>(_ names: [String]) -> [String: DenseID<Subject>] {
    Dictionary(
      names.enumerated().map { ($0.element, DenseID<Subject>($0.offset)) },
      uniquingKeysWith: { first, _ in first })
  }
}
