import CChildProcess
import Foundation
import Synchronization
import TestSupport

/// The built command-line tool.
enum Tool {
  struct Outcome: Equatable {
    var code: Int32
    var output: String
    var errors: String
  }

  /// The executable, next to the test bundle.
  static let executable: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let products = bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
    return products.appendingPathComponent("triggerbench")
  }()

  /// Returns whether a program is in `PATH`.
  static func isInstalled(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// The limit on simultaneous processes. Each process needs open files and a waiting thread.
  private static let places = Places(32)

  /// Runs the tool or another program in a folder and waits for its end.
  ///
  /// - Parameters:
  ///   - input: The text for standard input.
  ///   - environment: Environment variables in addition to those of the tests.
  static func run(
    _ arguments: [String], of executable: URL = executable, in folder: URL, input: String = "",
    environment: [String: String] = [:]
  ) async throws -> Outcome {
    await places.take()
    defer { places.give() }
    // Use files instead of pipes, so that no one has to read while the tool writes.
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
  /// Starts a process without Foundation's `Process`, which can crash if many start at the same time (6.3.1,
  /// in `run()`).
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

  /// Returns the exit status, or the number of the signal that ended the process.
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

/// Limits the number of simultaneous operations.
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

extension Repository {
  /// Returns the shipped scenario files. Their folders also contain populations, experiments and shared packs.
  static func scenarioFiles() throws -> [String] {
    try files(in: "scenarios", ofKind: "scenario")
  }

  /// Returns the files of a kind in a folder and its subfolders.
  static func files(in folder: String, ofKind kind: String) throws -> [String] {
    try files(in: folder).filter {
      try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8).split(separator: "\n")
        .contains { $0.hasPrefix("kind: \(kind)") }
    }
  }

  /// Returns the YAML files in a folder and its subfolders.
  static func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }
  }
}

/// A temporary folder of one test, which is removed when the test ends.
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

  /// Runs a shell command with the built tool in `PATH`. The output includes standard error.
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

/// Scenarios of the tests.
enum Samples {
  /// A scenario with a notification that fires, one that is denied, and one that is deferred.
  static let small = """
    kind: scenario
    version: 1
    title: A small <story> & its "report"
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    for: 2 days
    reminders:
      milk:
        when: unlock
        if: after 16:00
        repeat: daily
        notify: {title: Buy milk}
      bread: {when: charging starts, notify: {title: Buy bread, bucket: user}}
    timeline:
      - 08:10 unlock
      - 17:40 unlock
      - 17:45 tap milk
      - 23:10 plug in
      - next day 22:30 unlock
    expect:
      - milk fires once at 17:40 on day 1
      - milk is denied by quietHours on day 2
      - bread fires once at 07:00 on day 2
      - tapThrough >= 25 %

    """

  /// The small scenario with two failing expectations.
  static let failing =
    small.replacing("milk fires once at 17:40 on day 1", with: "milk fires 2 times on day 1")
    .replacing("tapThrough >= 25 %", with: "tapThrough < 75 %")

  static let otherKind = "kind: experiment\nversion: 1\n"
}

/// The fenced blocks of a Markdown text.
enum Markdown {
  /// Returns the blocks of a language, in order.
  static func blocks(_ language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// A file or a fenced block on a page.
  enum Piece: Equatable {
    /// A block below a line that has only a file name.
    case file(String, text: String)
    /// Any other block, with its language.
    case block(String, text: String)
  }

  /// Returns the blocks below a heading of the second level, in order.
  static func pieces(of section: String, in text: String) -> [Piece] { pieces(section, text) }

  /// Returns the blocks of a page, in order.
  static func pieces(in text: String) -> [Piece] { pieces(nil, text) }

  private static func pieces(_ section: String?, _ text: String) -> [Piece] {
    var pieces: [Piece] = []
    var isInside = section == nil
    var name: String?
    var open: (language: String, lines: [Substring])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let block = open {
        guard line == "```" else {
          open?.lines.append(line)
          continue
        }
        let text = block.lines.joined(separator: "\n") + "\n"
        pieces.append(name.map { .file($0, text: text) } ?? .block(block.language, text: text))
        (open, name) = (nil, nil)
      } else if line.hasPrefix("## ") {
        isInside = section.map { line == "## \($0)" } ?? true
      } else if isInside, line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      } else if isInside, let match = line.wholeMatch(of: /`([^`]+)`/) {
        name = String(match.1)
      }
    }
    return pieces
  }
}
