/// The names that reminders may use, each with its position: what an author writes, turned into the
/// dense identifiers that events carry.
public struct EngineNames: Hashable, Sendable {
  /// Other apps on the phone; the position of a name is its ``AppID``, and likewise below.
  public private(set) var apps: [String]
  /// Circular regions, which the system can watch.
  public private(set) var regions: [String]
  /// By region: where it is; empty where nobody says.
  public private(set) var circles: [RegionCircle]
  /// What the app can be asked for in a condition.
  public private(set) var facts: [String]
  /// Notification types: what caps by type count.
  public private(set) var types: [String]
  /// By fact: what it is worth when the local day on which it was said is over; nil: it lasts.
  public private(set) var dayEnds: [FactValue?]
  /// By fact: whether it holds a date, which is the same day wherever the phone is.
  public private(set) var isDate: [Bool]
  private var appIDs: [String: AppID]
  private var regionIDs: [String: RegionID]
  private var factIDs: [String: FactID]
  private var typeIDs: [String: TypeID]

  /// The names of one app. Of a name that stands twice in a list the first position counts.
  ///
  /// - Parameters:
  ///   - apps: Other apps whose opening reminders may wait for.
  ///   - regions: The regions that triggers and conditions may name.
  ///   - facts: What the app may be asked for.
  ///   - types: The notification types in their order of declaration, which is part of the order of decisions.
  ///     Types that reminders add are appended by the compiler.
  ///   - dayEnds: By name, the facts of a day, such as the workouts of today: each ends at local midnight, and has
  ///     this value until it is said anew.
  ///   - dates: The facts that hold a date, such as a birthday, and no instant.
  ///   - circles: Where the regions are, one for each: what decides which of them are watched where the system
  ///     watches fewer.
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

  /// The identifier of an app, nil where none has the name; likewise below.
  ///
  /// - Complexity: O(1)
  public func app(_ name: String) -> AppID? { appIDs[name] }
  /// The identifier of a region.
  public func region(_ name: String) -> RegionID? { regionIDs[name] }
  /// The identifier of a fact.
  public func fact(_ name: String) -> FactID? { factIDs[name] }
  /// The identifier of a notification type, one that the compiler has added too.
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
