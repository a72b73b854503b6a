/// Elements of which the least is taken first: a binary heap.
package struct MinHeap<Element: Comparable & Sendable>: Sendable {
  @usableFromInline package var elements: [Element] = []

  @inlinable
  package init() {}

  @inlinable package var count: Int { elements.count }

  /// The least.
  @inlinable package var first: Element? { elements.first }

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

  /// Takes the least out.
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
