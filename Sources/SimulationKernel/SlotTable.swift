import CPrefetch

/// One use of a slot, in 31 bits: what a record says about where its event lies.
///
/// It holds the lowest bits of the slot's generation only, which is enough to recognise a stale record:
/// see `SlotTable`.
struct SlotReference: BitwiseCopyable {
  var bits: UInt32

  /// Slots are numbered with 25 bits.
  static let slotBits: UInt32 = 25
  static let slotMask = UInt32(1) << slotBits - 1
  /// All bits of a generation that a reference has room for.
  static let generationMask: UInt32 = 0x3F

  init(bits: UInt32) {
    self.bits = bits
  }

  init(_ handle: EventHandle) {
    bits = (handle.tag >> 8 & Self.generationMask) << Self.slotBits | handle.slot
  }

  var slot: UInt32 { bits & Self.slotMask }
  var generation: UInt32 { bits >> Self.slotBits }
}

/// Where the payloads of events lie that can be cancelled or are too large for a record, and what makes
/// handles safe.
///
/// A slot has a payload and a generation of 24 bits, which every use of the slot raises. A handle holds the
/// generation of its time and is stale as soon as the slot's differs; so a slot can be used again while stale
/// handles and records still refer to it. Free slots form a list through their payloads.
///
/// The lower 16 bits of all generations lie together, behind all payloads: who only asks whether an event is
/// still pending, and for many events in no order, reads 2 bytes of each from memory that the processor can
/// keep near. The upper bits are `SlotEras`, which take no memory until some slot needs them.
///
/// A record has room for the lowest 6 bits of the generation. So that they cannot be mistaken, a slot
/// whose 6 bits have come to their last value, which no event is ever given, rests until no stale record
/// is left in the list. A slot whose 24 bits have is never used again: 11 bytes for an 8-byte payload
/// lost in 16.5 million uses of that slot.
struct SlotTable: ~Copyable {
  /// As many payloads as there is room for, and the generations behind them.
  private var payloads: UnsafeMutableRawPointer
  private var generations: UnsafeMutablePointer<UInt16>
  private var eras = SlotEras()
  private(set) var capacity: Int
  /// Slots below this were used at least once.
  private var used = 0
  private var firstFree = SlotTable.none
  private var firstResting = SlotTable.none
  private(set) var restingCount = 0
  /// Bytes from payload to payload, a multiple of 4: a payload or the next free slot.
  private let stride: Int

  private static let none = UInt32.max

  /// A table that takes no memory before its first use.
  init(payloadSize: Int) {
    self.init(stride: max(8, (payloadSize + 3) & ~3), capacity: 0)
  }

  private init(stride: Int, capacity: Int) {
    self.stride = stride
    self.capacity = capacity
    payloads = .allocate(byteCount: Self.byteCount(stride, capacity), alignment: 8)
    generations = (payloads + stride * capacity).bindMemory(to: UInt16.self, capacity: capacity)
  }

  deinit {
    payloads.deallocate()
  }

  private static func byteCount(_ stride: Int, _ capacity: Int) -> Int {
    capacity * (stride + MemoryLayout<UInt16>.stride)
  }

  func copy() -> SlotTable {
    var copy = SlotTable(stride: stride, capacity: capacity)
    copy.adopt(self)
    return copy
  }

  private mutating func adopt(_ other: borrowing SlotTable) {
    generations.update(from: other.generations, count: other.used)
    payloads.copyMemory(from: other.payloads, byteCount: other.used * stride)
    eras = other.eras.copy(capacity: capacity)
    used = other.used
    firstFree = other.firstFree
    firstResting = other.firstResting
    restingCount = other.restingCount
  }

  /// Bytes held, used or not.
  var byteCount: Int { Self.byteCount(stride, capacity) + eras.byteCount }

  /// Whether slots that are not used right now are far from the processor.
  var isLarge: Bool { capacity > 16_384 }

  // MARK: Taking and giving back

