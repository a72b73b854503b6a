import TriggerModel

/// What is written down of some reminders, and which of it holds any requests: mostly few, as the system keeps few.
struct HoldingTable<Value: Holding>: Sendable {
  private var table = ReminderTable<Value>()
  private var holders = ReminderTable<Void>()

  /// In no particular order.
  var keys: some Sequence<ReminderID> { table.keys }

  /// What holds any, in no particular order.
  var holding: some Sequence<Value> { holders.keys.lazy.compactMap { table[$0] } }

  subscript(reminder: ReminderID) -> Value? {
    get { table[reminder] }
    set {
      table[reminder] = newValue
      note(reminder, isHolder: newValue?.holdsAny ?? false)
    }
  }

  /// Changes what is written down of a reminder in place, if anything is.
  @discardableResult
  mutating func change<Result>(_ reminder: ReminderID, _ body: (inout Value) -> Result) -> Result? {
    var isHolder = false
    let result = table.change(reminder) { value in
      defer { isHolder = value.holdsAny }
      return body(&value)
    }
    note(reminder, isHolder: isHolder)
    return result
  }

  private mutating func note(_ reminder: ReminderID, isHolder: Bool) {
    if (holders[reminder] != nil) == isHolder { return }
    holders[reminder] = isHolder ? () : nil
  }
}

extension HoldingTable where Value: Packable {
  /// - Parameter value: As one is before anything happens to it.
  mutating func pack(_ value: Value, in parcel: inout Parcel) {
    table.pack(value, in: &parcel)
    if !parcel.isUnpacking { return }
    for reminder in table.keys { note(reminder, isHolder: table[reminder]?.holdsAny ?? false) }
  }
}
