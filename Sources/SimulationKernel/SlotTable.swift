/// Where payloads lie while their events are pending, and what makes handles safe.
///
/// An entry is a tag and a payload. The tag is a generation of 24 bits, which every use of the slot
/// raises, and the event's priority. Free entries form a list through their payloads. A slot whose
/// generation has reached its end is never used again, so that no generation can wrap: 12 bytes for
/// an 8-byte payload lost in 16.7 million uses of that slot.
///
/// A cancelled event's slot is *dead*: its handles are stale already, but a record in some queue still
/// refers to it, so that it cannot be used again before that record is met.
struct SlotTable: ~Copyable {
  private var entries: UnsafeMutableRawPointer
  /// One bit per slot.
  private var deadBits: UnsafeMutablePointer<UInt64>
  private(set) var capacity: Int
  /// Slots below this were used at least once.
  private var used = 0
  private var firstFree = SlotTable.none
  /// Bytes from entry to entry, a multiple of 4: the tag, then a payload or the next free slot.
  private let stride: Int

  private static let none = UInt32.max
  private static let lastGeneration: UInt32 = 0xFF_FFFF

  init(payloadSize: Int) {
    self.init(stride: 4 + max(4, (payloadSize + 3) & ~3), capacity: 16)
  }

  private init(stride: Int, capacity: Int) {
    self.stride = stride
    self.capacity = capacity
    entries = .allocate(byteCount: capacity * stride, alignment: 4)
    deadBits = .allocate(capacity: Self.words(capacity))
    deadBits.initialize(repeating: 0, count: Self.words(capacity))
  }

  deinit {
    entries.deallocate()
    deadBits.deallocate()
  }

  func copy() -> SlotTable {
    var copy = SlotTable(stride: stride, capacity: capacity)
    copy.adopt(self)
    return copy
  }

  private mutating func adopt(_ other: borrowing SlotTable) {
    entries.copyMemory(from: other.entries, byteCount: other.used * stride)
    deadBits.update(from: other.deadBits, count: Self.words(other.capacity))
    used = other.used
    firstFree = other.firstFree
  }

  private static func words(_ capacity: Int) -> Int { (capacity + 63) / 64 }

  /// Bytes held, used or not.
  var byteCount: Int { capacity * stride + Self.words(capacity) * 8 }

  // MARK: Taking and giving back

  /// A slot for a new event; its payload is not yet initialised.
  mutating func take(priority: UInt8) -> UInt32 {
    guard firstFree != Self.none else { return takeUnused(priority: priority) }
    let slot = firstFree
    firstFree = payload(slot).load(as: UInt32.self)
    setTag(slot, generation(slot) << 8 | UInt32(priority))
    return slot
  }

  private mutating func takeUnused(priority: UInt8) -> UInt32 {
    if used == capacity { grow() }
    let slot = UInt32(used)
    used += 1
    setTag(slot, UInt32(priority))
    return slot
  }

  /// Doubles a small table and adds a quarter to a large one, where unused entries would weigh.
  private mutating func grow() {
    precondition(used < Int(Self.none), "more than 4,294,967,294 pending events")
    var larger = SlotTable(
      stride: stride, capacity: capacity < 1_024 ? capacity * 2 : capacity + capacity / 4)
    larger.adopt(self)
    self = larger
  }

  /// Makes the handles of a pending event stale and its slot free.
  mutating func release(_ slot: UInt32) {
    retireGeneration(of: slot)
    free(slot)
  }

  /// Makes the handles of a pending event stale; the slot stays taken until `bury`.
  mutating func kill(_ slot: UInt32) {
    retireGeneration(of: slot)
    deadBits[Int(slot >> 6)] |= 1 << UInt64(slot & 63)
  }

  /// Frees a dead slot, after the last record that refers to it is gone.
  mutating func bury(_ slot: UInt32) {
    deadBits[Int(slot >> 6)] &= ~(1 << UInt64(slot & 63))
    free(slot)
  }

  private mutating func retireGeneration(of slot: UInt32) {
    setTag(slot, (generation(slot) + 1) << 8)
  }

  private mutating func free(_ slot: UInt32) {
    guard generation(slot) < Self.lastGeneration else { return }
    payload(slot).storeBytes(of: firstFree, as: UInt32.self)
    firstFree = slot
  }

  // MARK: Reading

  func isDead(_ slot: UInt32) -> Bool {
    deadBits[Int(slot >> 6)] >> UInt64(slot & 63) & 1 == 1
  }

  /// Whether the handle's event is pending in this list.
  func isCurrent(_ handle: EventHandle) -> Bool {
    Int(handle.slot) < used && generation(handle.slot) == handle.generation
  }

  func handle(_ slot: UInt32) -> EventHandle {
    EventHandle(slot: slot, generation: generation(slot))
  }

  func priority(_ slot: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: tag(slot))
  }

  /// Where the payload lies, aligned to 4 bytes only.
  func payload(_ slot: UInt32) -> UnsafeMutableRawPointer {
    entries + (Int(slot) * stride + 4)
  }

  func copyPayload(from old: UInt32, to new: UInt32) {
    payload(new).copyMemory(from: payload(old), byteCount: stride - 4)
  }

  private func generation(_ slot: UInt32) -> UInt32 { tag(slot) >> 8 }

  private func tag(_ slot: UInt32) -> UInt32 {
    (entries + Int(slot) * stride).load(as: UInt32.self)
  }

  private func setTag(_ slot: UInt32, _ tag: UInt32) {
    (entries + Int(slot) * stride).storeBytes(of: tag, as: UInt32.self)
  }
}
