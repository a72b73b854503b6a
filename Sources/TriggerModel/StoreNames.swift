/// The names that an engine uses in its stored state. Unlike positions, names stay the same when the app is
/// updated.
public struct StoreNames: Sendable {
  /// The names of reminders, in the order of ``ReminderID``.
  public private(set) var reminders: [String]
  /// The names of types, in the order of ``TypeID``.
  public let types: [String]
  private var reminderIDs: [String: ReminderID]
  private let typeIDs: [String: TypeID]
  /// The rank of each ``ReminderID``. Ranks are ordered like the names.
  package private(set) var ranks: [UInt32]
  private var inOrder: [ReminderID]
  /// The number of times that all ranks were reassigned.
  package private(set) var renumberings = 0

  /// Creates names, which must be distinct within each list.
  ///
  /// - Complexity: O(*n* log *n*) in the number of names.
  public init(reminders: [String], types: [String]) {
    self.reminders = reminders
    self.types = types
    reminderIDs = DenseID.byName(reminders)
    typeIDs = DenseID.byName(types)
    inOrder = reminders.indices.sorted { reminders[$0] < reminders[$1] }.map { ReminderID($0) }
    ranks = Array(repeating: 0, count: reminders.count)
    for (rank, reminder) in inOrder.enumerated() { ranks[reminder.index] = UInt32(rank) }
  }

  /// Appends a reminder.
  /// Its rank is between those of its neighbours. If there is no number between them, all ranks are
  /// reassigned with gaps.
  package mutating func append(_ name: String) {
    let reminder = ReminderID(reminders.count)
    let low = inOrder.partition { reminders[$0.index] < name }
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
}

/// A reminder that has stored state but is no longer declared.
public struct EndedReminder: Hashable, Sendable {
  /// The reminder's name in an earlier version of the app.
  public var name: String
  /// The numbers of the reminder's requests that the system may still hold. The app must withdraw them.
  public var requests: [UInt32]

  package init(name: String, requests: [UInt32]) {
    self.name = name
    self.requests = requests
  }
}

/// The names to which a stored state refers. They are collected before the state is written.
package struct UsedNames: Sendable {
  fileprivate var reminders: [ReminderID: String] = [:]
  fileprivate var types: [TypeID: String] = [:]
  fileprivate var zones: Set<String> = []

  package init() {}

  package mutating func insert(_ reminder: ReminderID, _ name: String) { reminders[reminder] = name }
  package mutating func insert(_ type: TypeID, _ name: String) { types[type] = name }
  package mutating func insert(zone: String) { zones.insert(zone) }
}

/// The sorted names of a stored state. The state refers to a name by its position.
struct NamePlaces: Sendable {
  let reminders: [ReminderID]
  let types: [TypeID]
  let reminderPlaces: [ReminderID: Int]
  let typePlaces: [TypeID: Int]
  let zonePlaces: [String: Int]
  /// The zones, types and reminders, each list sorted by name.
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
