import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A buffer of received bytes that have not been read yet. It splits them into lines without copying.
struct LineBuffer: ~Copyable {
  /// The maximum number of bytes per read, which is the capacity of a pipe on Linux.
  static let chunk = 65_536

  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity = LineBuffer.chunk
  private var start = 0
  /// The position before which the unread bytes contain no line end.
  private var searched = 0
  private var end = 0

  init() { storage = .allocate(capacity: capacity) }

  deinit { storage.deallocate() }

  /// The number of unread bytes.
  var count: Int { end - start }

  /// Returns the next line without its LF or CRLF, or `nil` if there is no complete line.
  ///
  /// The bytes are valid until the next call of ``room()``.
  ///
  /// - Complexity: O(n) in the number of bytes that have not been searched yet.
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

  /// Returns space for a chunk after the unread bytes. Write to it, and then call ``add(_:)`` with the number
  /// of bytes.
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

  /// Calls the body with all unread bytes.
  func withWaiting<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    body(UnsafeBufferPointer(start: storage + start, count: count))
  }
}

/// Reads the lines of a descriptor, such as standard input, until its end.
package struct LineInput: ~Copyable {
  private let descriptor: Int32
  private let lineBytes: Int
  private var buffer = LineBuffer()
  private var linesRead = 0

  /// - Parameters:
  ///   - descriptor: A blocking descriptor, which is not closed.
  ///   - lineBytes: The maximum length of a line in bytes, excluding the line end.
  package init(_ descriptor: Int32, lineBytes: Int = LineProcess.Limits().lineBytes) {
    self.descriptor = descriptor
    self.lineBytes = lineBytes
  }

  /// Returns the next received line without its LF or CRLF, or `nil` if there is no complete line.
  ///
  /// The bytes belong to the buffer and are valid until the next call of ``hasMore()``.
  package mutating func nextLine() throws(LineProblem) -> UnsafeBufferPointer<UInt8>? {
    let line = buffer.nextLine()
    if line?.count ?? buffer.count > lineBytes {
      throw LineProblem(
        line: linesRead + 1, message: "more than \(lineBytes) bytes; end each line with a line feed")
    }
    if line != nil { linesRead += 1 }
    return line
  }

  /// Waits for more input. Returns `false` at the end of the input. The last line may lack a line feed.
  ///
  /// Polls for about 20 µs before it sleeps, because a fast counterpart answers before a sleeping process
  /// could be woken. Yields to other threads between polls.
  package mutating func hasMore() throws(LineProblem) -> Bool {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    for _ in 0..<40 where poll(&input, 1, 0) == 0 { sched_yield() }
    let count = child_read(descriptor, buffer.room(), LineBuffer.chunk)
    if count > 0 {
      buffer.add(count)
      return true
    }
    guard count == 0 else {
      throw LineProblem(
        line: linesRead + 1, message: "it cannot be read: \(String(cString: strerror(Int32(-count))))")
    }
    if buffer.count == 0 { return false }
    buffer.room().storeBytes(of: 0x0A, as: UInt8.self)
    buffer.add(1)
    return true
  }
}

/// An invalid line, or the reason why no further line can be read.
package struct LineProblem: Error, CustomStringConvertible {
  /// The line number, counted from 1.
  package var line: Int
  package var message: String

  package var description: String { "line \(line): \(message)" }
}
