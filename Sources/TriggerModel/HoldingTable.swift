/// What may hold requests that the system has.
package protocol Holding: Sendable {
  var holdsAny: Bool { get }
}

/// What is written down of some reminders, and which of it holds any requests: mostly few, as the system keeps few.
package struct HoldingTable<Value: Holding>: Sendable {
  @usableFromInline var table = ReminderTable<Value>()
  @usableFromInline var holders = ReminderTable<Void>()

  @inlinable
  package init() {}

  /// In no particular order.
  @inlinable package var keys: some Sequence<ReminderID> { table.keys }

  /// What holds any, in no particular order.
  @inlinable package var holding: some Sequence<Value> { holders.keys.lazy.compactMap { table[$0] } }

  @inlinable
  package subscript(reminder: ReminderID) -> Value? {
    get { table[reminder] }
    set {
      table[reminder] = newValue
      note(reminder, isHolder: newValue?.holdsAny ?? false)
    }
  }

  /// Changes what is written down of a reminder in place, if anything is.
  @discardableResult @inlinable
  package mutating func change<Result>(_ reminder: ReminderID, _ body: (inout Value) -> Result) -> Result? {
    var isHolder = false
    let result = table.change(reminder) { value in
      defer { isHolder = value.holdsAny }
      return body(&value)
    }
    note(reminder, isHolder: isHolder)
    return result
  }

  @inlinable
  mutating func note(_ reminder: ReminderID, isHolder: Bool) {
    if (holders[reminder] != nil) == isHolder { return }
    holders[reminder] = isHolder ? () : nil
  }
}

extension HoldingTable where Value: Packable {
  /// - Parameter value: As one is before anything happens to it.
  package mutating func pack(_ value: Value, in parcel: inout Parcel) {
    table.pack(value, in: &parcel)
    if !parcel.isUnpacking { return }
    for reminder in table.keys { note(reminder, isHolder: table[reminder]?.holdsAny ?? false) }
  }
}
