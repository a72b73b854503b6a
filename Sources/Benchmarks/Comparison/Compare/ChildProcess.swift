import Foundation
import Synchronization

/// Runs other programs, never longer than allowed.
enum ChildProcess {
  /// Runs a program to its end and returns what it printed; its diagnostics go where ours go, or nowhere.
  ///
  /// - Parameters:
  ///   - name: What messages call it; the name of its file if missing.
  ///   - environment: Set in addition to what is inherited.
  ///   - timeout: After this the program is killed.
  /// - Throws: ``Benchmarks/BenchError`` when it cannot be started, ends with another status than 0, or takes too long.
  @discardableResult
  static func output(
    of executable: URL, named name: String? = nil, _ arguments: [String], environment: [String: String] = [:],
    isQuiet: Bool = false, timeout: Duration
  ) throws -> Data {
    let name = name ?? executable.lastPathComponent
    let process = Process()
    let pipe = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    if isQuiet { process.standardError = FileHandle.nullDevice }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    do {
      try process.run()
    } catch {
      throw BenchError("\(name) cannot be started: \(error.localizedDescription)")
    }
    let watchdog = Watchdog(killing: process.processIdentifier, after: timeout)
    let output = (try? pipe.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    if watchdog.stop() { throw BenchError("\(name) took longer than \(timeout)") }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let how = process.terminationReason == .exit ? "status" : "signal"
      throw BenchError("\(name) ended with \(how) \(process.terminationStatus)")
    }
    return output
  }

  /// Looks a program up in `PATH`.
  static func find(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

/// Kills a process that takes too long, unless stopped before.
private final class Watchdog: Sendable {
  private enum State { case waiting, stopped, killed }
  private let state = Mutex(State.waiting)

  init(killing process: pid_t, after timeout: Duration) {
    let seconds = timeout / .seconds(1)
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.state.withLock { state in
        guard state == .waiting else { return }
        kill(process, SIGKILL)
        state = .killed
      }
    }
  }

  /// Whether it had to kill.
  func stop() -> Bool {
    state.withLock { state in
      if state == .killed { return true }
      state = .stopped
      return false
    }
  }
}
