import TriggerModel

/// What is written down of some reminders: found by their numbers, without hashing.
///
/// It takes four bytes for each reminder up to the highest of which anything was ever written down, and the entries.
struct ReminderTable<Value: Sendable>: Sendable {
  fileprivate struct Entry: Sendable {
    var reminder: ReminderID
    var value: Value
  }

  /// By reminder: the position of its entry, or ``none``.
  private var positions: [Int32] = []
  private var entries: [Entry] = []

  private static var none: Int32 { -1 }

  var isEmpty: Bool { entries.isEmpty }

  var count: Int { entries.count }

  /// In no particular order: it depends on what was written down and struck out before.
  var keys: some Sequence<ReminderID> { entries.lazy.map(\.reminder) }

  /// In the order of ``keys``.
  var values: some Sequence<Value> { entries.lazy.map(\.value) }

  /// What is written down of a reminder; nil: nothing.
  ///
  /// - Complexity: O(1), but for the first of a reminder with a higher number than any before.
  subscript(reminder: ReminderID) -> Value? {
    get {
      let position = position(of: reminder)
      return position == Self.none ? nil : entries[Int(position)].value
    }
    set { if let newValue { put(newValue, of: reminder) } else { _ = removeValue(forKey: reminder) } }
  }

  /// Changes what is written down of a reminder in place, if anything is.
  @discardableResult
  @inline(__always)
  mutating func change<Result>(_ reminder: ReminderID, _ body: (inout Value) -> Result) -> Result? {
    let position = position(of: reminder)
    return position == Self.none ? nil : body(&entries[Int(position)].value)
  }

  mutating func removeValue(forKey reminder: ReminderID) -> Value? {
    let position = position(of: reminder)
    guard position != Self.none else { return nil }
    positions[reminder.index] = Self.none
    // The last one takes its place.
    let last = entries.removeLast()
    if last.reminder == reminder { return last.value }
    let value = entries[Int(position)].value
    entries[Int(position)] = last
    positions[last.reminder.index] = position
    return value
  }

  @inline(__always)
  private func position(of reminder: ReminderID) -> Int32 {
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
  /// - Parameter value: As one is before anything happens to it.
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
