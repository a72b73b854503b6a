/// Plain values side by side, reached without reference counting or uniqueness checks: what the hot path
/// reads and writes. Positions are checked in debug builds only.
///
/// A table is a pointer, not a value: whoever makes it, frees it. ``ReminderProgram`` owns tables that
/// change when reminders are added to it, ``MatcherState`` those that do; nothing else makes any.
struct PlainTable<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count: Int
  /// For so many there is memory.
  private var room: Int

  init(_ elements: some Collection<Element>) {
    count = elements.count
    room = count
    base = .allocate(capacity: count)
    _ = UnsafeMutableBufferPointer(start: base, count: count).initialize(from: elements)
  }

  init(copying other: Self) {
    count = other.count
    room = count
    base = .allocate(capacity: count)
    base.initialize(from: other.base, count: count)
  }

  /// A copy with room for at least so many, each `element` where the other table has none; if it must grow, then
  /// by so much that it seldom does.
  init(copying other: Self, atLeast count: Int, filling element: Element) {
    self.count = count <= other.count ? other.count : count + count / 2 + 8
    room = self.count
    base = .allocate(capacity: room)
    base.initialize(from: other.base, count: other.count)
    (base + other.count).initialize(repeating: element, count: self.count - other.count)
  }

  /// Whoever holds a copy of the table must take a new one.
  mutating func append(_ element: Element) { append(repeating: element, count: 1) }

  mutating func append(repeating element: Element, count more: Int) {
    if count + more > room {
      room = count + more + (count + more) / 2 + 8
      let larger = UnsafeMutablePointer<Element>.allocate(capacity: room)
      larger.initialize(from: base, count: count)
      base.deallocate()
      base = larger
    }
    (base + count).initialize(repeating: element, count: more)
    count += more
  }

  /// Puts an element before others of a range; the one behind the range is lost.
  func insert(_ element: Element, at position: Int, before end: Int) {
    (base + position + 1).update(from: base + position, count: end - position)
    base[position] = element
  }

  /// Copies elements to another place of the table.
  func copy(_ more: Int, from start: Int, to end: Int) {
    (base + end).update(from: base + start, count: more)
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
