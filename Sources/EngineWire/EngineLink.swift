import EngineProcess
import Journal
import Recordings
import TriggerModel

/// The conversation with one engine process: asks, and takes the answer apart.
///
/// A class, because there is one process however often the engine is copied; one run owns it, and its calls
/// do not overlap.
final class EngineLink: @unchecked Sendable {
  private let command: EngineCommand
  private let program: EngineProgram
  private var process: LineProcess?
  private var writer: MessageWriter
  private var reader: JournalReader
  /// Requests that were handed to the system, and whose answers the engine has not been told.
  private var unanswered: [RequestID] = []
  private(set) var greeting: EngineGreeting?
  private(set) var failure: EngineFailure?
  private(set) var stored: [UInt8] = []
  private(set) var isUnsettled = false
  private(set) var hasMore = false
  private(set) var lastMoment = Moment(
    wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
  private(set) var nanosecondsOfWaiting: UInt64 = 0

  init(_ command: EngineCommand, _ program: EngineProgram) {
    self.command = command
    self.program = program
    writer = MessageWriter(program.names)
    reader = JournalReader(program.names)
  }

  deinit { process?.close(grace: .zero) }

  // MARK: - The process

  /// Starts a process, after the end of the one before, and tells it the program.
  func start() {
    end()
    guard failure == nil else { return }
    isUnsettled = false
    hasMore = false
    unanswered.removeAll()
    do throws(EngineProcessError) {
      let process = try LineProcess(
        command: command.command, environment: command.environment, stopwatch: command.stopwatch,
        receive: command.log)
      self.process = process
      writer.hello()
      try send(process)
      let first = try message(of: process, command.startLimit)
      guard case .hello(let greeting) = first else { throw unexpected(first, "\"hello\"", process) }
      self.greeting = greeting
      guard greeting.capabilities.count == EngineGreeting.Capability.allCases.count else {
        let only = greeting.capabilities.map(\.rawValue).sorted().joined(separator: ", ")
        throw process.failure(
          .refused, "says that it can only \(only), and would leave the rest to nobody",
          remedy: "let it do both, \"match\" and \"caps\"; engines of one half are not tested yet")
      }
      writer.program(program.line)
      try send(process)
      let second = try message(of: process, command.startLimit)
      guard case .ready = second else { throw unexpected(second, "\"ready\"", process) }
    } catch {
      fail(error)
    }
  }

  /// Lets the process end by itself, and sees to it that it does.
  func end() {
    guard let process else { return }
    self.process = nil
    writer.end()
    // It may have ended already, which is no harm now.
    try? send(process)
    process.close(grace: command.grace)
  }

  private func fail(_ error: EngineProcessError) {
    if failure == nil { failure = EngineFailure("\(error)") }
    process?.close(grace: .zero)
    process = nil
    isUnsettled = false
    hasMore = false
  }

  // MARK: - Asking

  /// Tells the engine what the system said to its adds; it does not answer to that.
  func answerAdds(refused: RequestID?) {
    for request in unanswered { writer.answer(request, isAccepted: request != refused) }
    unanswered.removeAll(keepingCapacity: true)
  }

  /// Writes something, and takes the effects up to the end of the answer.
  func ask(
    at moment: Moment, into effects: inout [EngineEffect], _ write: (inout MessageWriter) -> Void
  ) {
    lastMoment = moment
    guard let process, failure == nil else { return }
    write(&writer)
    do throws(EngineProcessError) {
      let start = command.stopwatch()
      defer { nanosecondsOfWaiting &+= command.stopwatch() &- start }
      try send(process)
      try takeAnswer(process, at: moment, into: &effects)
    } catch {
      fail(error)
    }
  }

  private func send(_ process: LineProcess) throws(EngineProcessError) {
    defer { writer.removeBytes() }
    try process.write(writer.bytes, deadline: process.deadline(after: command.answerLimit))
  }

  private func takeAnswer(
    _ process: LineProcess, at moment: Moment, into effects: inout [EngineEffect]
  ) throws(EngineProcessError) {
    let form = WireForm.effects(WireStamp(instant: moment.wall, moment: moment))
    let deadline = process.deadline(after: command.answerLimit)
    while true {
      let line = try process.nextLine(deadline: deadline)
      do throws(ScanProblem) {
        if let message = try EngineMessage(line) {
          guard case .done(let answer) = message else { throw unexpectedHere(message) }
          isUnsettled = answer.isUnsettled
          hasMore = answer.hasMore
          return
        }
        do throws(WireProblem) {
          take(try reader.read(line, as: form).body, into: &effects)
        } catch {
          throw error.scanProblem
        }
      } catch {
        throw wrong(error, process)
      }
    }
  }

  private func take(_ body: JournalRecord.Body, into effects: inout [EngineEffect]) {
    guard case .effect(let effect) = body else { return }
    switch effect {
    case .persist: stored = reader.state ?? stored
    case .add(let request): unanswered.append(request.id)
    default: break
    }
    effects.append(effect)
  }

  private func message(
    of process: LineProcess, _ limit: Duration
  ) throws(EngineProcessError) -> EngineMessage? {
    let line = try process.nextLine(deadline: process.deadline(after: limit))
    do throws(ScanProblem) {
      return try EngineMessage(line)
    } catch {
      throw wrong(error, process)
    }
  }

  // MARK: - What can be wrong

  private func wrong(_ problem: ScanProblem, _ process: LineProcess) -> EngineProcessError {
    process.failure(
      .garbled,
      "has written what the protocol does not know, in line \(process.linesRead) of its output, column "
        + "\(problem.offset + 1): \(problem.message)",
      remedy: problem.remedy)
  }

  private func unexpected(
    _ message: EngineMessage?, _ expected: String, _ process: LineProcess
  ) -> EngineProcessError {
    if case .failed(let why)? = message {
      return process.failure(.refused, "has given up: \(why)", remedy: "see its own messages")
    }
    return process.failure(
      .garbled, "was to say \(expected) in line \(process.linesRead) of its output, and said something else",
      remedy: "see the order of messages in the documentation of the protocol")
  }

  private func unexpectedHere(_ message: EngineMessage) -> ScanProblem {
    if case .failed(let why) = message {
      return ScanProblem(.value, offset: 0, "the engine has given up: \(why)", remedy: "see its own messages")
    }
    return ScanProblem(
      .value, offset: 0, "this message has no place in an answer",
      remedy: "write effects, and \"done\" at the end")
  }
}

extension EngineProcessError.Code {
  /// A line is not of the protocol.
  static let garbled = Self("garbled")
  /// The engine said itself that it cannot go on.
  static let refused = Self("refused")
}
