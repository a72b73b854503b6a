extension Array {
  /// Gives back the memory beyond what the elements need: of a list that is kept for long and not added to.
  ///
  /// - Complexity: O(n) where it is worth while, otherwise O(1)
  package mutating func fit() {
    // The allocator rounds up; what it adds is not to be had back.
    if capacity > count + 1 { self = map { $0 } }
  }
}