  /// A slot for a new event and the first 8 bytes of its payload.
  mutating func take(priority: UInt8, _ payload: UInt64) -> EventHandle {
    if let handle = takeFree(priority: priority, payload) { return handle }
    let handle = takeUnused(priority: priority)
    self.payload(handle.slot).storeBytes(of: payload, as: UInt64.self)
    return handle
  }

  /// The same, if one is free that was used before.
  @inline(__always)
  mutating func takeFree(priority: UInt8, _ payload: UInt64) -> EventHandle? {
    guard firstFree != Self.none else { return nil }
    let slot = firstFree
    let place = self.payload(slot)
    firstFree = place.load(as: UInt32.self)
    place.storeBytes(of: payload, as: UInt64.self)
    return handle(slot, generations[Int(slot)], priority)
  }

  private mutating func takeUnused(priority: UInt8) -> EventHandle {
    if used == capacity { grow() }
    let slot = UInt32(used)
    used += 1
    // Not all at 0: slots that are used as often as each other would come to rest at the same time.
    let generation = UInt16(slot % (SlotReference.generationMask / 2))
    generations[Int(slot)] = generation
    return handle(slot, generation, priority)
  }

  /// Doubles a small table and adds a sixteenth to a large one, where unused entries would weigh.
  private mutating func grow() {
    precondition(used <= Int(SlotReference.slotMask), "more than 33,554,432 events that can be cancelled")
    var larger = SlotTable(
      stride: stride, capacity: capacity < 1_024 ? max(16, capacity * 2) : capacity + capacity / 16)
    larger.adopt(self)
    self = larger
  }

  /// Makes the handle and the record of a pending event stale and its slot free.
  ///
  /// - Returns: false if the slot is to rest.
  @discardableResult
  mutating func release(_ slot: UInt32) -> Bool {
    let next = generations[Int(slot)] &+ 1
    if Self.isUsedUp(UInt32(next)) {
      generations[Int(slot)] = next
      rest(slot)
      return false
    }
    _ = free(slot)
    return true
  }

  /// Whether the slot is in the use that is referred to, and free after it.
  @inline(__always)
  func isFreedByRelease(_ reference: SlotReference) -> Bool {
    !isStale(reference) && !Self.isUsedUp(reference.generation &+ 1)
  }

  /// Makes the handle and the record of a pending event stale and its slot free, for which
  /// `isFreedByRelease`.
  ///
  /// - Returns: the first 8 bytes of the payload.
  @inline(__always)
  mutating func free(_ slot: UInt32) -> UInt64 {
    generations[Int(slot)] &+= 1
    let place = payload(slot)
    let payload = place.loadUnaligned(as: UInt64.self)
    place.storeBytes(of: firstFree, as: UInt32.self)
    firstFree = slot
    return payload
  }

  /// Makes the handle and the record of a pending event stale, and gives its payload and priority to
  /// a new event: in the same slot, as long as that can be used.
  mutating func renew(_ handle: EventHandle) -> EventHandle {
    canRenewInPlace(handle) ? renewInPlace(handle) : move(handle)
  }

  /// Whether the slot can be used once more.
  @inline(__always)
  func canRenewInPlace(_ handle: EventHandle) -> Bool {
    // One less than the generation that no event is given.
    handle.tag & SlotReference.generationMask << 8 != (SlotReference.generationMask - 1) << 8
  }

  /// Makes the handle and the record stale, and gives the slot to a new event of the same priority.
  @inline(__always)
  mutating func renewInPlace(_ handle: EventHandle) -> EventHandle {
    generations[Int(handle.slot)] = Self.generation(handle) &+ 1
    return EventHandle(slot: handle.slot, tag: handle.tag &+ 0x100)
  }

  private mutating func move(_ handle: EventHandle) -> EventHandle {
    let new = take(priority: UInt8(truncatingIfNeeded: handle.tag), 0)
    payload(new.slot).copyMemory(from: payload(handle.slot), byteCount: stride)
    release(handle.slot)
    return new
  }

