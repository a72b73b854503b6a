/// The names by which an engine finds again what it has stored: positions change with every update of an
/// app, names do not.
public struct StoreNames: Sendable {
  /// By ``ReminderID``.
  public private(set) var reminders: [String]
  /// By ``TypeID``.
  public let types: [String]
  private var reminderIDs: [String: ReminderID]
  private let typeIDs: [String: TypeID]
  /// By ``ReminderID``: a number that is in the order of the names.
  package private(set) var ranks: [UInt32]
  private var inOrder: [ReminderID]
  /// How often all ranks were made anew.
  package private(set) var renumberings = 0

  /// - Complexity: O(*n*) in the names, which must differ within each list.
  public init(reminders: [String], types: [String]) {
    self.reminders = reminders
    self.types = types
    reminderIDs = Self.ids(reminders)
    typeIDs = Self.ids(types)
    inOrder = reminders.indices.sorted { reminders[$0] < reminders[$1] }.map { ReminderID($0) }
    ranks = Array(repeating: 0, count: reminders.count)
    for (rank, reminder) in inOrder.enumerated() { ranks[reminder.index] = UInt32(rank) }
  }

  /// Takes up a reminder behind the others.
  ///
  /// Its rank lies between those of its neighbours. Where there is none between them all are made anew, with so much
  /// room that this is seldom.
  package mutating func append(_ name: String) {
    let reminder = ReminderID(reminders.count)
    var (low, high) = (0, inOrder.count)
    while low < high {
      let middle = (low + high) / 2
      if reminders[inOrder[middle].index] < name { low = middle + 1 } else { high = middle }
    }
    let before = low == 0 ? 0 : ranks[inOrder[low - 1].index]
    let after = low == inOrder.count ? UInt32.max : ranks[inOrder[low].index]
    reminders.append(name)
    reminderIDs[name] = reminder
    inOrder.insert(reminder, at: low)
    ranks.append(before + (after - before) / 2)
    if ranks[reminder.index] == before { renumber() }
  }

  private mutating func renumber() {
    renumberings += 1
    let step = UInt32.max / UInt32(inOrder.count + 1)
    for (place, reminder) in inOrder.enumerated() { ranks[reminder.index] = UInt32(place + 1) * step }
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
  /// As an earlier version of the app declared it.
  public var name: String
  /// The numbers of its requests that the system may still hold: they are to be withdrawn.
  public var requests: [UInt32]

  package init(name: String, requests: [UInt32]) {
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
