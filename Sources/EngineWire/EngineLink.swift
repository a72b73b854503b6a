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
  private var process: (any LineChannel)?
  private var writer: MessageWriter
  private var reader: JournalReader
  /// Of a whole engine, and of one that decides.
  private var book = RequestBook()
  /// Requests that were handed to the system, and whose answers the engine has not been told.
  private var unanswered: [RequestID] = []
  private(set) var greeting: EngineGreeting?
  private(set) var failure: EngineFailure?
  /// What the engine wants to be stored.
  var stored: [UInt8] = []
  private(set) var isUnsettled = false
  private(set) var hasMore = false
  /// What one half was asked last, if it was that.
  private var question: HalfQuestion?
  /// The process was started, and told of no launch yet.
  private(set) var isFresh = false
  private(set) var lastMoment = Moment(
    wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
  private(set) var nanosecondsOfWaiting: UInt64 = 0
  /// How often it was asked at the last moment.
  private var repetitions = 0
  /// More than any sound story asks at one instant: every reminder of the largest may ask and be answered.
  private static let mostAtOneInstant = 100_000
  /// What it was asked, launches included.
  private(set) var questions = 0

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
    book.beginProcess()
    // The process has not heard of any request.
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

  /// Lets the process end by itself, and sees to it that it does.
  func end() {
    guard let process else { return }
    self.process = nil
    writer.end()
    do throws(EngineProcessError) {
      try send(process)
      _ = try process.nextLine(deadline: process.deadline(after: command.farewell))
      throw unasked(process)
    } catch {
      // That it ends, or has ended already, is no harm now.
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

  // MARK: - Asking

  /// Tells the engine what the system said to its adds; it does not answer to that.
  func answerAdds(refused: RequestID?) {
    for request in unanswered { writer.answer(request, isAccepted: request != refused) }
    unanswered.removeAll(keepingCapacity: true)
  }

  /// Writes something in front of the next question; it is sent with that.
  func tell(_ effect: EngineEffect, at moment: Moment) { writer.told(effect, at: moment) }

  /// Tells a request that is to be decided when the instant is settled.
  func submit(_ request: NotificationRequest) {
    tell(.request(request), at: lastMoment)
    reader.remember(request)
    _ = book.request(request.id)
    isUnsettled = true
  }

  /// Writes something, and takes the effects up to the end of the answer.
  func ask(
    at moment: Moment, into effects: inout [EngineEffect], _ write: (inout MessageWriter) -> Void
  ) {
    ask(nil, at: moment, into: &effects, write)
  }

  /// Asks one half, after it was told what it is about.
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
    if repetitions > Self.mostAtOneInstant {
      return fail(
        process.failure(
          .endless, "has been asked \(Self.mostAtOneInstant) times at one instant, and it does not end",
          remedy: "see that a \"wake\" is for a later instant than the event that it answers"))
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
    book.beginAnswer(at: moment)
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
        try take(effect)
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
    if decides, let (id, what) = book.unfinished(isUnsettled: answer.isUnsettled || answer.hasMore) {
      let name = program.reminderNames[id.reminder.index]
      throw ScanProblem(
        .value, offset: 0, "request \(id.occurrence) of \(name) \(what)",
        remedy: "say of each request what becomes of it")
    }
    isUnsettled = answer.isUnsettled
    hasMore = answer.hasMore
  }

  /// Takes in what an effect means to the conversation.
  private func take(_ effect: EngineEffect) throws(ScanProblem) {
    if let only = greeting?.onlyCapability {
      guard only.mayWrite(effect) else { throw Self.notClaimed(only) }
      guard only.mayWrite(effect, answering: question) else { throw Self.noAnswer }
    }
    var objection: RequestBook.Objection?
    switch effect {
    case .request(let request): if matches { objection = book.request(request.id) }
    case .decided(let request, let decision): objection = book.decided(request.id, decision.outcome)
    case .dropped(let request, _): objection = book.gaveUp(request.id)
    case .remove(let id, _): objection = book.gaveUp(id)
    case .add(let request):
      objection = book.added(request.id)
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

  /// The next line. Where there is none, the error says what it had to be.
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
