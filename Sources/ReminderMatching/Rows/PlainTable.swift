package import TriggerModel

/// A contiguous table of plain values for the hot path. Access takes no reference counting and no check for
/// uniqueness. Positions are checked only in debug builds.
///
/// A table is a pointer and not a value, so its owner must deallocate it. Only programs and the states of
/// matchers own tables.
public struct PlainTable<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// The first of ``count`` elements.
  public let base: UnsafeMutablePointer<Element>
  /// The number of elements. It takes only four bytes, as does the capacity, because every copy of an engine
  /// contains all tables.
  @usableFromInline var size: UInt32
  @usableFromInline var room: UInt32

  /// The number of elements.
  @inline(__always)
  @inlinable public var count: Int { Int(size) }

  @inlinable
  init(room: Int, count: Int) {
    self.room = UInt32(room)
    size = UInt32(count)
    base = .allocate(capacity: room)
  }

  /// Creates a table of these elements without spare capacity.
  @inlinable
  public init(_ elements: some Collection<Element>) {
    self.init(room: elements.count, count: elements.count)
    _ = UnsafeMutableBufferPointer(start: base, count: count).initialize(from: elements)
  }

  /// Creates a copy of a table without spare capacity.
  @inlinable
  public init(copying other: Self) {
    self.init(room: other.count, count: other.count)
    base.initialize(from: other.base, count: count)
  }

  /// Creates a copy with at least `count` elements. New elements equal `element`. If elements must be added,
  /// half as many again are added as a reserve.
  @inlinable
  public init(copying other: Self, atLeast count: Int, filling element: Element) {
    let room = count <= other.count ? other.count : count + count / 2 + 8
    self.init(room: room, count: room)
    base.initialize(from: other.base, count: other.count)
    (base + other.count).initialize(repeating: element, count: room - other.count)
  }

  /// Appends an element, which invalidates copies of the table.
  @inlinable
  public mutating func append(_ element: Element) { append(repeating: element, count: 1) }

  /// Appends an element several times, like ``append(_:)``.
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

  /// Inserts an element and moves the elements before `end` by one position. The element at `end` is
  /// overwritten.
  @inlinable
  public func insert(_ element: Element, at position: Int, before end: Int) {
    (base + position + 1).update(from: base + position, count: end - position)
    base[position] = element
  }

  /// Copies elements within the table.
  @inlinable
  public func copy(_ more: Int, from start: Int, to end: Int) {
    (base + end).update(from: base + start, count: more)
  }

  /// Deallocates the memory, which invalidates all copies of the table.
  @inlinable
  public func deallocate() { base.deallocate() }

  /// The size of the elements in bytes.
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

extension PlainTable {
  /// Packs or unpacks the elements, like ``TriggerModel/Packable/pack(in:)``. Unpacking overwrites the
  /// elements in place and does not allocate memory.
  package func pack(in parcel: inout Parcel) {
    var elements = parcel.isUnpacking ? [] : Array(UnsafeBufferPointer(start: base, count: count))
    parcel.carry(&elements)
    if !parcel.isUnpacking { return }
    // If reminders were added, either table may have more elements than the other.
    for index in 0..<min(count, elements.count) { self[index] = elements[index] }
  }
}
