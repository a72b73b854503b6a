import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LineProcess {
  /// What of a process can be gone on with.
  struct Ready: OptionSet {
    let rawValue: UInt8
    static let input = Ready(rawValue: 1)
    static let output = Ready(rawValue: 2)
    static let errors = Ready(rawValue: 4)
    static let exit = Ready(rawValue: 8)
  }

  /// The longest wait before somebody looks whether the process still lives, where the system does not tell.
  private static var longestWait: UInt64 { 20_000_000 }

  /// Waits until one of these is ready, or for so long.
  ///
  /// - Parameters:
  ///   - nanoseconds: Cut to a wait after which one looks again.
  ///   - isPatient: Whether a short wait brought nothing. Only then the end of the process is waited for too:
  ///     that costs a descriptor and some time, and who answers at once is spared both.
  func wait(for wanted: Ready, nanoseconds: UInt64, isPatient: Bool) -> Ready {
    if isPatient, !exit.isOpen { exit = Descriptor(child_exit_descriptor(processID)) }
    let watchesExit = isPatient && exit.isOpen
    let longest = watchesExit ? 1_000_000_000 : Self.longestWait
    polled[0] = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
    polled[1] = pollfd(fd: errors.number, events: Int16(POLLIN), revents: 0)
    polled[2] = pollfd(fd: wanted.contains(.input) ? input.number : -1, events: Int16(POLLOUT), revents: 0)
    polled[3] = pollfd(fd: watchesExit ? exit.number : -1, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32((min(nanoseconds, longest) + 999_999) / 1_000_000)
    guard poll(polled, 4, milliseconds) > 0 else { return [] }
    var ready = Ready()
    if polled[0].revents != 0 { ready.insert(.output) }
    if polled[1].revents != 0 { ready.insert(.errors) }
    if polled[2].revents != 0 { ready.insert(.input) }
    if polled[3].revents != 0 { ready.insert(.exit) }
    return ready
  }

  /// How much time there is until a deadline, in nanoseconds; 0 after it.
  func left(until deadline: Deadline) -> UInt64 {
    let now = stopwatch()
    return deadline.nanoseconds > now ? deadline.nanoseconds - now : 0
  }

  /// How the process ended; nil while it lives. It is not reaped, so that its number stays its own.
  func endingByNow() -> Ending? {
    var bySignal: Int32 = 0
    var number: Int32 = 0
    switch child_has_ended(processID, &bySignal, &number) {
    case 0: return nil
    case 1: return bySignal != 0 ? .killed(signal: number) : .exited(number)
    default: return .unknown
    }
  }

  /// Waits for the end of the process while its output is thrown away; nil where it lives on.
  func awaitEnding(until deadline: Deadline) -> Ending? {
    var pause: UInt64 = 1_000_000
    while true {
      if let ending = endingByNow() { return ending }
      let left = left(until: deadline)
      if left == 0 { return nil }
      let ready = wait(for: [], nanoseconds: exit.isOpen ? left : min(left, pause), isPatient: true)
      pause = min(pause * 2, Self.longestWait)
      if ready.contains(.errors) { drainErrors(atMost: 1) }
      if ready.contains(.output) { _ = discardOutput() }
    }
  }

  /// Reads what came on standard error, a chunk at a time.
  func drainErrors(atMost chunks: Int) {
    guard errors.isOpen else { return }
    for _ in 0..<chunks {
      let count = child_read(errors.number, errorRoom, LineBuffer.chunk)
      guard count > 0 else {
        if count != -Int(EAGAIN) { errors.shut() }
        return
      }
      errorLines.add(UnsafeBufferPointer(start: errorRoom, count: count))
    }
  }

  /// Reads one chunk of standard output and forgets it; false where there is nothing.
  func discardOutput() -> Bool {
    guard output.isOpen else { return false }
    let count = child_read(output.number, buffer.room(), LineBuffer.chunk)
    if count <= 0, count != -Int(EAGAIN) { output.shut() }
    return count > 0
  }
}
