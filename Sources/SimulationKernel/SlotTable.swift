import CPrefetch

/// One use of a slot, in 31 bits: a record's reference to its event.
///
/// It contains only the lowest bits of the slot's generation, which suffice to recognise a stale record: see
/// `SlotTable`.
struct SlotReference: BitwiseCopyable {
  var bits: UInt32

  /// Slots are numbered with 25 bits.
  static let slotBits: UInt32 = 25
  static let slotMask = UInt32(1) << slotBits - 1
  /// The bits of a generation that fit into a reference.
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

/// The payloads of events that can be cancelled or are too large for a record, and the generations that make
/// handles safe.
///
/// A slot has a payload and a generation of 24 bits, which every use of the slot increments. A handle
/// contains the generation of its time and is stale once the slot's differs. A slot can therefore be reused
/// while stale handles and records refer to it. Free slots form a list through their payloads.
///
/// The lower 16 bits of all generations are stored together, after all payloads. A caller that only checks
/// whether many events in random order are pending reads 2 bytes of each from memory that fits into caches.
/// The upper bits are `SlotEras`, which take no memory until a slot needs them.
///
/// A record has room for the lowest 6 bits of the generation. To prevent confusion, a slot whose 6 bits have
/// reached their last value, which no event is ever given, rests until the list has no stale records. A slot
/// whose 24 bits have reached it is never used again: 11 bytes for an 8-byte payload are lost in 16.5 million
/// uses of that slot.
struct SlotTable: ~Copyable {
  /// The payloads up to the capacity, followed by the generations.
  private var payloads: UnsafeMutableRawPointer
  private var generations: UnsafeMutablePointer<UInt16>
  private var eras = SlotEras()
  private(set) var capacity: Int
  /// The number of slots that were used at least once.
  private var used = 0
  private var firstFree = SlotTable.none
  private var firstResting = SlotTable.none
  private(set) var restingCount = 0
  /// The distance of payloads in bytes, a multiple of 4. A free slot contains the number of the next one.
  private let stride: Int

  private static let none = UInt32.max

  /// Creates a table that allocates no memory before its first use.
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

  /// The allocated bytes.
  var byteCount: Int { Self.byteCount(stride, capacity) + eras.byteCount }

  /// Whether the table is too large for the processor's caches.
  var isLarge: Bool { capacity > 16_384 }

  // MARK: Taking and giving back

  /// Takes a slot for a new event and stores the first 8 bytes of its payload.
  mutating func take(priority: UInt8, _ payload: UInt64) -> EventHandle {
    if let handle = takeFree(priority: priority, payload) { return handle }
    let handle = takeUnused(priority: priority)
    self.payload(handle.slot).storeBytes(of: payload, as: UInt64.self)
    return handle
  }

  /// The same if a used slot is free, otherwise returns `nil`.
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
    // The generations do not all begin at 0: otherwise slots that are used equally often would rest at the
    // same time.
    let generation = UInt16(slot % (SlotReference.generationMask / 2))
    generations[Int(slot)] = generation
    return handle(slot, generation, priority)
  }

  /// Doubles a small table and adds a sixteenth to a large one, in which unused entries would matter.
  private mutating func grow() {
    precondition(used <= Int(SlotReference.slotMask), "more than 33,554,432 events that can be cancelled")
    var larger = SlotTable(
      stride: stride, capacity: capacity < 1_024 ? max(16, capacity * 2) : capacity + capacity / 16)
    larger.adopt(self)
    self = larger
  }

  /// Makes the handle and the record of a pending event stale and frees its slot.
  ///
  /// - Returns: Whether the slot was freed. If not, it rests.
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

  /// Returns whether the reference is current and the slot is free after this use.
  @inline(__always)
  func isFreedByRelease(_ reference: SlotReference) -> Bool {
    !isStale(reference) && !Self.isUsedUp(reference.generation &+ 1)
  }

  /// Makes the handle and the record of a pending event stale and frees its slot. Requires
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

  /// Makes the handle and the record of a pending event stale, and gives its payload and priority to a new
  /// event, in the same slot if possible.
  mutating func renew(_ handle: EventHandle) -> EventHandle {
    canRenewInPlace(handle) ? renewInPlace(handle) : move(handle)
  }

  /// Whether the slot can be used again.
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

  /// Whether no event is given this generation.
  private static func isUsedUp(_ generation: UInt32) -> Bool {
    generation & SlotReference.generationMask == SlotReference.generationMask
  }

  private mutating func rest(_ slot: UInt32) {
    if generations[Int(slot)] == .max, eras[slot] == SlotEras.last { return }
    payload(slot).storeBytes(of: firstResting, as: UInt32.self)
    firstResting = slot
    restingCount += 1
  }

  /// Frees the resting slots. The list must have no stale records.
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

  /// Whether the record's event was cancelled or rescheduled after the record was created.
  @inline(__always)
  func isStale(_ record: EventRecord) -> Bool {
    record.hasSlot && isStale(record.reference)
  }

  @inline(__always)
  private func isStale(_ reference: SlotReference) -> Bool { reader.difference(reference) != 0 }

  /// Reads many slots. None may be taken or released meanwhile.
  @inline(__always)
  var reader: Reader { Reader(generations: generations, payloads: payloads, stride: stride) }

  struct Reader {
    fileprivate let generations: UnsafeMutablePointer<UInt16>
    fileprivate let payloads: UnsafeMutableRawPointer
    fileprivate let stride: Int

    /// Returns 1 for a live record and 0 for a stale one, without a branch.
    ///
    /// When many records are checked, the processor does not wait for one slot before it requests the next,
    /// because no branch depends on the result.
    @inline(__always)
    func liveCount(_ record: EventRecord, hasSlot: Bool) -> Int {
      hasSlot ? Int((difference(record.reference) &- 1) >> 31) : 1
    }

    /// Returns 0 if the reference is current, otherwise a number below 64.
    @inline(__always)
    fileprivate func difference(_ reference: SlotReference) -> UInt32 {
      (UInt32(generations[Int(reference.slot)]) ^ reference.generation) & SlotReference.generationMask
    }

    /// Prefetches what determines whether a record is stale.
    @inline(__always)
    func fetchGeneration(_ record: EventRecord) {
      prefetch(generations + Int(record.reference.slot))
    }

    /// Prefetches the payload of a record if its live count is 1.
    @inline(__always)
    func fetchPayload(_ record: EventRecord, _ live: Int) {
      // For a stale record this fetches the first payload, to avoid a branch.
      prefetch(payloads + (Int(record.reference.slot) &* stride & (0 &- live)))
    }
  }

  /// Returns the address of a payload of at least 8 bytes, aligned to 4 bytes only.
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

/// The number of times that the generations of each slot have wrapped, in lists in which any have.
///
/// The main part of a slot's generation has 16 bits, so that those of many slots fit into the processor's
/// caches. Few lists use a slot so often that these do not suffice.
struct SlotEras: ~Copyable {
  /// `nil` as long as all are 0.
  private var eras: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  static let last = UInt8.max

  deinit {
    eras?.deallocate()
  }

  /// Returns a copy with a capacity that is not smaller than before.
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

  /// The number of times that the slot's generations have wrapped.
  @inline(__always)
  subscript(slot: UInt32) -> UInt8 {
    guard let eras else { return 0 }
    return eras[Int(slot)]
  }

  /// Records that the slot's generations wrap, in a table with this capacity.
  mutating func begin(_ slot: UInt32, capacity: Int) {
    if eras == nil { allocate(capacity) }
    eras?[Int(slot)] += 1
  }
}
