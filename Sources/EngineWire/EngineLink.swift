import Journal
import Recordings
import TriggerModel

/// The connection to one engine process. It sends questions and parses answers.
///
/// It is a class because all copies of an engine share one process. A single run owns it, and calls must not
/// overlap.
final class EngineLink: @unchecked Sendable {
  private let command: EngineCommand
  private let program: EngineProgram
  private var process: (any LineChannel)?
  private var writer: MessageWriter
  private var reader: JournalReader
  /// Checks that requests end correctly, if the engine also decides them.
  private var requestChecker = RequestChecker()
  /// The requests that the system received but whose result has not been sent to the engine yet.
  private var unanswered: [RequestID] = []
  private(set) var greeting: EngineGreeting?
  private(set) var failure: EngineFailure?
  /// The last state that the engine stored.
  var stored: [UInt8] = []
  private(set) var isUnsettled = false
  private(set) var hasMore = false
  /// The last question, or `nil` if it was not addressed to one half.
  private var question: HalfQuestion?
  /// Whether the process was started but has not received a launch yet.
  private(set) var isFresh = false
  private(set) var lastMoment = Moment(
    wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
  private(set) var nanosecondsOfWaiting: UInt64 = 0
  /// The number of questions asked at the current moment.
  private var repetitions = 0
  /// The maximum number of questions at one instant. A correct run asks fewer, even if all reminders of the
  /// largest scenario make requests at the same time.
  private static let maximumAtOneInstant = 100_000
  /// The number of questions, including launches.
  private(set) var questions = 0

  init(_ command: EngineCommand, _ program: EngineProgram) {
    self.command = command
    self.program = program
    writer = MessageWriter(program.names)
    reader = JournalReader(program.names)
  }

  deinit { process?.close(grace: .zero) }

  // MARK: - The process

  /// Ends the previous process, starts a new one, and sends the program to it.
  func start() {
    end()
    guard failure == nil else { return }
    isUnsettled = false
    hasMore = false
    unanswered.removeAll()
    requestChecker.beginProcess()
    // The new process does not know the previous requests.
    writer = MessageWriter(program.names)
    do throws(EngineProcessError) {
      let process = try command.connect(command)
      self.process = process
      writer.hello()
      try send(process)
      let first = try message(of: process, command.startLimit, "\"hello\"")
      guard case .hello(let greeting) = first else { throw unexpected(first, "\"hello\"", process) }
      self.greeting = greeting
      writer.program(stored.isEmpty ? program.line : program.laterLine ?? program.line)
      try send(process)
      let second = try message(of: process, command.startLimit, "\"ready\"")
      guard case .ready = second else { throw unexpected(second, "\"ready\"", process) }
      isFresh = true
    } catch {
      fail(error)
    }
  }

  /// Ends the process.
  func end() {
    guard let process else { return }
    self.process = nil
    writer.end()
    do throws(EngineProcessError) {
      try send(process)
      _ = try process.nextLine(deadline: process.deadline(after: command.farewell))
      throw unasked(process)
    } catch {
      // An engine is allowed to end at this point, so only unexpected output is an error.
      if error.code == .garbled, failure == nil { failure = EngineFailure("\(error)") }
    }
    process.close(grace: command.grace)
  }

  private func fail(_ error: EngineProcessError) {
    if failure == nil { failure = EngineFailure("\(error)") }
    process?.close(grace: .zero)
    process = nil
    isUnsettled = false
    hasMore = false
  }

  // MARK: - Questions

  /// Sends the system's answers to the requests that the engine added. The engine does not reply to this
  /// message.
  func answerAdds(refused: RequestID?) {
    for request in unanswered { writer.answer(request, isAccepted: request != refused) }
    unanswered.removeAll(keepingCapacity: true)
  }

  /// Queues an effect that is sent with the next question.
  func queue(_ effect: EngineEffect, at moment: Moment) { writer.effect(effect, at: moment) }

  /// Queues a request, which is decided when the instant is settled.
  func submit(_ request: NotificationRequest) {
    queue(.request(request), at: lastMoment)
    reader.remember(request)
    _ = requestChecker.request(request.id)
    isUnsettled = true
  }

  /// Sends a question and reads effects up to the end of the answer.
  func ask(
    at moment: Moment, into effects: inout [EngineEffect], _ write: (inout MessageWriter) -> Void
  ) {
    ask(nil, at: moment, into: &effects, write)
  }

  /// Asks one half about the queued effects.
  func ask(_ question: HalfQuestion, at moment: Moment, into effects: inout [EngineEffect]) {
    ask(question, at: moment, into: &effects) { $0.ask(question, at: moment) }
  }

  private func ask(
    _ question: HalfQuestion?, at moment: Moment, into effects: inout [EngineEffect],
    _ write: (inout MessageWriter) -> Void
  ) {
    repetitions = moment == lastMoment ? repetitions + 1 : 0
    lastMoment = moment
    self.question = question
    guard let process, failure == nil else { return }
    if repetitions > Self.maximumAtOneInstant {
      return fail(
        process.failure(
          .endless, "has been asked \(Self.maximumAtOneInstant) times at one instant, which does not end",
          remedy: "let each \"wake\" be for a later instant than the event that it answers"))
    }
    isFresh = false
    questions += 1
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

  private func send(_ process: any LineChannel) throws(EngineProcessError) {
    defer { writer.removeBytes() }
    if process.hasUnread {
      _ = try process.nextLine(deadline: process.deadline(after: command.answerLimit))
      throw unasked(process)
    }
    try process.write(writer.bytes, deadline: process.deadline(after: command.answerLimit))
  }

  private func takeAnswer(
    _ process: any LineChannel, at moment: Moment, into effects: inout [EngineEffect]
  ) throws(EngineProcessError) {
    let form = WireForm.effects(RecordStamp(instant: moment.wall, moment: moment))
    let deadline = process.deadline(after: command.answerLimit)
    requestChecker.beginAnswer(at: moment)
    while true {
      let line = try next(of: process, deadline, "an effect, or \"done\"")
      do throws(ScanProblem) {
        if let message = try EngineMessage(line) {
          guard case .done(let answer) = message else { throw unexpectedHere(message) }
          try finish(answer)
          return
        }
        let record = try record(line, form)
        if record.moment != moment { throw Self.otherMoment }
        guard case .effect(let effect) = record.body else { continue }
        try apply(effect)
        effects.append(effect)
      } catch {
        throw wrong(error, process)
      }
    }
  }

  private func record(
    _ line: UnsafeBufferPointer<UInt8>, _ form: WireForm
  ) throws(ScanProblem) -> JournalRecord {
    do throws(WireProblem) {
      return try reader.read(line, as: form)
    } catch {
      throw error.scanProblem
    }
  }

  private func finish(_ answer: EngineAnswer) throws(ScanProblem) {
    if decides,
      let (id, problem) = requestChecker.unfinished(isUnsettled: answer.isUnsettled || answer.hasMore)
    {
      let name = program.reminderNames[id.reminder.index]
      throw ScanProblem(
        .value, offset: 0, "request \(id.occurrence) of \(name) \(problem)",
        remedy: "write the outcome of each request")
    }
    isUnsettled = answer.isUnsettled
    hasMore = answer.hasMore
  }

  /// Updates the state of the connection after an effect.
  private func apply(_ effect: EngineEffect) throws(ScanProblem) {
    if let only = greeting?.onlyCapability {
      guard only.mayWrite(effect) else { throw Self.notClaimed(only) }
      guard only.mayWrite(effect, answering: question) else { throw Self.noAnswer }
    }
    var objection: RequestChecker.Objection?
    switch effect {
    case .request(let request): if matches { objection = requestChecker.request(request.id) }
    case .decided(let request, let decision): objection = requestChecker.decided(request.id, decision.outcome)
    case .dropped(let request, _): objection = requestChecker.dropped(request.id)
    case .remove(let id, _): objection = requestChecker.dropped(id)
    case .add(let request):
      objection = requestChecker.added(request.id)
      unanswered.append(request.id)
    case .persist: stored = reader.state ?? stored
    default: break
    }
    if let objection { throw Self.problem("reminder", objection.problem, objection.remedy) }
  }

  private var matches: Bool { greeting?.capabilities.contains(.match) ?? true }
  private var decides: Bool { greeting?.capabilities.contains(.caps) ?? true }

  private func message(
    of process: any LineChannel, _ limit: Duration, _ expected: String
  ) throws(EngineProcessError) -> EngineMessage? {
    let line = try next(of: process, process.deadline(after: limit), expected)
    do throws(ScanProblem) {
      return try EngineMessage(line)
    } catch {
      throw wrong(error, process)
    }
  }

  /// Returns the next line. If there is none, throws an error that describes the expected line.
  private func next(
    of process: any LineChannel, _ deadline: LineProcess.Deadline, _ expected: String
  ) throws(EngineProcessError) -> UnsafeBufferPointer<UInt8> {
    do throws(EngineProcessError) {
      return try process.nextLine(deadline: deadline)
    } catch {
      throw error.awaiting(expected, line: process.linesRead + 1)
    }
  }
}

/// Errors in the output of an engine.
extension EngineLink {
  func wrong(_ problem: ScanProblem, _ process: any LineChannel) -> EngineProcessError {
    process.failure(
      .garbled,
      "has written an invalid message in line \(process.linesRead) of its output, column "
        + "\(problem.offset + 1): \(problem.message)",
      remedy: problem.remedy)
  }

  func unexpected(
    _ message: EngineMessage?, _ expected: String, _ process: any LineChannel
  ) -> EngineProcessError {
    if case .failed(let why)? = message {
      return process.failure(.refused, "has given up: \(why)", remedy: "see its own messages")
    }
    return process.failure(
      .garbled, "has written something other than \(expected) in line \(process.linesRead) of its output",
      remedy: "see the order of messages in the documentation of the protocol")
  }

  /// Returns the error for unrequested output, which is the last line that was read.
  func unasked(_ process: any LineChannel) -> EngineProcessError {
    process.failure(
      .garbled,
      "has written line \(process.linesRead) of its output without being asked: \"done\" ends an answer",
      remedy: "write effects, and \"done\" once at the end")
  }

  func unexpectedHere(_ message: EngineMessage) -> ScanProblem {
    if case .failed(let why) = message {
      return ScanProblem(.value, offset: 0, "the engine has given up: \(why)", remedy: "see its own messages")
    }
    return ScanProblem(
      .value, offset: 0, "this message cannot be part of an answer",
      remedy: "write effects, and \"done\" at the end")
  }

  static let otherMoment = problem(
    "wall", "the moment differs from that of the question",
    "write the clocks of the question, or leave them out")

  static func notClaimed(_ only: EngineGreeting.Capability) -> ScanProblem {
    problem(
      "event", "this is not for an engine that claims only \"\(only.rawValue)\"",
      "leave it to the bench, or claim \"match\" and \"caps\"")
  }

  static let noAnswer = problem(
    "event", "this does not answer the question",
    "see the answers to each question in the documentation of the protocol"
  )

  static func problem(_ field: String, _ message: String, _ remedy: String) -> ScanProblem {
    ScanProblem(.value, offset: 0, "in \"\(field)\": \(message)", remedy: remedy)
  }
}

extension EngineGreeting {
  /// The engine's only capability, or `nil` if it has both.
  package var onlyCapability: Capability? { capabilities.count == 1 ? capabilities.first : nil }
}

extension EngineGreeting.Capability {
  /// Returns whether an engine with only this capability may write an effect.
  func mayWrite(_ effect: EngineEffect) -> Bool {
    switch effect {
    case .persist, .storeUnusable: true
    case .request, .remove: true
    case .noRequest, .withdraw, .removeShown, .monitor, .unmonitor, .watch, .unwatch, .wake: self == .match
    case .decided, .dropped, .add, .wakeForRelease: self == .caps
    }
  }

  /// Returns whether an effect is allowed in the answer to a question. The question is `nil` for events and
  /// for messages that every engine receives.
  func mayWrite(_ effect: EngineEffect, answering question: HalfQuestion?) -> Bool {
    switch (self, question, effect) {
    case (.match, .release, .remove), (.caps, .release, .request): true
    case (_, .release, _), (.caps, _, .request): false
    case (.match, .settled, .request), (.match, .settled, .remove), (.match, .settled, .withdraw): false
    default: true
    }
  }
}

extension EngineProcessError {
  /// Returns the error, extended with a description of the expected line.
  func awaiting(_ expected: String, line: Int) -> EngineProcessError {
    // These errors already state the line.
    guard code != .lineTooLong, code != .notUTF8 else { return self }
    var error = self
    error.message += ": line \(line) of its output should be \(expected)"
    return error
  }
}

extension EngineProcessError.Code {
  /// The process wrote a line that is not part of the protocol.
  static let garbled = Self("garbled")
  /// The engine reports more work for the same instant without end.
  static let endless = Self("endless")
  /// The engine reported that it cannot continue.
  static let refused = Self("refused")
}
