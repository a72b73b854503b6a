import CPrefetch

/// A 31-bit reference from a record to the slot of its event.
///
/// The reference contains only the lowest bits of the slot's generation. They suffice to recognise a stale
/// record, as ``SlotTable`` explains.
struct SlotReference: BitwiseCopyable {
  var bits: UInt32

  /// The number of bits of a slot's number.
  static let slotBits: UInt32 = 25
  static let slotMask = UInt32(1) << slotBits - 1
  /// The bits of a generation that a reference contains.
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

/// The payloads of events that are cancellable, or that do not fit into a record. Each slot has a generation,
/// which makes handles safe.
///
/// A slot has a payload and a 24-bit generation, which increases with every use of the slot. A handle
/// contains the generation that the slot had when the handle was created. It is stale if the slot's
/// generation differs. A slot can therefore be reused while stale handles and records still refer to it. Free
/// slots form a linked list in the memory of their payloads.
///
/// The lower 16 bits of all generations are stored together, after all payloads. A check for pending events
/// then reads only 2 bytes per event, from memory that fits into the caches. The upper bits are in
/// ``SlotEras``, which allocates no memory until a slot needs them.
///
/// A record contains only the lowest 6 bits of the generation. No event uses the last value of these bits. A
/// slot that reaches it *rests*: it is not used again until the list has no stale records. A slot that
/// reaches the last value of all 24 bits is never used again. With 8-byte payloads, this costs 11 bytes for
/// every 16.5 million uses of a slot.
struct SlotTable: ~Copyable {
  /// The payloads up to the capacity, followed by the lower bits of the generations.
  private var payloads: UnsafeMutableRawPointer
  private var generations: UnsafeMutablePointer<UInt16>
  private var eras = SlotEras()
  private(set) var capacity: Int
  /// The number of slots that have ever been used.
  private var used = 0
  private var firstFree = SlotTable.none
  private var firstResting = SlotTable.none
  private(set) var restingCount = 0
  /// The distance between payloads in bytes, a multiple of 4. The payload memory of a free slot contains the
  /// number of the next free slot.
  private let stride: Int

  private static let none = UInt32.max

  /// Creates a table that allocates memory on first use.
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

  /// The number of allocated bytes.
  var byteCount: Int { Self.byteCount(stride, capacity) + eras.byteCount }

  /// Whether the table is too large for the processor's caches.
  var isLarge: Bool { capacity > 16_384 }

  // MARK: Taking and releasing

  /// Takes a slot for a new event and stores the first 8 bytes of its payload.
  mutating func take(priority: UInt8, _ payload: UInt64) -> EventHandle {
    if let handle = takeFree(priority: priority, payload) { return handle }
    let handle = takeUnused(priority: priority)
    self.payload(handle.slot).storeBytes(of: payload, as: UInt64.self)
    return handle
  }

  /// Takes a slot that was used before and stores the first 8 bytes of a payload, or returns `nil` if no slot
  /// is free.
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
    // Slots start with different generations, so that slots with equal numbers of uses do not all rest at the
    // same time.
    let generation = UInt16(slot % (SlotReference.generationMask / 2))
    generations[Int(slot)] = generation
    return handle(slot, generation, priority)
  }

  /// Doubles a small table. Enlarges a large table by a sixteenth, because its unused entries would take much
  /// memory.
  private mutating func grow() {
    precondition(used <= Int(SlotReference.slotMask), "more than 33,554,432 events that can be cancelled")
    var larger = SlotTable(
      stride: stride, capacity: capacity < 1_024 ? max(16, capacity * 2) : capacity + capacity / 16)
    larger.adopt(self)
    self = larger
  }

  /// Releases the slot of a pending event, and makes the event's handle and record stale.
  ///
  /// - Returns: Whether the slot is free. If not, it rests.
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

  /// Returns whether the reference is current and releasing it frees the slot.
  @inline(__always)
  func isFreedByRelease(_ reference: SlotReference) -> Bool {
    !isStale(reference) && !Self.isUsedUp(reference.generation &+ 1)
  }

  /// Frees the slot of a pending event, and makes the event's handle and record stale. Requires
  /// `isFreedByRelease`.
  ///
  /// - Returns: The first 8 bytes of the payload.
  @inline(__always)
  mutating func free(_ slot: UInt32) -> UInt64 {
    generations[Int(slot)] &+= 1
    let place = payload(slot)
    let payload = place.loadUnaligned(as: UInt64.self)
    place.storeBytes(of: firstFree, as: UInt32.self)
    firstFree = slot
    return payload
  }

  /// Makes the handle and the record of a pending event stale, and moves its payload and priority to a new
  /// event. The new event has the same slot if possible.
  mutating func renew(_ handle: EventHandle) -> EventHandle {
    canRenewInPlace(handle) ? renewInPlace(handle) : move(handle)
  }

  /// Returns whether the new event can have the same slot.
  @inline(__always)
  func canRenewInPlace(_ handle: EventHandle) -> Bool {
    // The next generation must not be the reserved one.
    handle.tag & SlotReference.generationMask << 8 != (SlotReference.generationMask - 1) << 8
  }

