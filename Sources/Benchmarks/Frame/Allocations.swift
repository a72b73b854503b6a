import CAllocations

/// Exact counts of the requests for memory that the calling thread made.
enum Allocations {
  /// How many there were while `body` ran; nil where they cannot be counted (anywhere but on glibc).
  static func count(_ body: () throws -> Void) rethrows -> Int? {
    let before = allocation_count()
    try body()
    return before < 0 ? nil : Int(allocation_count() - before)
  }
}
