import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lines that come on a descriptor, such as standard input, until its end.
package struct LineInput: ~Copyable {
  private let descriptor: Int32
  private let lineBytes: Int
  private var buffer = LineBuffer()
  private var linesRead = 0

  /// - Parameters:
  ///   - descriptor: Stays open, and is to block.
  ///   - lineBytes: Bytes of the longest line, without its end.
  package init(_ descriptor: Int32, lineBytes: Int = LineProcess.Limits().lineBytes) {
    self.descriptor = descriptor
    self.lineBytes = lineBytes
  }

  /// The next of the lines that have come, without its LF or CRLF; nil: none is complete.
  ///
  /// The bytes are those of the buffer; they stay until ``hasMore()``.
  package mutating func nextLine() throws(LineProblem) -> UnsafeBufferPointer<UInt8>? {
    let line = buffer.nextLine()
    if line?.count ?? buffer.count > lineBytes {
      throw LineProblem(
        line: linesRead + 1, message: "more than \(lineBytes) bytes; end each line with a line feed")
    }
    if line != nil { linesRead += 1 }
    return line
  }

  /// Waits for more; false at the end. What comes last is a line without a line feed, too.
  ///
  /// Looks for it for some 20 µs before sleeping: who asks again soon does so before a process that sleeps can be
  /// woken. Whoever else wants to run goes first.
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

/// What came in a line, and cannot be used; or why no more comes.
package struct LineProblem: Error, CustomStringConvertible {
  /// Counted from 1.
  package var line: Int
  package var message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }
}
