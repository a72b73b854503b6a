import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file descriptor with one owner, which closes it.
struct Descriptor: ~Copyable {
  /// -1 when there is none, which poll(2) passes over.
  private(set) var number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { if number >= 0 { _ = close(number) } }

  var isOpen: Bool { number >= 0 }

  mutating func shut() { self = Descriptor(-1) }
}

/// Both ends of a pipe, which no other child inherits.
struct PipeEnds: ~Copyable {
  var reading: Descriptor
  var writing: Descriptor

  /// - Throws: The number of the error.
  init() throws(SystemError) {
    var ends: (Int32, Int32) = (-1, -1)
    let error = withUnsafeMutableBytes(of: &ends) {
      child_pipe($0.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    if error != 0 { throw SystemError(number: error) }
    reading = Descriptor(ends.0)
    writing = Descriptor(ends.1)
  }
}
