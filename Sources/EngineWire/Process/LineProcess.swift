import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process that exchanges lines through its standard input and output.
///
/// No call blocks forever, whatever the process does. Every call has a deadline, and ``Limits`` bounds the
/// buffered output. Every wait also reads standard error, so that a process does not block because it logs a
/// lot.
///
/// A single owner uses the process, on one thread at a time, and calls must not overlap. The class is
/// `Sendable` so that a `Sendable` engine can own it and move it to the thread of the run. It has no lock.
package final class LineProcess: @unchecked Sendable {
  /// The limits on the memory that a process uses in the bench.
  package struct Limits: Hashable, Sendable {
    /// The maximum length of a line in bytes, excluding the line end.
    package var lineBytes = 1 << 20
    /// The maximum number of unread bytes that are received while the bench writes to the process.
    package var waitingBytes = 8 << 20
    /// The maximum number of bytes that the process may write between two writes of the bench. It limits the
    /// length of an answer.
    package var answerBytes = 64 << 20
    /// The maximum number of bytes kept from standard error. Longer lines are forwarded in pieces.
    package var errorBytes = 64 << 10

    package init() {}
  }

  /// A time limit, as a reading of the stopwatch.
  package struct Deadline: Hashable, Sendable {
    let nanoseconds: UInt64
    package let limit: Duration

    /// - Parameter nanoseconds: The current reading of the stopwatch.
    package init(nanoseconds: UInt64, limit: Duration) {
      self.nanoseconds = nanoseconds
      self.limit = limit
    }
  }

  /// How a process ended.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    /// The status is unknown, because another part of the tool reaped the process or the system could not end
    /// it.
    case unknown
  }

  /// The command as the user wrote it.
  package let command: String
  package let limits: Limits
  /// The process ID.
  package let processID: Int32

  let stopwatch: @Sendable () -> UInt64
  var input: Descriptor
  var output: Descriptor
  var errors: Descriptor
  /// A descriptor that becomes readable when the process ends. It is opened only when a wait is long.
  var exit = Descriptor(-1)
  var buffer = LineBuffer()
  var errorLines: ErrorLines
  let family: ProcessFamily
  let polled: UnsafeMutablePointer<pollfd>
  /// The buffer for a single read from standard error.
  let errorRoom: UnsafeMutablePointer<UInt8>
  /// Whether the last read filled its buffer, so that more output is probably available.
  var mayHaveMore = false
  /// The number of bytes read since the last write.
  var answered = 0
  /// The number of lines read so far.
  package internal(set) var linesRead = 0
  /// The reason why the process can no longer be used, or `nil` while it can.
  var failed: EngineProcessError?
  /// How the process ended, or `nil` before ``close(grace:)`` is called.
  var ending: Ending?

  /// Starts a program without a shell.
  ///
  /// - Parameters:
  ///   - command: The command line, split into words as by a shell. See ``CommandWords``.
  ///   - environment: The complete environment of the program, except for a variable that marks its
  ///     descendants. The program is searched for in its `PATH`.
  ///   - stopwatch: Returns nanoseconds since an arbitrary instant. If it never advances, time limits never
  ///     expire.
  ///   - receive: Called with each line of standard error while a call waits for the process.
  package convenience init(
    command: String, environment: [String: String], limits: Limits = Limits(),
    stopwatch: @escaping @Sendable () -> UInt64, receive: (@Sendable (String) -> Void)? = nil
  ) throws(EngineProcessError) {
    try self.init(
      words: CommandWords(splitting: command).words, command: command, environment: environment,
      limits: limits, stopwatch: stopwatch, receive: receive)
  }

  /// Starts a program with the given arguments, without splitting a command line.
  ///
  /// - Parameter words: The program and its arguments, at least one word.
  package init(
    words: [String], command: String, environment: [String: String], limits: Limits = Limits(),
    stopwatch: @escaping @Sendable () -> UInt64, receive: (@Sendable (String) -> Void)? = nil
  ) throws(EngineProcessError) {
    let file = try ProgramFile(words[0], command: command, environment: environment)
    let launch: Launch
    do {
      launch = try Launch(file.path, words, environment)
    } catch {
      throw error.described(path: file.path, command: command)
    }
    self.command = command
    self.limits = limits
    self.stopwatch = stopwatch
    processID = launch.process
    family = launch.family
    input = launch.input
    output = launch.output
    errors = launch.errors
    errorLines = ErrorLines(limit: limits.errorBytes, receive: receive)
    errorRoom = .allocate(capacity: LineBuffer.chunk)
    polled = .allocate(capacity: 4)
    polled.initialize(repeating: pollfd(), count: 4)
  }

  /// Kills the process unless it was closed.
  deinit {
    close(grace: .zero)
    polled.deallocate()
    errorRoom.deallocate()
  }

  /// Returns the deadline for a time limit that starts now.
  package func deadline(after limit: Duration) -> Deadline {
    let (seconds, attoseconds) = limit.components
    let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let length = whole.overflow ? .max : whole.partialValue &+ UInt64(clamping: attoseconds / 1_000_000_000)
    let end = stopwatch().addingReportingOverflow(length)
    return Deadline(nanoseconds: end.overflow ? .max : end.partialValue, limit: limit)
  }

  /// Returns an error of this process, including the last lines of its standard error. Code that parses the
  /// lines also uses it for its own errors.
  package func failure(
    _ code: EngineProcessError.Code, _ message: String, remedy: String
  ) -> EngineProcessError {
    drainErrors(atMost: 16)
    return EngineProcessError(
      code, command: command, message, remedy: remedy, lastLines: errorLines.last(10))
  }
}

