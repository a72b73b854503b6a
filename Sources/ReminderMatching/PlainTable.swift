/// Plain values side by side, reached without reference counting or uniqueness checks: what the hot path
/// reads and writes. Positions are checked in debug builds only.
///
/// A table is a pointer, not a value: whoever makes it, frees it. ``ReminderProgram`` owns tables that
/// never change, ``MatcherState`` those that do; nothing else makes any.
struct PlainTable<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(_ elements: some Collection<Element>) {
    count = elements.count
    base = .allocate(capacity: count)
    _ = UnsafeMutableBufferPointer(start: base, count: count).initialize(from: elements)
  }

  init(copying other: Self) {
    count = other.count
    base = .allocate(capacity: count)
    base.initialize(from: other.base, count: count)
  }

  func deallocate() { base.deallocate() }

  var bytes: Int { count * MemoryLayout<Element>.stride }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count, "position in a table")
      return base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < count, "position in a table")
      base[index] = newValue
    }
  }
}