  /// Makes the handle and its record stale, and uses the slot for a new event of the same priority.
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

  /// Returns whether no event uses this generation, because it is reserved.
  private static func isUsedUp(_ generation: UInt32) -> Bool {
    generation & SlotReference.generationMask == SlotReference.generationMask
  }

  private mutating func rest(_ slot: UInt32) {
    if generations[Int(slot)] == .max, eras[slot] == SlotEras.last { return }
    payload(slot).storeBytes(of: firstResting, as: UInt32.self)
    firstResting = slot
    restingCount += 1
  }

  /// Frees all resting slots. The list must have no stale records.
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

  /// Returns whether the handle's event is pending in this list.
  func isCurrent(_ handle: EventHandle) -> Bool {
    guard Int(handle.slot) < used else { return false }
    let difference = handle.tag ^ UInt32(generations[Int(handle.slot)]) << 8
    return difference >> 8 == UInt32(eras[handle.slot]) << 16
  }

  /// Returns whether the record's event was cancelled or rescheduled after the record was created.
  @inline(__always)
  func isStale(_ record: EventRecord) -> Bool {
    record.hasSlot && isStale(record.reference)
  }

  @inline(__always)
  private func isStale(_ reference: SlotReference) -> Bool { reader.difference(reference) != 0 }

  /// A reader for checking many slots. Do not take or release slots while it is in use.
  @inline(__always)
  var reader: Reader { Reader(generations: generations, payloads: payloads, stride: stride) }

  struct Reader {
    fileprivate let generations: UnsafeMutablePointer<UInt16>
    fileprivate let payloads: UnsafeMutableRawPointer
    fileprivate let stride: Int

    /// Returns 1 for a live record and 0 for a stale one, without a branch.
    ///
    /// Because no branch depends on the slot, the processor can fetch many slots at the same time.
    @inline(__always)
    func liveCount(_ record: EventRecord, hasSlot: Bool) -> Int {
      hasSlot ? Int((difference(record.reference) &- 1) >> 31) : 1
    }

    /// Returns 0 if the reference is current, otherwise a number below 64.
    @inline(__always)
    fileprivate func difference(_ reference: SlotReference) -> UInt32 {
      (UInt32(generations[Int(reference.slot)]) ^ reference.generation) & SlotReference.generationMask
    }

    /// Prefetches the generation that determines whether a record is stale.
    @inline(__always)
    func fetchGeneration(_ record: EventRecord) {
      prefetch(generations + Int(record.reference.slot))
    }

    /// Prefetches the payload of a record if `live` is 1.
    @inline(__always)
    func fetchPayload(_ record: EventRecord, _ live: Int) {
      // For a stale record, this prefetches the table's first payload, which is cheaper than a branch.
      prefetch(payloads + (Int(record.reference.slot) &* stride & (0 &- live)))
    }
  }

  /// Returns the address of a slot's payload. It has at least 8 bytes and is aligned to 4 bytes.
  @inline(__always)
  func payload(_ slot: UInt32) -> UnsafeMutableRawPointer {
    payloads + Int(slot) &* stride
  }

  @inline(__always)
  private func handle(_ slot: UInt32, _ generation: UInt16, _ priority: UInt8) -> EventHandle {
    let generation = UInt32(eras[slot]) << 16 | UInt32(generation)
    return EventHandle(slot: slot, tag: generation << 8 | UInt32(priority))
  }

  /// Returns the lower bits of a handle's generation.
  @inline(__always)
  private static func generation(_ handle: EventHandle) -> UInt16 {
    UInt16(truncatingIfNeeded: handle.tag >> 8)
  }
}

/// The number of times that each slot's 16-bit generation has wrapped.
///
/// The counts are stored apart from the lower 16 bits, so that the lower bits of many slots fit into the
/// processor's caches. In few lists is a slot used so often that its lower bits wrap.
struct SlotEras: ~Copyable {
  /// The counters, or `nil` while all are 0.
  private var eras: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  static let last = UInt8.max

  deinit {
    eras?.deallocate()
  }

  /// Returns a copy with the given capacity, which must not be smaller than this one's.
  func copy(capacity: Int) -> SlotEras {
    var copy = SlotEras()
    guard let eras else { return copy }
    copy.allocate(capacity)
    copy.eras?.update(from: eras, count: self.capacity)
    return copy
  }

  private mutating func allocate(_ capacity: Int) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    memory.initialize(repeating: 0, count: capacity)
    (eras, self.capacity) = (memory, capacity)
  }

  var byteCount: Int { capacity }

  /// The number of times that the slot's 16-bit generation has wrapped.
  @inline(__always)
  subscript(slot: UInt32) -> UInt8 {
    guard let eras else { return 0 }
    return eras[Int(slot)]
  }

  /// Records that the 16-bit generation of a slot wraps. Allocates counters for `capacity` slots if there are
  /// none.
  mutating func begin(_ slot: UInt32, capacity: Int) {
    if eras == nil { allocate(capacity) }
    eras?[Int(slot)] += 1
  }
}