extension LineProcess {
  /// Writes whole lines, with their line ends.
  ///
  /// A process that blocks on writing its output does not read its input. This method therefore receives
  /// output while it writes, so that neither side blocks the other. ``nextLine(deadline:)`` returns that
  /// output later.
  ///
  /// - Throws: An error if the process does not read everything. Nothing can be written afterwards, because
  ///   the process may have read half a line.
  package func write(_ bytes: [UInt8], deadline: Deadline) throws(EngineProcessError) {
    if let failed { throw failed }
    answered = 0
    var rest = bytes[...]
    var isPatient = false
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { child_write(input.number, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count != -Int(EAGAIN) {
        throw inputClosed()
      }
      if rest.isEmpty { return }
      let left = left(until: deadline)
      let ready = wait(for: .input, nanoseconds: left, isPatient: isPatient)
      if ready.contains(.errors) { drainErrors(atMost: 1) }
      if ready.contains(.output) { try receiveUnrequested() }
      if !ready.contains(.input), endingByNow() != nil { throw inputClosed() }
      // Also check the deadline here, because a process may read slowly without stopping.
      if left == 0 {
        throw fail(
          .timedOut, "has not read its input within \(deadline.limit)",
          remedy: "let it read each line before it works on it, or allow more time")
      }
      isPatient = !ready.contains(.input)
    }
  }

  /// Receives output while the process does not read its input.
  private func receiveUnrequested() throws(EngineProcessError) {
    guard try take(), buffer.count > limits.waitingBytes else { return }
    throw fail(
      .floodedOutput, "has written more than \(limits.waitingBytes) bytes without being asked",
      remedy: "write only what was asked for to standard output, and log lines to standard error")
  }

  private func inputClosed() -> EngineProcessError {
    if let error = ended("before it had read its input") { return error }
    return fail(
      .brokenPipe, "has closed its standard input, but lives on",
      remedy: "let it read until its standard input ends")
  }
}

extension LineProcess {
  /// Returns the next line of standard output without its LF or CRLF. Does not validate UTF-8.
  ///
  /// The bytes belong to the buffer and are valid until the next call on this process. Lines that were
  /// already received are returned even after the deadline or the end of the process.
  ///
  /// - Complexity: O(n) in the length of the line. Allocates only to grow the buffer.
  /// - Throws: An error if the process does not answer. Only after `timedOut` can reading continue.
  package func nextLine(deadline: Deadline) throws(EngineProcessError) -> UnsafeBufferPointer<UInt8> {
    while true {
      if let line = buffer.nextLine() {
        linesRead += 1
        if line.count > limits.lineBytes { throw tooLong(linesRead) }
        return line
      }
      if buffer.count > limits.lineBytes { throw tooLong(linesRead + 1) }
      if let failed { throw failed }
      if !output.isOpen { throw endOfOutput() }
      try fill(until: deadline)
    }
  }

  /// Returns the next line as text.
  ///
  /// - Throws: An error as in ``nextLine(deadline:)``, or `notUTF8`. After an invalid line, reading can
  ///   continue with the next one.
  package func readLine(deadline: Deadline) throws(EngineProcessError) -> String {
    let line = try nextLine(deadline: deadline)
    if let text = String(validating: line, as: UTF8.self) { return text }
    throw failure(
      .notUTF8,
      "has written bytes that are not UTF-8 in line \(linesRead) of its output: \"\(Self.excerpt(line))\"",
      remedy: "write only UTF-8 text to standard output")
  }

