import CChildProcess
import Foundation
import Synchronization

/// The built command-line tool, run as its user runs it.
enum Tool {
  struct Outcome: Equatable {
    var code: Int32
    var output: String
    var errors: String
  }

  /// Beside the test bundle, wherever that was built.
  static let executable: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let products = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    return products.appendingPathComponent("triggerbench")
  }()

  /// Whether a program is in the path.
  static func isInstalled(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// Each has open files, and a thread that waits for its end.
  private static let places = Places(32)

  /// Runs the tool, or another, in a folder and waits for its end.
  ///
  /// - Parameters:
  ///   - input: What it reads on standard input.
  ///   - environment: Variables besides those of the tests.
  static func run(
    _ arguments: [String], of executable: URL = executable, in folder: URL, input: String = "",
    environment: [String: String] = [:]
  ) async throws -> Outcome {
    await places.take()
    defer { places.give() }
    // Files rather than pipes: nobody has to read while the tool writes.
    let streams = try Folder()
    try streams.write(input, to: "in")
    try streams.write("", to: "out")
    try streams.write("", to: "err")
    let words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, executable.path] + arguments
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let process = try start(
      words, variables, input: FileHandle(forReadingFrom: streams.url("in")),
      output: FileHandle(forWritingTo: streams.url("out")),
      errors: FileHandle(forWritingTo: streams.url("err")))
    let code = await end(of: process)
    return Outcome(code: code, output: try streams.read("out"), errors: try streams.read("err"))
  }
}

extension Tool {
  /// Foundation's `Process` crashes now and then where many are started at one time (6.3.1, in `run()`).
  private static func start(
    _ words: [String], _ environment: [String: String], input: FileHandle, output: FileHandle,
    errors: FileHandle
  ) throws -> pid_t {
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let problem = child_spawn(
      &process, words[0], arguments, variables, input.fileDescriptor, output.fileDescriptor,
      errors.fileDescriptor)
    guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EIO) }
    return process
  }

  /// Its exit status, or the number of the signal that ended it.
  private static func end(of process: pid_t) async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        continuation.resume(returning: signal == 0 ? status >> 8 & 0xFF : signal)
      }
    }
  }
}

/// Lets so many in at one time.
private final class Places: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func give() {
    let next = state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return nil as CheckedContinuation<Void, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// The repository that these tests belong to.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The shipped scenario files. Beside them lie populations, experiments, and packs that some have in common.
  static func scenarios() throws -> [String] {
    try files(in: "scenarios", ofKind: "scenario")
  }

  /// The files of a folder, at any depth, that say they are of a kind.
  static func files(in folder: String, ofKind kind: String) throws -> [String] {
    try files(in: folder).filter {
      try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8).split(separator: "\n")
        .contains { $0.hasPrefix("kind: \(kind)") }
    }
  }

  /// The files in YAML of a folder, at any depth.
  static func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
  }
}

/// A folder of its own for one test, which goes when the test ends.
final class Folder {
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("triggerbench-tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func url(_ path: String) -> URL { root.appendingPathComponent(path) }

  func write(_ text: String, to path: String) throws {
    try write(Data(text.utf8), to: path)
  }

  func write(_ data: Data, to path: String) throws {
    let file = url(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

  /// Runs a command as a shell does, with the built tool in the path; its output has its errors in it.
  func shell(_ command: String) async throws -> Tool.Outcome {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let products = Tool.executable.deletingLastPathComponent().path
    return try await Tool.run(
      ["-c", "exec 2>&1\n\(command)"], of: URL(fileURLWithPath: "/bin/sh"), in: root,
      environment: ["PATH": "\(products):\(path)"])
  }

  /// Runs the tool in this folder.
  func run(_ arguments: String..., input: String = "") async throws -> Tool.Outcome {
    try await Tool.run(arguments, in: root, input: input)
  }
}
