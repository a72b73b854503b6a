/// Where the payloads of events lie that can be cancelled or are too large for a record, and what makes
/// handles safe.
///
/// An entry is a tag and a payload. The tag is a generation of 24 bits, which every use of the slot
/// raises, above the event's priority. A handle, and a record in some queue, holds the tag of its time
/// and is stale as soon as the slot's differs; so a slot can be used again while stale records still
/// refer to it. Free entries form a list through their payloads. A slot whose generation has reached
/// its end is never used again, so that no generation can wrap: 12 bytes for an 8-byte payload lost in
/// 16.7 million uses of that slot.
struct SlotTable: ~Copyable {
  private var entries: UnsafeMutableRawPointer
  private(set) var capacity: Int
  /// Slots below this were used at least once.
  private var used = 0
  private var firstFree = SlotTable.none
  /// Bytes from entry to entry, a multiple of 4: the tag, then a payload or the next free slot.
  private let stride: Int

  private static let none = UInt32.max
  private static let lastGeneration: UInt32 = 0xFF_FFFF

  /// A table that takes no memory before its first use.
  init(payloadSize: Int) {
    self.init(stride: 4 + max(8, (payloadSize + 3) & ~3), capacity: 0)
  }

  private init(stride: Int, capacity: Int) {
    self.stride = stride
    self.capacity = capacity
    entries = .allocate(byteCount: capacity * stride, alignment: 4)
  }

  deinit {
    entries.deallocate()
  }

  func copy() -> SlotTable {
    var copy = SlotTable(stride: stride, capacity: capacity)
    copy.adopt(self)
    return copy
  }

  private mutating func adopt(_ other: borrowing SlotTable) {
    entries.copyMemory(from: other.entries, byteCount: other.used * stride)
    used = other.used
    firstFree = other.firstFree
  }

  /// Bytes held, used or not.
  var byteCount: Int { capacity * stride }

  // MARK: Taking and giving back

  /// A slot for a new event; its payload is not yet initialised.
  mutating func take(priority: UInt8) -> EventHandle {
    guard firstFree != Self.none else { return takeUnused(priority: priority) }
    let slot = firstFree
    firstFree = payload(slot).load(as: UInt32.self)
    return tag(slot, tag(slot) & ~0xFF | UInt32(priority))
  }

  private mutating func takeUnused(priority: UInt8) -> EventHandle {
    if used == capacity { grow() }
    used += 1
    return tag(UInt32(used - 1), UInt32(priority))
  }

  /// Doubles a small table and adds a quarter to a large one, where unused entries would weigh.
  private mutating func grow() {
    precondition(used < Int(Self.none), "more than 4,294,967,294 pending events")
    var larger = SlotTable(
      stride: stride, capacity: capacity < 1_024 ? max(16, capacity * 2) : capacity + capacity / 4)
    larger.adopt(self)
    self = larger
  }

  /// Makes the handles and the record of a pending event stale and its slot free.
  mutating func release(_ slot: UInt32) {
    let generation = tag(slot) >> 8 + 1
    tag(slot, generation << 8)
    guard generation < Self.lastGeneration else { return }
    payload(slot).storeBytes(of: firstFree, as: UInt32.self)
    firstFree = slot
  }

  /// Makes the handles and the record of a pending event stale, and gives its payload and priority to
  /// a new event: in the same slot, as long as that can be used.
  mutating func renew(_ slot: UInt32) -> EventHandle {
    let generation = tag(slot) >> 8 + 1
    let priority = priority(slot)
    guard generation == Self.lastGeneration else {
      return tag(slot, generation << 8 | UInt32(priority))
    }
    let new = take(priority: priority)
    payload(new.slot).copyMemory(from: payload(slot), byteCount: stride - 4)
    release(slot)
    return new
  }

  // MARK: Reading

  /// Whether the handle's event is pending in this list.
  func isCurrent(_ handle: EventHandle) -> Bool {
    Int(handle.slot) < used && tag(handle.slot) == handle.tag
  }

  /// Whether the record's event was cancelled or rescheduled after the record was made.
  func isStale(_ record: EventRecord) -> Bool {
    record.hasSlot && tag(record.handle.slot) != record.handle.tag
  }

  func priority(_ slot: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: tag(slot))
  }

  /// Where the payload lies, 8 bytes at least, aligned to 4 bytes only.
  func payload(_ slot: UInt32) -> UnsafeMutableRawPointer {
    entries + (Int(slot) * stride + 4)
  }

  private func tag(_ slot: UInt32) -> UInt32 {
    (entries + Int(slot) * stride).load(as: UInt32.self)
  }

  @discardableResult
  private func tag(_ slot: UInt32, _ tag: UInt32) -> EventHandle {
    (entries + Int(slot) * stride).storeBytes(of: tag, as: UInt32.self)
    return EventHandle(slot: slot, tag: tag)
  }
}