  /// Reads from standard output. Closes it at its end.
  private func fill(until deadline: Deadline) throws(EngineProcessError) {
    if mayHaveMore, try take() { return }
    // Most engines answer before a sleeping process could be woken. Poll first, and yield to other threads.
    for _ in 0..<Self.pollAttempts where output.isOpen {
      if try take() { return }
      sched_yield()
    }
    var isPatient = false
    while output.isOpen {
      let left = left(until: deadline)
      let ready = wait(for: [], nanoseconds: left, isPatient: isPatient)
      if ready.contains(.errors) { drainErrors(atMost: 1) }
      if ready.contains(.output) {
        if try take() { return }
      } else if endingByNow() != nil {
        // The engine has ended, but another process may hold its output open. Read the available output, and
        // then close it.
        if try !take() { output.shut() }
        return
      } else if left == 0 {
        throw failure(
          .timedOut, "has not answered within \(deadline.limit)",
          remedy: "see that it flushes each line (in Python: print(…, flush=True)), or allow more time")
      }
      isPatient = true
    }
  }

  /// The number of polls before sleeping, which take about 20 µs.
  private static var pollAttempts: Int { 40 }

  /// Reads one chunk of standard output. Returns `false` if none is available or the output has ended.
  func take() throws(EngineProcessError) -> Bool {
    let count = child_read(output.number, buffer.room(), LineBuffer.chunk)
    guard count > 0 else {
      mayHaveMore = false
      if count != -Int(EAGAIN) { output.shut() }
      return false
    }
    mayHaveMore = count == LineBuffer.chunk
    buffer.add(count)
    answered += count
    if answered > limits.answerBytes {
      throw fail(
        .floodedOutput, "has written more than \(limits.answerBytes) bytes to answer one line",
        remedy: "write only what was asked for to standard output, and log lines to standard error")
    }
    return true
  }

  /// Records and returns an error after which no more output can be read.
  func fail(
    _ code: EngineProcessError.Code, _ message: String, remedy: String
  ) -> EngineProcessError {
    let error = failure(code, message, remedy: remedy)
    failed = error
    return error
  }

  private func tooLong(_ line: Int) -> EngineProcessError {
    output.shut()
    return fail(
      .lineTooLong, "has written a line of more than \(limits.lineBytes) bytes, line \(line) of its output",
      remedy: "end each line with a line feed, and write log lines to standard error")
  }

  /// Returns the reason why the output has ended. Waits briefly, because a process that has just closed its
  /// output may be about to end.
  private func endOfOutput() -> EngineProcessError {
    let place = buffer.withWaiting {
      $0.isEmpty ? "before it answered" : "in the middle of \"\(Self.excerpt($0))\""
    }
    if let error = ended(place) { return error }
    return fail(
      .closedOutput, "has closed its standard output \(place), but lives on",
      remedy: "keep standard output open until standard input ends")
  }

  /// Returns the error of a process that has ended or ends within two seconds, or `nil` if it is still
  /// running.
  func ended(_ place: String) -> EngineProcessError? {
    switch awaitEnding(until: deadline(after: .seconds(2))) {
    case .exited(let status):
      fail(
        .exited(status), "ended with status \(status) \(place)",
        remedy: status == 0
          ? "let it answer each line, and read on until its standard input ends"
          : "run the command by hand to see why")
    case .killed(let signal):
      fail(
        .killed(signal), "was ended by signal \(signal) \(place)",
        remedy: "run the command by hand to see why" + (signal == SIGKILL ? "; perhaps memory ran out" : ""))
    case .unknown:
      fail(
        .init("ended"), "ended \(place), and the system does not say how",
        remedy: "start the tool from a shell that does not ignore SIGCHLD")
    case nil: nil
    }
  }

  /// Returns the beginning of a line, with control characters replaced.
  private static func excerpt(_ line: UnsafeBufferPointer<UInt8>) -> String {
    ErrorLines.text(line.prefix(60)) + (line.count > 60 ? "…" : "")
  }
}

extension LineProcess {
  /// The descriptors of a process that are ready for reading or writing.
  struct Ready: OptionSet {
    let rawValue: UInt8
    static let input = Ready(rawValue: 1)
    static let output = Ready(rawValue: 2)
    static let errors = Ready(rawValue: 4)
    static let exit = Ready(rawValue: 8)
  }

  /// The maximum interval between two checks for the end of the process, in nanoseconds. These checks are used
  /// if the system does not report the end.
  private static var longestWait: UInt64 { 20_000_000 }

  /// Waits until a descriptor is ready or the time limit has passed.
  ///
  /// - Parameters:
  ///   - nanoseconds: The time limit. The method may return earlier.
  ///   - isPatient: Whether a short wait has already passed without a result. Only then does the method also
  ///     wait for the end of the process, because this requires a descriptor and some time.
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

  /// Returns the number of nanoseconds until a deadline, or 0 if it has passed.
  func left(until deadline: Deadline) -> UInt64 {
    let now = stopwatch()
    return deadline.nanoseconds > now ? deadline.nanoseconds - now : 0
  }

