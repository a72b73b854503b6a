import CChildProcess

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Another process that is talked to in lines: what is written goes to its standard input, what is read comes
/// from its standard output.
///
/// Nothing here blocks for ever, whatever the process does: every call has a deadline, what waits in between
/// is bounded by ``Limits``, and standard error is read whenever anything is waited for, so that a process that
/// complains much is never held up by that.
///
/// One owner, one thread at a time: calls must not overlap. The class is marked as `Sendable` so that an
/// engine that is `Sendable` itself can own one and take it along to the thread of its run; it has no lock.
package final class LineProcess: @unchecked Sendable {
  /// What a process may have us hold for it.
  package struct Limits: Hashable, Sendable {
    /// Bytes of the longest line, without its end.
    package var lineBytes = 1 << 20
    /// Bytes that may wait unread while something is written to the process.
    package var waitingBytes = 8 << 20
    /// Bytes that the process may write between two writes to it: the longest answer to one of them.
    package var answerBytes = 64 << 20
    /// Bytes that are kept of the end of standard error; a longer line on it is handed on in pieces.
    package var errorBytes = 64 << 10

    package init() {}
  }

  /// An instant on the stopwatch by which something must have happened.
  package struct Deadline: Hashable, Sendable {
    let nanoseconds: UInt64
    package let limit: Duration

    /// - Parameter nanoseconds: On the stopwatch.
    package init(nanoseconds: UInt64, limit: Duration) {
      self.nanoseconds = nanoseconds
      self.limit = limit
    }
  }

  /// How a process ended.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    /// Somebody else asked the system first, or the system could not end it.
    case unknown
  }

  /// The command as its user wrote it.
  package let command: String
  package let limits: Limits
  /// The number that the system gave the process.
  package let processID: Int32

  let stopwatch: @Sendable () -> UInt64
  var input: Descriptor
  var output: Descriptor
  var errors: Descriptor
  /// Can be read from once the process has ended; opened when somebody has to wait for long.
  var exit = Descriptor(-1)
  var buffer = LineBuffer()
  var errorLines: ErrorLines
  let family: ProcessFamily
  let polled: UnsafeMutablePointer<pollfd>
  /// For one read of standard error.
  let errorRoom: UnsafeMutablePointer<UInt8>
  /// The last read filled all the room, so that the next need not wait.
  var mayHaveMore = false
  /// Bytes read since something was last written.
  var answered = 0
  /// Lines read so far: the number of the last one, counted from 1.
  package internal(set) var linesRead = 0
  /// Why nothing more can be done.
  var failed: EngineProcessError?
  /// Set by ``close(grace:)``.
  var ending: Ending?

  /// Starts a program, without a shell.
  ///
  /// - Parameters:
  ///   - command: Cut into words as a shell does; see ``CommandWords``.
  ///   - environment: All that the program gets, but for one variable by which its descendants are known.
  ///     `PATH` in it is where the program is looked for.
  ///   - stopwatch: Nanoseconds since any instant. With one that stands still, time limits never end.
  ///   - receive: Called with each line on standard error, during the calls that wait for the process.
  package convenience init(
    command: String, environment: [String: String], limits: Limits = Limits(),
    stopwatch: @escaping @Sendable () -> UInt64, receive: (@Sendable (String) -> Void)? = nil
  ) throws(EngineProcessError) {
    try self.init(
      words: CommandWords(splitting: command).words, command: command, environment: environment,
      limits: limits, stopwatch: stopwatch, receive: receive)
  }

  /// Starts a program with its arguments as they are.
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

  /// Ends the process at once where nobody has closed it.
  deinit {
    close(grace: .zero)
    polled.deallocate()
    errorRoom.deallocate()
  }

  /// The instant after so much time from now.
  package func deadline(after limit: Duration) -> Deadline {
    let (seconds, attoseconds) = limit.components
    let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let length = whole.overflow ? .max : whole.partialValue &+ UInt64(clamping: attoseconds / 1_000_000_000)
    let end = stopwatch().addingReportingOverflow(length)
    return Deadline(nanoseconds: end.overflow ? .max : end.partialValue, limit: limit)
  }

  /// An error of this process, with the last that it said on standard error: also for what only the reader of
  /// its lines can tell.
  package func failure(
    _ code: EngineProcessError.Code, _ message: String, remedy: String
  ) -> EngineProcessError {
    drainErrors(atMost: 16)
    return EngineProcessError(
      code, command: command, message, remedy: remedy, lastLines: errorLines.last(10))
  }
}
