import TriggerModel

/// A table of values for some reminders. The number of a reminder locates its value without hashing.
///
/// The table takes four bytes for each reminder up to the highest one that ever had a value, in addition to
/// the entries.
struct ReminderTable<Value: Sendable>: Sendable {
  struct Entry: Sendable {
    var reminder: ReminderID
    var value: Value
  }

  /// The index of each reminder's entry, or ``none``.
  private var positions: [Int32] = []
  var entries: [Entry] = []

  static var none: Int32 { -1 }

  var isEmpty: Bool { entries.isEmpty }

  var count: Int { entries.count }

  /// The reminders that have a value, in no particular order.
  var keys: some Sequence<ReminderID> { entries.lazy.map(\.reminder) }

  /// The value of a reminder, or `nil` if there is none.
  ///
  /// - Complexity: O(1), unless the reminder's number is higher than any before.
  subscript(reminder: ReminderID) -> Value? {
    get {
      let position = position(of: reminder)
      return position == Self.none ? nil : entries[Int(position)].value
    }
    set { if let newValue { put(newValue, of: reminder) } else { remove(reminder) } }
  }

  private mutating func remove(_ reminder: ReminderID) {
    let position = position(of: reminder)
    guard position != Self.none else { return }
    positions[reminder.index] = Self.none
    // Move the last entry to the position of the removed one.
    let last = entries.removeLast()
    if last.reminder == reminder { return }
    entries[Int(position)] = last
    positions[last.reminder.index] = position
  }

  @inline(__always)
  func position(of reminder: ReminderID) -> Int32 {
    reminder.index < positions.count ? positions[reminder.index] : Self.none
  }

  private mutating func put(_ value: Value, of reminder: ReminderID) {
    let position = position(of: reminder)
    if position != Self.none {
      entries[Int(position)].value = value
      return
    }
    if reminder.index >= positions.count {
      let room = max(reminder.index + 1, 2 * positions.count)
      positions.append(contentsOf: repeatElement(Self.none, count: room - positions.count))
    }
    positions[reminder.index] = Int32(entries.count)
    entries.append(Entry(reminder: reminder, value: value))
  }
}

extension ReminderTable.Entry: BitwiseCopyable where Value: BitwiseCopyable {}

extension ReminderTable where Value: BitwiseCopyable {
  mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&entries)
    findEntries(in: parcel)
  }
}

extension ReminderTable where Value: Packable {
  /// - Parameter value: The value of each entry before it is unpacked.
  mutating func pack(_ value: Value, in parcel: inout Parcel) {
    var keys = entries.map(\.reminder)
    parcel.carry(&keys)
    if parcel.isUnpacking { entries = keys.map { Entry(reminder: $0, value: value) } }
    for index in entries.indices { entries[index].value.pack(in: &parcel) }
    findEntries(in: parcel)
  }
}

extension ReminderTable {
  private mutating func findEntries(in parcel: Parcel) {
    guard parcel.isUnpacking, let last = entries.map(\.reminder.index).max() else { return }
    positions = Array(repeating: Self.none, count: last + 1)
    for (position, entry) in entries.enumerated() { positions[entry.reminder.index] = Int32(position) }
  }
}
