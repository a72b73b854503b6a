/// Lists that are kept in order.
extension Array {
  /// The first position whose element does not come before, in a list in which those that do stand first.
  func partition(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

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
