import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LineProcess {
  /// Writes a line; its end is added.
  ///
  /// - Parameter line: Without line ends.
  package func write(line: String, deadline: Deadline) throws(EngineProcessError) {
    var bytes = Array(line.utf8)
    bytes.append(0x0A)
    try write(bytes, deadline: deadline)
  }

  /// Writes bytes as they are: whole lines with their ends.
  package func write(_ bytes: [UInt8], deadline: Deadline) throws(EngineProcessError) {
    try bytes.withUnsafeBufferPointer { buffer throws(EngineProcessError) in
      try write(buffer, deadline: deadline)
    }
  }

  /// Writes bytes as they are, without copying them: whole lines with their ends.
  ///
  /// A process that does not read because it is busy writing is listened to meanwhile, so that the two never
  /// wait for each other; what it says waits for ``nextLine(deadline:)``.
  ///
  /// - Throws: What the process did instead of reading. Nothing can be written after that: it may have read
  ///   half a line.
  package func write(
    _ bytes: UnsafeBufferPointer<UInt8>, deadline: Deadline
  ) throws(EngineProcessError) {
    if let failed { throw failed }
    answered = 0
    var rest = UnsafeRawBufferPointer(bytes)
    var isPatient = false
    while !rest.isEmpty {
      let count = child_write(input.number, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if count != -Int(EAGAIN) {
        throw hungUp()
      }
      if rest.isEmpty { return }
      let left = left(until: deadline)
      let ready = wait(for: .input, nanoseconds: left, isPatient: isPatient)
      if ready.contains(.errors) { drainErrors(atMost: 1) }
      if ready.contains(.output) { try takeAside() }
      if !ready.contains(.input), endingByNow() != nil { throw hungUp() }
      // Also for one who reads a little now and then.
      if left == 0 {
        throw fail(
          .timedOut, "has not read its input within \(deadline.limit)",
          remedy: "let it read each line before it works on it, or allow more time")
      }
      isPatient = !ready.contains(.input)
    }
  }

  /// Takes in what the process says while it should read.
  private func takeAside() throws(EngineProcessError) {
    guard try take(), buffer.count > limits.waitingBytes else { return }
    throw fail(
      .floodedOutput, "has written more than \(limits.waitingBytes) bytes that nobody asked for",
      remedy: "write only what was asked for to standard output, and log lines to standard error")
  }

  private func hungUp() -> EngineProcessError {
    if let error = ended("before it had read its input") { return error }
    return fail(
      .brokenPipe, "has closed its standard input, but lives on",
      remedy: "let it read until its standard input ends")
  }
}
