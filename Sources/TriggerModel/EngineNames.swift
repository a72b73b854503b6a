/// The names that reminders may use, and the identifiers that represent them in events.
public struct EngineNames: Hashable, Sendable {
  /// The other apps on the phone. The index of a name is its ``AppID``. In the lists below, indices are
  /// identifiers too.
  public private(set) var apps: [String]
  /// The circular regions that the system can monitor.
  public private(set) var regions: [String]
  /// The circle of each region, or an empty list if the circles are unknown.
  public private(set) var circles: [RegionCircle]
  /// The facts that conditions may use.
  public private(set) var facts: [String]
  /// The notification types, to which per-type caps apply.
  public private(set) var types: [String]
  /// The value to which each daily fact is reset at the end of the local day, or `nil` for other facts.
  public private(set) var dayEnds: [FactValue?]
  /// Whether each fact is a calendar date, which does not depend on the zone.
  public private(set) var isDate: [Bool]
  private var appIDs: [String: AppID]
  private var regionIDs: [String: RegionID]
  private var factIDs: [String: FactID]
  private var typeIDs: [String: TypeID]

  /// Creates the names of an app. If a list contains a name twice, its first position is used.
  ///
  /// - Parameters:
  ///   - apps: The other apps that triggers may name.
  ///   - regions: The regions that triggers and conditions may name.
  ///   - facts: The facts that triggers and conditions may name.
  ///   - types: The notification types, in the order of declaration. This order affects the order of
  ///     decisions. The compiler appends types that only reminders name.
  ///   - dayEnds: The daily facts, such as the number of today's workouts, and the value to which each is
  ///     reset at local midnight.
  ///   - dates: The facts that are calendar dates, such as a birthday.
  ///   - circles: The circle of each region. They are needed to choose regions if the system limits their
  ///     number.
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
    appIDs = DenseID.byName(apps)
    regionIDs = DenseID.byName(regions)
    factIDs = DenseID.byName(facts)
    typeIDs = DenseID.byName(types)
  }

  /// Returns the identifier of an app, or `nil` if the name is unknown.
  ///
  /// - Complexity: O(1)
  public func app(_ name: String) -> AppID? { appIDs[name] }
  /// Returns the identifier of a region, or `nil` if the name is unknown.
  public func region(_ name: String) -> RegionID? { regionIDs[name] }
  /// Returns the identifier of a fact, or `nil` if the name is unknown.
  public func fact(_ name: String) -> FactID? { factIDs[name] }
  /// Returns the identifier of a notification type, including types that the compiler added, or `nil` if the
  /// name is unknown.
  public func type(_ name: String) -> TypeID? { typeIDs[name] }

  /// Returns the identifier of a notification type. Adds the type if it is new.
  package mutating func internType(_ name: String) -> TypeID {
    if let id = typeIDs[name] { return id }
    let id = TypeID(types.count)
    types.append(name)
    typeIDs[name] = id
    return id
  }
}