  /// Whether the generation is one that no event is given.
  private static func isUsedUp(_ generation: UInt32) -> Bool {
    generation & SlotReference.generationMask == SlotReference.generationMask
  }

  private mutating func rest(_ slot: UInt32) {
    if generations[Int(slot)] == .max, eras[slot] == SlotEras.last { return }
    payload(slot).storeBytes(of: firstResting, as: UInt32.self)
    firstResting = slot
    restingCount += 1
  }

  /// Makes the resting slots free; no stale record must be left.
  mutating func wake() {
    while firstResting != Self.none {
      let slot = firstResting
      firstResting = payload(slot).load(as: UInt32.self)
      if generations[Int(slot)] == .max { eras.begin(slot, capacity: capacity) }
      _ = free(slot)
    }
    restingCount = 0
  }

  // MARK: Reading

  /// Whether the handle's event is pending in this list.
  func isCurrent(_ handle: EventHandle) -> Bool {
    guard Int(handle.slot) < used else { return false }
    let difference = handle.tag ^ UInt32(generations[Int(handle.slot)]) << 8
    return difference >> 8 == UInt32(eras[handle.slot]) << 16
  }

  /// Whether the record's event was cancelled or rescheduled after the record was made.
  @inline(__always)
  func isStale(_ record: EventRecord) -> Bool {
    record.hasSlot && isStale(record.reference)
  }

  @inline(__always)
  private func isStale(_ reference: SlotReference) -> Bool { reader.difference(reference) != 0 }

  /// For one who looks at many slots, none of which is taken or given back meanwhile.
  @inline(__always)
  var reader: Reader { Reader(generations: generations, payloads: payloads, stride: stride) }

  struct Reader {
    fileprivate let generations: UnsafeMutablePointer<UInt16>
    fileprivate let payloads: UnsafeMutableRawPointer
    fileprivate let stride: Int

    /// 1 for a record that is not stale, 0 for one that is; calculated, not decided.
    ///
    /// Where many records are looked at, the processor does not wait for one slot before it asks for the
    /// next, if no jump depends on what it finds.
    @inline(__always)
    func liveCount(_ record: EventRecord, hasSlot: Bool) -> Int {
      hasSlot ? Int((difference(record.reference) &- 1) >> 31) : 1
    }

    /// 0 if the slot is still in the use that is referred to, otherwise a number below 64.
    @inline(__always)
    fileprivate func difference(_ reference: SlotReference) -> UInt32 {
      (UInt32(generations[Int(reference.slot)]) ^ reference.generation) & SlotReference.generationMask
    }

    /// Has the processor fetch what tells whether a record is stale.
    @inline(__always)
    func fetchGeneration(_ record: EventRecord) {
      prefetch(generations + Int(record.reference.slot))
    }

    /// Has the processor fetch the payload of a record, if its live count is 1 and not 0.
    @inline(__always)
    func fetchPayload(_ record: EventRecord, _ live: Int) {
      // For a stale one the first payload, instead of a jump that depends on it.
      prefetch(payloads + (Int(record.reference.slot) &* stride & (0 &- live)))
    }
  }

  /// Where the payload lies, 8 bytes at least, aligned to 4 bytes only.
  @inline(__always)
  func payload(_ slot: UInt32) -> UnsafeMutableRawPointer {
    payloads + Int(slot) &* stride
  }

  @inline(__always)
  private func handle(_ slot: UInt32, _ generation: UInt16, _ priority: UInt8) -> EventHandle {
    let generation = UInt32(eras[slot]) << 16 | UInt32(generation)
    return EventHandle(slot: slot, tag: generation << 8 | UInt32(priority))
  }

  /// The lower bits of the generation that a handle holds.
  @inline(__always)
  private static func generation(_ handle: EventHandle) -> UInt16 {
    UInt16(truncatingIfNeeded: handle.tag >> 8)
  }
}
