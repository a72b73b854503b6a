/// How often the generations of each slot have begun anew, in a list in which those of any have.
///
/// A slot's generation has 16 bits where all are looked at, so that those of many slots fit into the memory
/// next to the processor. Hardly a list uses a slot so often that these do not suffice.
struct SlotEras: ~Copyable {
  /// Nil as long as all are 0.
  private var eras: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  static let last = UInt8.max

  deinit {
    eras?.deallocate()
  }

  /// The same with room for so many slots, which are not fewer than before.
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

  /// How often the slot's generations have begun anew.
  @inline(__always)
  subscript(slot: UInt32) -> UInt8 {
    guard let eras else { return 0 }
    return eras[Int(slot)]
  }

  /// The slot's generations begin anew, in a table with room for so many.
  mutating func begin(_ slot: UInt32, capacity: Int) {
    if eras == nil { allocate(capacity) }
    eras?[Int(slot)] += 1
  }
}
