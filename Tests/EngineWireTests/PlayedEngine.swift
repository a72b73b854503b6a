import EngineWire
import Journal
import Simulation
import Synchronization
import TriggerModel

@testable import TestBench

/// The questions and answers of all processes of a run.
struct Transcript: Sendable {
  struct Exchange: Sendable {
    /// The index of the engine's process.
    var process: Int
    /// The lines that the bench sent.
    var asked: [UInt8]
    /// The lines that the engine sent, without their line ends.
    var answer: [[UInt8]]
  }

  var exchanges: [Exchange] = []
  /// The index of the exchange during which the engine ends.
  var end: Int?

  /// Returns the number of lines that the process had written before an exchange.
  func linesBefore(_ exchange: Int) -> Int {
    let process = exchanges[exchange].process
    return exchanges[..<exchange].reduce(0) { $0 + ($1.process == process ? $1.answer.count : 0) }
  }
}

/// An engine without a system process: either the built-in engine behind the wire, or a recorded transcript.
final class PlayedEngine: Sendable {
  struct State: Sendable {
    var processes = 0
    /// The recorded exchanges.
    var transcript = Transcript()
    /// The answers that have not been used yet, by question.
    var answers: [[UInt8]: [(answer: [[UInt8]], isLast: Bool)]] = [:]
    /// The lines that the bench has read.
    var taken: [[UInt8]] = []
  }

  let state: Mutex<State>
  private let claims: [Set<EngineGreeting.Capability>]?

  /// Creates the built-in engine.
  convenience init(claims: Set<EngineGreeting.Capability> = [.match, .caps]) {
    self.init(claimsOfProcesses: [claims])
  }

  /// Creates a built-in engine that has different capabilities in each process. Further processes have the
  /// capabilities of the last one.
  init(claimsOfProcesses claims: [Set<EngineGreeting.Capability>]) {
    self.claims = claims
    state = Mutex(State())
  }

  /// Creates an engine that replays a transcript. Its answer to an unknown question is empty.
  init(playing transcript: Transcript) {
    claims = nil
    var start = State()
    for (index, exchange) in transcript.exchanges.enumerated() {
      start.answers[exchange.asked, default: []].append((exchange.answer, index == transcript.end))
    }
    state = Mutex(start)
  }

  var command: EngineCommand {
    var command = EngineCommand("played", environment: [:]) { 0 }
    command.connect = { [self] (_) throws(EngineProcessError) in
      let number = state.withLock { state in
        state.processes += 1
        return state.processes - 1
      }
      let own = claims.map { $0[min(number, $0.count - 1)] }
      return Channel(self, number, own.map { EngineServer(version: "test", claims: $0) })
    }
    return command
  }

  /// Runs a scenario with the engine.
  ///
  /// - Returns: All records of the run, as lines.
  func journal(of program: Program, _ setup: EngineProgram? = nil) throws(EngineFailure) -> [UInt8] {
    var journal = JournalLines(program.wireNames)
    let sent: EngineProgram
    if let setup { sent = setup } else { sent = try EngineProgram(program) }
    // Create one engine per device, as every run does.
    let engines = program.devices.map { _ in ExternalEngine(command, program: sent) }
    var world = World(program: program) { engines[$0] }
    world.run(into: &journal)
    for engine in engines {
      engine.end()
      if let failure = engine.failure { throw failure }
    }
    return journal.bytes
  }

  private final class Channel: LineChannel, @unchecked Sendable {
    private let engine: PlayedEngine
    private let number: Int
    private var server: EngineServer?
    private var waiting: [[UInt8]] = []
    private var hasEnded = false
    private var line: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 0)
    private(set) var linesRead = 0
    var hasUnread: Bool { !waiting.isEmpty }

    init(_ engine: PlayedEngine, _ number: Int, _ server: EngineServer?) {
      (self.engine, self.number, self.server) = (engine, number, server)
    }

    deinit { line.deallocate() }

    func write(_ bytes: [UInt8], deadline: LineProcess.Deadline) throws(EngineProcessError) {
      let answer = try server == nil ? played(bytes) : served(bytes)
      engine.state.withLock {
        $0.transcript.exchanges.append(.init(process: number, asked: bytes, answer: answer))
      }
      waiting += answer
    }

    private func served(_ bytes: [UInt8]) throws(EngineProcessError) -> [[UInt8]] {
      var output: [UInt8] = []
      for asked in bytes.split(separator: UInt8(ascii: "\n")) {
        do {
          try asked.withUnsafeBufferPointer { try server?.answer($0, into: &output) }
        } catch {
          throw failure(.exited(1), "\(error)", remedy: "")
        }
      }
      return output.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    private func played(_ bytes: [UInt8]) -> [[UInt8]] {
      engine.state.withLock { state in
        guard state.answers[bytes]?.isEmpty == false, let next = state.answers[bytes]?.removeFirst() else {
          if bytes.starts(with: Array(#"{"message":"end"}"#.utf8)) { return [] }
          return [Array(#"{"message":"done","unsettled":false}"#.utf8)]
        }
        hasEnded = next.isLast
        return next.answer
      }
    }

    func nextLine(
      deadline: LineProcess.Deadline
    ) throws(EngineProcessError) -> UnsafeBufferPointer<UInt8> {
      guard !waiting.isEmpty else {
        if hasEnded { throw failure(.exited(0), "ended with status 0 before it answered", remedy: "") }
        throw failure(.timedOut, "has not answered within \(deadline.limit)", remedy: "")
      }
      let next = waiting.removeFirst()
      engine.state.withLock { $0.taken.append(next) }
      linesRead += 1
      line.deallocate()
      line = .allocate(capacity: next.count)
      _ = line.initialize(from: next)
      return UnsafeBufferPointer(line)
    }

    func deadline(after limit: Duration) -> LineProcess.Deadline {
      LineProcess.Deadline(nanoseconds: 0, limit: limit)
    }

    func failure(
      _ code: EngineProcessError.Code, _ message: String, remedy: String
    ) -> EngineProcessError {
      EngineProcessError(code, command: "played \(number)", message, remedy: remedy)
    }

    func close(grace: Duration) -> LineProcess.Ending { .exited(0) }
  }
}
