/// A binary heap that removes the smallest element first.
package struct MinHeap<Element: Comparable & Sendable>: Sendable {
  @usableFromInline package var elements: [Element] = []

  @inlinable
  package init() {}

  @inlinable package var count: Int { elements.count }

  /// The smallest element, or `nil` if the heap is empty.
  @inlinable package var first: Element? { elements.first }

  /// Inserts an element.
  ///
  /// - Complexity: O(log *n*)
  @inlinable
  package mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the smallest element.
  ///
  /// - Complexity: O(log *n*)
  @inlinable
  package mutating func popFirst() -> Element? {
    guard let first = elements.first else { return nil }
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in 2 * parent + 1...2 * parent + 2
      where child < elements.count && elements[child] < elements[least] {
        least = child
      }
      if least == parent { return first }
      elements.swapAt(parent, least)
      parent = least
    }
  }
}

extension MinHeap where Element: BitwiseCopyable {
  package mutating func pack(in parcel: inout Parcel) { parcel.carry(&elements) }
}

/// Operations on sorted arrays.
extension Array {
  /// Returns the index of the first element that does not satisfy the predicate. All elements that satisfy
  /// the predicate must precede the others.
  package func partition(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Sequence where Element: Hashable {
  /// The distinct elements, in the order of their first occurrence.
  ///
  /// - Complexity: O(n) in the number of elements.
  package var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// A property that makes the compiler pass a large value by address.
///
/// A nonmutating method receives `self` as a whole. If all stored properties have concrete types, each call
/// that is not inlined copies every byte to the stack. A value with an existential property can be passed
/// only by address. Add this property, which takes 32 bytes, to values of several hundred bytes with methods
/// on the hot path.
package struct PassedIndirectly: Sendable {
  private let nothing: (any Sendable)? = nil

  package init() {}
}

extension Array {
  /// Appends copies of an element until an index is valid.
  package mutating func grow(toHold index: Int, filling element: Element) {
    if index >= count { append(contentsOf: repeatElement(element, count: index + 1 - count)) }
  }
}
