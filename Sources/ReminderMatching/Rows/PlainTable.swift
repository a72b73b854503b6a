/// Plain values side by side, reached without reference counting or uniqueness checks: what the hot path
/// reads and writes. Positions are checked in debug builds only.
///
/// A table is a pointer, not a value: whoever makes it, frees it. A program of reminders owns tables that
/// change when reminders are added to it, the state of a matcher those that do; nothing else makes any.
public struct PlainTable<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// Of the first element; ``count`` of them may be read.
  public let base: UnsafeMutablePointer<Element>
  /// How many there are, and for how many there is memory: in four bytes each, for an engine is copied with its tables.
  @usableFromInline var size: UInt32
  @usableFromInline var room: UInt32

  /// How many elements may be read.
  @inline(__always)
  @inlinable public var count: Int { Int(size) }

  @inlinable
  init(room: Int, count: Int) {
    self.room = UInt32(room)
    size = UInt32(count)
    base = .allocate(capacity: room)
  }

  /// A table of its own of these elements, with no room for more.
  @inlinable
  public init(_ elements: some Collection<Element>) {
    self.init(room: elements.count, count: elements.count)
    _ = UnsafeMutableBufferPointer(start: base, count: count).initialize(from: elements)
  }

  /// A table of its own with the same elements, with no room for more.
  @inlinable
  public init(copying other: Self) {
    self.init(room: other.count, count: other.count)
    base.initialize(from: other.base, count: count)
  }

  /// A copy with room for at least so many, each `element` where the other table has none; if it must grow, then
  /// by so much that it seldom does.
  @inlinable
  public init(copying other: Self, atLeast count: Int, filling element: Element) {
    let room = count <= other.count ? other.count : count + count / 2 + 8
    self.init(room: room, count: room)
    base.initialize(from: other.base, count: other.count)
    (base + other.count).initialize(repeating: element, count: room - other.count)
  }

  /// Whoever holds a copy of the table must take a new one.
  @inlinable
  public mutating func append(_ element: Element) { append(repeating: element, count: 1) }

  /// As ``append(_:)``, so many times.
  @inlinable
  public mutating func append(repeating element: Element, count more: Int) {
    if count + more > Int(room) {
      let larger = Self(room: count + more + (count + more) / 2 + 8, count: count)
      larger.base.initialize(from: base, count: count)
      base.deallocate()
      self = larger
    }
    (base + count).initialize(repeating: element, count: more)
    size += UInt32(more)
  }

  /// Puts an element before others of a range; the one behind the range is lost.
  @inlinable
  public func insert(_ element: Element, at position: Int, before end: Int) {
    (base + position + 1).update(from: base + position, count: end - position)
    base[position] = element
  }

  /// Copies elements to another place of the table.
  @inlinable
  public func copy(_ more: Int, from start: Int, to end: Int) {
    (base + end).update(from: base + start, count: more)
  }

  /// Frees the memory: no copy of the table may be used after that.
  @inlinable
  public func deallocate() { base.deallocate() }

  /// Of the elements that there are.
  @inlinable
  public var bytes: Int { count * MemoryLayout<Element>.stride }

  /// - Parameter index: 0 ..< ``count``
  @inline(__always)
  @inlinable
  public subscript(index: Int) -> Element {
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
