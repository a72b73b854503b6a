/// Lists that are kept in order.
extension Array {
  /// The first position whose element does not come before, in a list in which those that do stand first.
  package func partition(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
