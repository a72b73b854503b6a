import EngineWire
import TextFormats
import Foundation
import Reporting

/// Where results and diagnostics go: results to standard output, all else to standard error.
enum Terminal {
  static func print(_ text: String) {
    write(text + "\n", to: .standardOutput)
  }

  /// Writes text as it is. When nobody reads any more (a closed pipe), there is nothing left to do, and the
  /// tool ends with 0: that is the reader's wish.
  static func write(_ text: String, to handle: FileHandle) {
    write(Array(text.utf8), to: handle)
  }

  static func write(_ bytes: [UInt8], to handle: FileHandle) {
    if let problem = failure(writing: bytes, to: handle) { exit(problem == EPIPE ? 0 : 1) }
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

  static func green(_ text: String) -> String { hasColor ? "\u{1B}[32m\(text)\u{1B}[0m" : text }
  static func red(_ text: String) -> String { hasColor ? "\u{1B}[31m\(text)\u{1B}[0m" : text }

  /// Nanoseconds on a clock that never goes back, for timing alone.
  static let stopwatch: @Sendable () -> UInt64 = {
    DispatchTime.now().uptimeNanoseconds
  }
}
