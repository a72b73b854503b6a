import EngineWire
import Experiments
import Foundation
import Reporting
import Synchronization
import TextFormats

/// The standard streams. Results go to standard output, and everything else goes to standard error.
enum Terminal {
  /// The error number of the first failed `print`.
  private static let firstError = Mutex<Int32?>(nil)

  /// Prints a result. If this fails, the tool still writes its files, and then exits with an error. See
  /// ``lostOutput``.
  static func print(_ text: String, terminator: String = "\n") {
    if let problem = failure(writing: Array((text + terminator).utf8), to: .standardOutput) {
      firstError.withLock { $0 = $0 ?? problem }
    }
  }

  /// The error number of the first result that could not be printed, or `nil` if there is none. A closed pipe
  /// is not an error.
  static var lostOutput: Int32? {
    firstError.withLock { $0 == EPIPE ? nil : $0 }
  }

  /// Writes text unchanged to a stream. Exits with 0 if the reader has closed the pipe.
  static func write(_ text: String, to handle: FileHandle) {
    write(Array(text.utf8), to: handle)
  }

  static func write(_ bytes: [UInt8], to handle: FileHandle) {
    guard let problem = failure(writing: bytes, to: handle), handle.fileDescriptor != STDERR_FILENO else {
      return
    }
    if problem == EPIPE { exit(0) }
    fail("triggerbench: \(message(ofOutputError: problem))")
  }

  static func message(ofOutputError problem: Int32) -> String {
    "cannot write to the standard output: \(String(cString: strerror(problem)))"
  }

  /// Writes bytes unchanged to a stream.
  ///
  /// - Returns: The error number if writing failed; otherwise, `nil`.
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

  /// Prints an error message and exits with 1. Use it only where throwing is impossible.
  static func fail(_ text: String) -> Never {
    diagnose(text)
    exit(1)
  }

  /// Returns the choice of an engine in another process. Its log lines are printed to standard error.
  static func engineChoice(_ command: String) -> EngineChoice {
    var engine = EngineCommand(
      command, environment: ProcessInfo.processInfo.environment, stopwatch: stopwatch)
    engine.log = { diagnose("engine: \($0)") }
    return .command(engine)
  }

  static func diagnose(_ text: String) {
    let shown = Printable.text(text, keeping: ["\n", "\t"])
    write(shown.hasSuffix("\n") ? shown : shown + "\n", to: .standardError)
  }

  /// Prints errors and warnings about files.
  static func diagnose(_ diagnostics: [Diagnostic]) {
    if !diagnostics.isEmpty { diagnose(diagnostics.rendered()) }
  }

  /// Whether standard output is coloured. This requires a terminal, and `NO_COLOR` must be unset or empty.
  static let hasColor =
    isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty

  /// The width of standard output in columns: the value of `COLUMNS`, the width of the terminal, or 80.
  static let width: Int = {
    if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }) { return columns }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }()

  /// Returns the time on a monotonic clock in nanoseconds. Used only for timing.
  static let stopwatch: @Sendable () -> UInt64 = {
    DispatchTime.now().uptimeNanoseconds
  }
}

/// Shows the progress of an experiment on a terminal after the first second: completed plays, rate and
/// remaining time.
final class ProgressMeter: Sendable {
  private struct State {
    var done: Int64 = 0
    var expected: Int64 = 0
    var shownAt: UInt64
    var isShown = false
  }

  private let start = Terminal.stopwatch()
  private let isOn = isatty(STDERR_FILENO) == 1
  private let state: Mutex<State>

  init() { state = Mutex(State(shownAt: start)) }

  /// Increases the number of expected plays.
  var expect: @Sendable (Int64) -> Void {
    { count in self.state.withLock { $0.expected += count } }
  }

  /// Returns a closure that adds the plays of each stage of an experiment. The closure prints a message if
  /// the plays for the assumptions are expected to take 10 s or more.
  func announce(_ plan: ExperimentPlan) -> @Sendable (ExperimentRunner.Stage, Int64) -> Void {
    let sensitivity = plan.sensitivity
    return { stage, plays in
      self.expect(plays)
      guard stage == .assumptions, let sensitivity, let seconds = self.seconds(for: plays), seconds >= 10
      else { return }
      self.clear()
      Terminal.diagnose(
        "triggerbench: about \(Int64(seconds)) s more for \(sensitivity.assumptions.count) assumptions, each varied over "
          + "\(sensitivity.people) people ('sensitivity: none' in the file skips them)")
    }
  }

  /// Returns the estimated duration of plays in seconds at the current rate, or `nil` if none is completed
  /// yet.
  private func seconds(for plays: Int64) -> Double? {
    let done = state.withLock(\.done)
    return done == 0 ? nil : Double(plays) * Double(Terminal.stopwatch() - start) / 1e9 / Double(done)
  }

  /// Increases the number of completed plays.
  var add: @Sendable (Int64) -> Void {
    { count in
      self.state.withLock { state in
        state.done += count
        let now = Terminal.stopwatch()
        guard self.isOn, now - state.shownAt > 1_000_000_000 else { return }
        state.shownAt = now
        state.isShown = true
        Terminal.write("\r\u{1B}[K" + self.text(state, at: now), to: .standardError)
      }
    }
  }

  private func text(_ state: State, at now: UInt64) -> String {
    let rate = Double(state.done) / (Double(now - start) / 1e9)
    let left = max(0, Double(state.expected - state.done)) / max(1, rate)
    return
      "\(state.done) of \(state.expected) plays, \(Int64(rate)) a second, \(Int64(left.rounded(.up))) s left"
  }

  func clear() {
    if state.withLock({ $0.isShown }) { Terminal.write("\r\u{1B}[K", to: .standardError) }
  }
}

/// Handles Ctrl-C. The first one ends an experiment early with a report. The second one ends the tool.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  static var happened: Bool { flag.load(ordering: .relaxed) }

  static func listen() {
    // The flag must be initialised before the signal handler can access it.
    _ = happened
    signal(SIGINT) { _ in
      Interruption.flag.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }
}

enum Shell {
  /// Returns the word, quoted if a shell would otherwise interpret it.
  static func quote(_ word: String) -> String {
    let plain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:=,+@%".contains($0)) }
    return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
