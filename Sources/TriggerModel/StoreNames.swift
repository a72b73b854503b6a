/// The names by which an engine finds again what it has stored: positions change with every update of an
/// app, names do not.
public struct StoreNames: Sendable {
  /// By ``ReminderID``.
  public let reminders: [String]
  /// By ``TypeID``.
  public let types: [String]
  private let reminderIDs: [String: ReminderID]
  private let typeIDs: [String: TypeID]

  /// - Complexity: O(*n*) in the names, which must differ within each list.
  public init(reminders: [String], types: [String]) {
    self.reminders = reminders
    self.types = types
    reminderIDs = Self.ids(reminders)
    typeIDs = Self.ids(types)
  }

  package func reminder(_ name: String) -> ReminderID? { reminderIDs[name] }
  package func type(_ name: String) -> TypeID? { typeIDs[name] }

  private static func ids<Subject>(_ names: [String]) -> [String: DenseID<Subject>] {
    Dictionary(
      names.enumerated().map { ($0.element, DenseID<Subject>($0.offset)) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// A reminder of which something is stored and that is declared no longer: it has ended.
public struct EndedReminder: Hashable, Sendable {
  public var name: String
  /// The numbers of its requests that the system may still hold: they are to be withdrawn.
  public var requests: [UInt32]

  public init(name: String, requests: [UInt32]) {
    self.name = name
    self.requests = requests
  }
}

/// The names that a stored state refers to, collected before it is written.
package struct UsedNames: Sendable {
  fileprivate var reminders: [ReminderID: String] = [:]
  fileprivate var types: [TypeID: String] = [:]
  fileprivate var zones: Set<String> = []

  package init() {}

  package mutating func insert(_ reminder: ReminderID, _ name: String) { reminders[reminder] = name }
  package mutating func insert(_ type: TypeID, _ name: String) { types[type] = name }
  package mutating func insert(zone: String) { zones.insert(zone) }
}

/// The names of a stored state in its own order, by which the rest of it refers to them.
struct NamePlaces: Sendable {
  let reminders: [ReminderID]
  let types: [TypeID]
  let reminderPlaces: [ReminderID: Int]
  let typePlaces: [TypeID: Int]
  let zonePlaces: [String: Int]
  /// Zones, types and reminders: each list in the order of its names.
  let lists: [[String]]

  init(_ used: UsedNames) {
    let reminders = used.reminders.sorted { $0.value < $1.value }
    let types = used.types.sorted { $0.value < $1.value }
    let zones = used.zones.sorted()
    self.reminders = reminders.map(\.key)
    self.types = types.map(\.key)
    reminderPlaces = Self.places(self.reminders)
    typePlaces = Self.places(self.types)
    zonePlaces = Self.places(zones)
    lists = [zones, types.map(\.value), reminders.map(\.value)]
  }

  private static func places<Key: Hashable>(_ keys: [Key]) -> [Key: Int] {
    Dictionary(uniqueKeysWithValues: zip(keys, 0...))
  }
}
