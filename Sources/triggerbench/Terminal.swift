import EngineWire
import Foundation
import Reporting
import Synchronization
import TextFormats

/// Where results and diagnostics go: results to standard output, all else to standard error.
enum Terminal {
  /// Why a result could not be written; the verdict does not depend on it.
  private static let lost = Mutex<Int32?>(nil)

  /// Prints a result. Where nobody reads it, or it cannot be written, the tool goes on: its files and its exit code
  /// are the same. ``lostOutput`` says so then.
  static func print(_ text: String, terminator: String = "\n") {
    if let problem = failure(writing: Array((text + terminator).utf8), to: .standardOutput) {
      lost.withLock { $0 = $0 ?? problem }
    }
  }

  /// The number of the error that kept results from being written; a pipe that nobody reads is none.
  static var lostOutput: Int32? {
    lost.withLock { $0 == EPIPE ? nil : $0 }
  }

  /// Writes a stream as it is. When nobody reads any more (a closed pipe), there is nothing left to do, and the
  /// tool ends with 0: that is the reader's wish.
  static func write(_ text: String, to handle: FileHandle) {
    write(Array(text.utf8), to: handle)
  }

  static func write(_ bytes: [UInt8], to handle: FileHandle) {
    guard let problem = failure(writing: bytes, to: handle), handle.fileDescriptor != STDERR_FILENO else {
      return
    }
    if problem == EPIPE { exit(0) }
    fail("triggerbench: \(lostWords(problem))")
  }

  static func lostWords(_ problem: Int32) -> String {
    "cannot write to the standard output: \(String(cString: strerror(problem)))"
  }

  /// Writes bytes as they are.
  /// - Returns: The number of the error that kept it from that; nil: they are written.
  static func failure(writing bytes: [UInt8], to handle: FileHandle) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(handle.fileDescriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// Says what went wrong where nothing can be thrown, and ends the tool with 1.
  static func fail(_ text: String) -> Never {
    diagnose(text)
    exit(1)
  }

  /// An engine under test, with what it logs shown as such.
  static func engineCommand(_ command: String) -> EngineWire.EngineCommand {
    var choice = EngineWire.EngineCommand(
      command, environment: ProcessInfo.processInfo.environment, stopwatch: stopwatch)
    choice.log = { diagnose("engine: \($0)") }
    return choice
  }

  static func diagnose(_ text: String) {
    let shown = Printable.text(text, keeping: ["\n", "\t"])
    write(shown.hasSuffix("\n") ? shown : shown + "\n", to: .standardError)
  }

  /// Says what is wrong with files, or odd about them.
  static func diagnose(_ diagnostics: [Diagnostic]) {
    if !diagnostics.isEmpty { diagnose(diagnostics.rendered()) }
  }

  /// Whether standard output shows colours: on a terminal, and without NO_COLOR.
  static let hasColor =
    isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

  /// Columns of the terminal, or what COLUMNS says; 80 where neither does.
  static let width: Int = {
    if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }) { return columns }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }()

  /// Nanoseconds on a clock that never goes back, for timing alone.
  static let stopwatch: @Sendable () -> UInt64 = {
    DispatchTime.now().uptimeNanoseconds
  }
}
