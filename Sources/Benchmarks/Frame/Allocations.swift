import CAllocations

/// Exact counts of the requests for memory that the calling thread made.
enum Allocations {
  /// How many there were while `body` ran; nil where they cannot be counted (anywhere but on glibc).
  static func count(_ body: () throws -> Void) rethrows -> Int? {
    let before = allocation_count()
    try body()
    return before < 0 ? nil : Int(allocation_count() - before)
  }

  /// How many bytes more are in use when `body` has run than before, as the allocator of the first thread counts them;
  /// nil where they cannot be counted (anywhere but on glibc).
  static func bytes(_ body: () throws -> Void) rethrows -> Int? {
    let before = allocated_bytes()
    try body()
    return before < 0 ? nil : Int(allocated_bytes() - before)
  }
}
