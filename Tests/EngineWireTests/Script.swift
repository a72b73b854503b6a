import Foundation
import Synchronization
import Testing

@testable import EngineWire

/// A small engine for `sh` in a temporary folder. It tracks the processes that the script starts.
struct Script {
  let folder: URL
  let path: String
  /// The file to which processes write their process IDs.
  private let numbers: URL

  /// - Parameter source: The script. Each `NOTE` is replaced by a command with which a shell writes its
  ///   process ID to the file.
  init(_ source: String, line first: String = "#!/bin/sh", mayRun: Bool = true) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("engine-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    numbers = folder.appendingPathComponent("pids")
    let file = folder.appendingPathComponent("engine")
    path = file.path
    let note = folder.appendingPathComponent("note")
    try Data("echo $PPID >> \"$PIDS\"\n".utf8).write(to: note)
    let source = source.replacing("NOTE", with: "sh \(note.path)")
    let handle = try Self.fileToWrite(path, mode: mayRun ? 0o755 : 0o644)
    try handle.write(contentsOf: Data("\(first)\n\(source)\n".utf8))
    try handle.close()
  }

  /// Opens a file for writing. Unlike with Foundation, the child processes of other tests do not inherit the
  /// descriptor. The system refuses to execute a file that is open for writing.
  static func fileToWrite(_ path: String, mode: mode_t = 0o755) throws -> FileHandle {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode)
    try #require(descriptor >= 0)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Removes the folder. Call this method at the end of a test, because a shell may open the script late.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Whether `/proc` exists. Without it, fewer processes can be ended and checked.
  static let hasProcessTable = ProcessTable.status(of: getpid()) != nil
  static let skipReason: Comment = "needs /proc"

  var environment: [String: String] { ["PATH": Script.path, "PIDS": numbers.path] }

  /// The folders that contain `sh`, `cat`, `yes` and similar programs.
  static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

  func start(
    _ limits: LineProcess.Limits = .init(), stopwatch: @escaping @Sendable () -> UInt64 = Script.stopwatch,
    receive: (@Sendable (String) -> Void)? = nil
  ) throws(EngineProcessError) -> LineProcess {
    try LineProcess(
      words: [path], command: "engine", environment: environment, limits: limits, stopwatch: stopwatch,
      receive: receive)
  }

  /// Starts the script, runs the body, closes the process, and checks that no process or pipe is left.
  @discardableResult
  static func play(
    _ source: String, grace: Duration = .zero, limits: LineProcess.Limits = .init(), descendants: Int = 0,
    receive: (@Sendable (String) -> Void)? = nil, _ body: (LineProcess) throws -> Void
  ) throws -> LineProcess.Ending {
    let script = try Script(source)
    defer { script.remove() }
    let process = try script.start(limits, receive: receive)
    let pipes = Pipes(of: process)
    try body(process)
    #expect(script.pids.count >= descendants, "the script has not started what the test is about")
    let ending = process.close(grace: grace)
    script.expectNothingLeft(process.processID, pipes)
    // Keep the process alive up to here, so that `deinit` does not clean up.
    #expect(process.exit.number == -1)
    return ending
  }

  var pids: [Int32] {
    let text = (try? String(contentsOf: numbers, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { Int32($0) }
  }

  /// Checks that no process of the script is running and that its pipes are closed. Processes are found by
  /// their ID, or by the path in their environment. The process itself must have been reaped.
  func expectNothingLeft(_ process: Int32, _ pipes: Pipes, location: SourceLocation = #_sourceLocation) {
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(process)"), sourceLocation: location)
    for pid in pids {
      #expect(ProcessTable.status(of: pid)?.hasEnded ?? true, "\(pid) lives", sourceLocation: location)
    }
    let mine = Array(numbers.path.utf8)
    for status in ProcessTable.processes(since: 0) where !status.hasEnded && status.process != getpid() {
      let environment = ProcessTable.contents("/proc/\(status.process)/environ", atMost: 1 << 20)
      let isMine = environment.split(separator: 0).contains { $0.dropFirst(5).elementsEqual(mine) }
      #expect(!isMine, "\(status.process) lives", sourceLocation: location)
    }
    #expect(pipes.open == [], sourceLocation: location)
  }

  /// Returns the machine's uptime in nanoseconds.
  static let stopwatch: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
}

/// The pipes of a process, identified by their unique numbers.
struct Pipes {
  private let names: [[UInt8]]

  init(of process: LineProcess) {
    names = [process.input.number, process.output.number, process.errors.number].map {
      ProcessTable.target("/proc/self/fd/\($0)")
    }
  }

  /// The descriptors of the pipes that are open in this process.
  var open: [String] {
    ProcessTable.names(in: "/proc/self/fd").filter {
      names.contains(ProcessTable.target("/proc/self/fd/\($0)"))
    }
  }
}

/// Lines that other threads add and the test reads.
final class Collected: Sendable {
  private let state = Mutex<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  func add(_ line: String) { state.withLock { $0.append(line) } }
}

extension LineProcess {
  /// A deadline that is long enough on every machine. A passing test never reaches it.
  var soon: Deadline { deadline(after: .seconds(60)) }
  /// A short deadline for output that is never written.
  var atOnce: Deadline { deadline(after: .milliseconds(20)) }

  /// Reads a line and compares it.
  func expectLine(
    _ expected: String, by deadline: Deadline? = nil, location: SourceLocation = #_sourceLocation
  ) throws {
    let line = try readLine(deadline: deadline ?? soon)
    #expect(line == expected, sourceLocation: location)
  }

  /// Writes a line and its end.
  func write(line: String, deadline: Deadline) throws(EngineProcessError) {
    try write(Array("\(line)\n".utf8), deadline: deadline)
  }

  /// Writes a line and reads one.
  func ask(_ line: String) throws -> String {
    try write(line: line, deadline: soon)
    return try readLine(deadline: soon)
  }
}

/// Returns the error that the body throws.
func failure(
  _ location: SourceLocation = #_sourceLocation, of body: () throws -> Void
) throws -> EngineProcessError {
  let error = #expect(throws: EngineProcessError.self, sourceLocation: location) { try body() }
  return try #require(error, sourceLocation: location)
}
