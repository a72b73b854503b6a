/// The names that reminders may use, and their dense identifiers, which events carry.
public struct EngineNames: Hashable, Sendable {
  /// Other apps on the phone. The position of a name is its ``AppID``, and likewise below.
  public private(set) var apps: [String]
  /// Circular regions that the system can monitor.
  public private(set) var regions: [String]
  /// The circle of each region, or an empty list if they are unknown.
  public private(set) var circles: [RegionCircle]
  /// Facts that conditions may use.
  public private(set) var facts: [String]
  /// Notification types, which caps by type count.
  public private(set) var types: [String]
  /// The value of each daily fact after the end of the local day on which it was set, or `nil` for other
  /// facts.
  public private(set) var dayEnds: [FactValue?]
  /// Whether each fact holds a date, which does not depend on the zone.
  public private(set) var isDate: [Bool]
  private var appIDs: [String: AppID]
  private var regionIDs: [String: RegionID]
  private var factIDs: [String: FactID]
  private var typeIDs: [String: TypeID]

  /// Creates the names of an app. If a list contains a name twice, the first position counts.
  ///
  /// - Parameters:
  ///   - apps: Other apps that triggers may name.
  ///   - regions: The regions that triggers and conditions may name.
  ///   - facts: The facts that triggers and conditions may name.
  ///   - types: The notification types in order of declaration, which is part of the order of decision. The
  ///     compiler appends types that reminders add.
  ///   - dayEnds: The daily facts, such as the workouts of today. Each is reset to this value at local
  ///     midnight.
  ///   - dates: The facts that hold a date, such as a birthday, instead of an instant.
  ///   - circles: The circle of each region. Needed to choose regions if the system limits their number.
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

  /// Returns the identifier of an app, or `nil` if the name is unknown. Likewise below.
  ///
  /// - Complexity: O(1)
  public func app(_ name: String) -> AppID? { appIDs[name] }
  /// Returns the identifier of a region.
  public func region(_ name: String) -> RegionID? { regionIDs[name] }
  /// Returns the identifier of a fact.
  public func fact(_ name: String) -> FactID? { factIDs[name] }
  /// Returns the identifier of a notification type, including those that the compiler has added.
  public func type(_ name: String) -> TypeID? { typeIDs[name] }

  /// Returns the identifier of a type, and adds the type if it is new.
  package mutating func internType(_ name: String) -> TypeID {
    if let id = typeIDs[name] { return id }
    let id = TypeID(types.count)
    types.append(name)
    typeIDs[name] = id
    return id
  }
}
