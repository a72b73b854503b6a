package import Foundation
import Synchronization

/// An executable to measure, with its arguments.
package struct BenchProgram: Sendable {
  /// The name in reports.
  package var name: String
  package var executable: URL
  package var arguments: [String]
  /// The maximum duration of one run.
  package var timeout = Duration.seconds(120)

  /// Runs the program once.
  func measure() throws -> [ArmRow] {
    try ArmRow.rows(
      json: ChildProcess.output(of: executable, named: name, arguments, timeout: timeout), of: name)
  }

  /// Copies the executable, so that a rebuild during the comparison has no effect.
  ///
  /// The paths of both copies must have the same length, because the length of a program's name shifts its
  /// stack.
  func copied(to place: URL) throws -> BenchProgram {
    var copy = self
    do {
      try FileManager.default.copyItem(at: executable.resolvingSymlinksInPath(), to: place)
    } catch {
      throw BenchError("cannot copy \(executable.path): \(error.localizedDescription)")
    }
    copy.executable = place
    return copy
  }
}

/// The identity of a row within a suite.
package struct RowKey: Hashable, Sendable, CustomStringConvertible {
  package var mode: String
  package var size: Int

  package var description: String { "\(mode) \(size)" }
}

/// One row of a report by one executable.
package struct ArmRow: Hashable, Sendable {
  package var key: RowKey
  /// The time of the fastest round, in nanoseconds per event. Disturbances only slow a round down, so the
  /// fastest round is the least disturbed.
  package var nanoseconds: Double
  /// The digest of the results, or `nil` if the suite has none.
  package var digest: String?
  /// Exact counts by name.
  package var counts: [String: Int] = [:]

  /// Parses the output of `triggerbench bench SUITE --json`.
  ///
  /// - Parameter name: The executable's name in messages.
  /// - Throws: ``Benchmarks/BenchError`` if the output is not a benchmark report.
  package static func rows(json: Data, of name: String) throws -> [ArmRow] {
    let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
    guard let object, let suite = (object["suite"] as? String).flatMap(BenchSuite.init(rawValue:)),
      let rows = object["rows"] as? [[String: Any]], !rows.isEmpty
    else { throw BenchError("\(name) printed no benchmark report") }
    return try rows.map { row in
      guard let mode = row["mode"] as? String, let size = row[suite.sizeName] as? Int,
        let samples = row["samples"] as? [NSNumber], let least = samples.map(\.doubleValue).min(), least > 0
      else { throw BenchError("\(name): a row of the \(suite) report has no mode, size or samples") }
      return ArmRow(
        key: RowKey(mode: mode, size: size), nanoseconds: least, digest: row["hash"] as? String,
        counts: row["counts"] as? [String: Int] ?? [:])
    }
  }
}

extension BenchSuite {
  /// A small workload for comparisons and for the gate. A round takes a few milliseconds.
  ///
  /// If you change this workload, record a new baseline.
  package var fixedWorkload: BenchOptions {
    var options =
      switch self {
      case .matching: BenchOptions(sizes: [1_000, 10_000], mode: "daily", events: 20_000)
      case .caps: BenchOptions(sizes: [10_000])
      case .kernel: BenchOptions(sizes: [1_000, 100_000], events: 100_000)
      case .regions: BenchOptions(events: 100_000)
      case .readers: BenchOptions(events: 10_000)
      // The replay of one person covers the whole path.
      case .replay: BenchOptions(mode: "person")
      case .time: BenchOptions(events: 100_000)
      case .load: BenchOptions(sizes: [500])
      case .population: BenchOptions(sizes: [500])
      case .scenario: BenchOptions()
      }
    options.alone = true
    return options
  }

  /// Returns the arguments that run this suite with `triggerbench`.
  package func arguments(_ options: BenchOptions) -> [String] {
    var words =
      ["bench", "suite", rawValue] + (options.file.map { [$0] } ?? []) + [
        "--json", "--rounds", String(options.rounds),
      ]
    if let sizes = options.sizes { words += ["--sizes", sizes.map(String.init).joined(separator: ",")] }
    if let mode = options.mode { words += ["--mode", mode] }
    if let events = options.events { words += ["--events", String(events)] }
    if options.alone { words.append("--alone") }
    if options.replayed > 0 { words += ["--replayed", String(options.replayed)] }
    return words
  }
}

/// Runs other programs for a limited time.
enum ChildProcess {
  /// Runs a program until it exits, and returns its standard output.
  ///
  /// - Parameters:
  ///   - name: The program's name in messages, or `nil` for the name of its executable file.
  ///   - environment: Additional environment variables.
  ///   - isQuiet: Whether to discard standard error. If not, the program inherits it.
  ///   - timeout: The time after which the program is killed.
  /// - Throws: ``Benchmarks/BenchError`` if the program cannot start, exits with a status other than 0, or
  ///   exceeds the time limit.
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
      throw BenchError("cannot start \(name): \(error.localizedDescription)")
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

  /// Returns the path of a program that `PATH` contains, or `nil` if there is none.
  static func find(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}

/// Kills a process after a time limit, unless it is stopped before.
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

  /// Stops the watchdog. Returns whether it has already killed the process.
  func stop() -> Bool {
    state.withLock { state in
      if state == .killed { return true }
      state = .stopped
      return false
    }
  }
}
