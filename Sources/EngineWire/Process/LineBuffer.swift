#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Bytes that have come and are not read yet, cut into lines without copying them.
struct LineBuffer: ~Copyable {
  /// How many bytes one read takes at most: what a pipe holds on Linux.
  static let chunk = 65_536

  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity = LineBuffer.chunk
  private var start = 0
  /// Before it there is no line end.
  private var searched = 0
  private var end = 0

  init() { storage = .allocate(capacity: capacity) }

  deinit { storage.deallocate() }

  /// How many bytes wait.
  var count: Int { end - start }

  /// Takes the next line out, without its LF or CRLF; nil while none is complete.
  ///
  /// The bytes stay until ``room()`` is called.
  ///
  /// - Complexity: O(bytes that are looked at for the first time)
  mutating func nextLine() -> UnsafeBufferPointer<UInt8>? {
    guard searched < end, let found = memchr(storage + searched, 0x0A, end - searched) else {
      searched = end
      return nil
    }
    let first = start
    let newline = found.assumingMemoryBound(to: UInt8.self) - storage
    start = newline + 1
    searched = start
    let last = newline > first && storage[newline - 1] == 0x0D ? newline - 1 : newline
    return UnsafeBufferPointer(start: storage + first, count: last - first)
  }

  /// Room for a chunk behind what waits; ``add(_:)`` says how much of it was filled.
  mutating func room() -> UnsafeMutableRawPointer {
    if start == end {
      (start, searched, end) = (0, 0, 0)
    } else if capacity - end < Self.chunk {
      let waiting = count
      if waiting + Self.chunk > capacity {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        memcpy(larger, storage + start, waiting)
        storage.deallocate()
        storage = larger
        capacity *= 2
      } else {
        memmove(storage, storage + start, waiting)
      }
      (start, searched, end) = (0, searched - start, waiting)
    }
    return UnsafeMutableRawPointer(storage + end)
  }

  mutating func add(_ count: Int) { end += count }

  /// Calls the body with all that waits.
  func withWaiting<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: storage + start, count: count))
  }
}