  /// Returns how the process ended, or `nil` if it is running. Does not reap the process, so that its number
  /// is not reused.
  func endingByNow() -> Ending? {
    var bySignal: Int32 = 0
    var number: Int32 = 0
    switch child_has_ended(processID, &bySignal, &number) {
    case 0: return nil
    case 1: return bySignal != 0 ? .killed(signal: number) : .exited(number)
    default: return .unknown
    }
  }

  /// Waits for the end of the process and discards its output. Returns `nil` if the process is still running
  /// at the deadline.
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

  /// Reads standard error in chunks.
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

  /// Reads and discards one chunk of standard output. Returns `false` if none is available.
  func discardOutput() -> Bool {
    guard output.isOpen else { return false }
    let count = child_read(output.number, buffer.room(), LineBuffer.chunk)
    if count <= 0, count != -Int(EAGAIN) { output.shut() }
    return count > 0
  }
}

extension LineProcess {
  /// Ends the process and its descendants, and returns how the process ended.
  ///
  /// Performs these steps until the process has ended:
  /// - Close its standard input and wait for the grace time.
  /// - Send SIGTERM and wait for the grace time again.
  /// - Kill the process.
  ///
  /// Without a grace time, kills the process immediately. In all cases, also kills the remaining descendants.
  /// A second call has no effect.
  ///
  /// ``ProcessFamily`` lists the processes that it cannot end. If the system does not end a killed process,
  /// for example because of a broken disk, the call returns after five seconds.
  @discardableResult
  package func close(grace: Duration) -> Ending {
    if let ending { return ending }
    input.shut()
    if grace > .zero, awaitEnding(until: deadline(after: grace)) == nil {
      kill(-processID, SIGTERM)
      _ = awaitEnding(until: deadline(after: grace))
    }
    let how = killFamily()
    ending = how
    if failed == nil {
      failed = EngineProcessError(
        .closed, command: command, "was closed before", remedy: "start it again")
    }
    drainErrors(atMost: 16)
    errorLines.finish()
    output.shut()
    errors.shut()
    exit.shut()
    return how
  }

  /// Kills members of the family until none is left, and then reaps the process.
  private func killFamily() -> Ending {
    let deadline = deadline(after: .seconds(5))
    var members = Set<Int32>()
    var pause: Int32 = 1
    while true {
      // Find all members before killing any, because an orphan cannot be traced to a dead parent. The numbers
      // of the process and its group cannot be reused before the process is reaped.
      let isOurs = endingByNow() != .unknown
      let living = family.living(knowing: isOurs ? members.union([processID]) : members)
      members.formUnion(living)
      let ending = endingByNow()
      if isOurs { kill(-processID, SIGKILL) }
      for member in living { kill(member, SIGKILL) }
      if living.isEmpty, let ending {
        reap(members)
        return ending
      }
      if left(until: deadline) == 0 { return .unknown }
      poll(nil, 0, pause)
      pause = min(pause * 2, 20)
    }
  }

  /// Reaps the process. Also reaps its orphans if the tool has adopted them, as the first process of a
  /// container does.
  private func reap(_ members: Set<Int32>) {
    _ = waitpid(processID, nil, WNOHANG)
    for member in members.sorted() where member != processID { _ = waitpid(member, nil, WNOHANG) }
  }
}

/// A counterpart that exchanges lines: another process, or a substitute for one.
///
/// A single owner uses it, on one thread at a time, as with ``LineProcess``.
package protocol LineChannel: AnyObject, Sendable {
  /// The number of lines that ``nextLine(deadline:)`` has returned.
  var linesRead: Int { get }

  /// Whether there is unread output, either a line or its beginning.
  var hasUnread: Bool { get }

  /// Writes whole lines, with their line ends.
  func write(_ bytes: [UInt8], deadline: LineProcess.Deadline) throws(EngineProcessError)

  /// Returns the next line without its line end. The bytes are valid until any method is called.
  func nextLine(deadline: LineProcess.Deadline) throws(EngineProcessError) -> UnsafeBufferPointer<UInt8>

  /// Returns the deadline for a time limit that starts now.
  func deadline(after limit: Duration) -> LineProcess.Deadline

  /// Returns an error of the counterpart, including the last lines of its log.
  func failure(_ code: EngineProcessError.Code, _ message: String, remedy: String) -> EngineProcessError

  /// Ends the counterpart. Kills it if it does not end within the grace time.
  @discardableResult
  func close(grace: Duration) -> LineProcess.Ending
}

extension LineProcess: LineChannel {
  package var hasUnread: Bool { buffer.count > 0 }
}
