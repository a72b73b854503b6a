import TriggerModel

/// Lists that are kept in order.
extension Array where Element: Comparable {
  /// Puts an element in its place of a list in order, unless it is there.
  mutating func insertSorted(_ element: Element) {
    let position = partition { $0 < element }
    if position == count || self[position] != element { insert(element, at: position) }
  }

  mutating func removeSorted(_ element: Element) {
    let position = partition { $0 < element }
    if position < count, self[position] == element { remove(at: position) }
  }
}
