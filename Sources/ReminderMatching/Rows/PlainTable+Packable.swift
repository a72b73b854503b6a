package import TriggerModel

extension PlainTable {
  /// As ``TriggerModel/Packable/pack(in:)``; whoever holds the table keeps it.
  package func pack(in parcel: inout Parcel) {
    var elements = parcel.isUnpacking ? [] : Array(UnsafeBufferPointer(start: base, count: count))
    parcel.carry(&elements)
    if !parcel.isUnpacking { return }
    // Where reminders were declared since, there may be more room than they need, on either side.
    for index in 0..<min(count, elements.count) { self[index] = elements[index] }
  }
}
