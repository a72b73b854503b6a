import DeviceSimulation
import Foundation
import Journal
import Recordings
import TextFormats
import TriggerModel

/// Reads the decisions of a run from a file that contains the journals of all its scenarios.
struct JournalRun {
  private var scenarios: [RecordedScenario] = []
  private var requests = JournalRequests()
  /// The number of records read so far in the current scenario, or `nil` between scenarios.
  private var records: Int?
  private let decoder = JSONDecoder()

  /// - Throws: A diagnostic for the first line that is not a line of a journal.
  static func read(_ data: Data, file: String) throws(Diagnostic) -> RecordedRun {
    var run = JournalRun()
    var number = 0
    for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty { continue }
      if DecisionLine.isNone(line) {
        run.records? += 1
        continue
      }
      let problem: WireProblem
      do throws(WireProblem) {
        try run.take(line)
        continue
      } catch {
        problem = error
      }
      throw Self.diagnostic(problem, file: file, line: number)
    }
    if run.records != nil { throw Self.diagnostic(.noEnd, file: file, line: number) }
    return RecordedRun(source: .journal, scenarios: run.scenarios)
  }

  private static func diagnostic(_ problem: WireProblem, file: String, line: Int) -> Diagnostic {
    let problem = problem.scanProblem
    let place = SourcePosition(line: line, column: problem.offset + 1)
    return Diagnostic(problem.message, file: file, at: place, hint: problem.remedy)
  }

  private mutating func take(_ line: Data) throws(WireProblem) {
    guard let records else {
      let header = try Array(line).withUnsafeBufferPointer(JournalHeader.init)
      scenarios.append(
        RecordedScenario(
          file: header.file, title: header.scenario, profile: header.profile, seed: "\(header.seed)"))
      self.records = 0
      return
    }
    if let end = try Array(line).withUnsafeBufferPointer(JournalEnd.init) {
      if end.records != records { throw .noEnd }
      return closeScenario()
    }
    guard let record = try? decoder.decode(JournalLine.self, from: line) else { throw .noRecord }
    self.records = records + 1
    requests.take(record)
  }

  private mutating func closeScenario() {
    records = nil
    let last = scenarios.count - 1
    (scenarios[last].decisions, scenarios[last].declined) = requests.closed()
    scenarios[last].metrics = requests.metrics
    requests = JournalRequests()
  }
}

extension WireProblem {
  fileprivate static let noEnd = WireProblem(
    .syntax, offset: 0, field: nil, "the journal is cut off: the end of its run is missing",
    remedy: "run the scenario again until it ends")
  fileprivate static let noRecord = WireProblem(
    .syntax, offset: 0, field: nil, "this is not a line of a journal",
    remedy: "write journals with 'triggerbench run --journal FILE'")
}

/// The keys of a journal record that a comparison reads. Every record has `track`. The other keys are
/// optional.
struct JournalLine: Decodable {
  var track: String
  var event: String?
  var t: String?
  var wall: String?
  var device: String?
  var person: Int?
  var reminder: String?
  var occurrence: UInt32?
  var scheduledFor: String?
  var outcome: String?
  var reason: String?
  var failed: [String]?
  var surface: String?
  var cause: String?

  /// The kind of the line, or `nil` if the line affects no decision.
  var kind: DecisionLine? { DecisionLine.named[track].flatMap { $0[event ?? ""] } }
}

extension DecisionLine {
  /// The first bytes of each track's lines, with the first bytes of the events that affect decisions.
  private static let starts = DecisionLine.named.map { track, lines in
    (Data("{\"track\":\"\(track)\",\"event\":\"".utf8), lines.keys.map { Data("\($0)\"".utf8) })
  }

  /// Returns whether the first bytes already show that the line affects no decision, as most lines do.
  fileprivate static func isNone(_ line: Data) -> Bool {
    for (track, events) in starts where line.starts(with: track) {
      let event = line.dropFirst(track.count)
      return !events.contains { event.starts(with: $0) }
    }
    return false
  }
}

/// A kind of journal line that affects the outcome of a reminder.
///
/// The switches cover every word of the journal, so a new word must be classified before the code compiles.
enum DecisionLine: CaseIterable {
  case request, noRequest, notRequested, decided, dropped
  case refused, removed, repeated, delivered, presentedLate
  case tapped, dismissed

  init?(_ word: EngineEffect.Word) {
    switch word {
    case .request: self = .request
    case .noRequest: self = .noRequest
    case .decided: self = .decided
    case .dropped: self = .dropped
    // A withdrawal takes effect only when the system removes the request.
    case .add, .remove, .withdraw, .removeShown, .monitor, .unmonitor, .watch, .unwatch, .wake,
      .wakeForRelease, .persist, .storeUnusable:
      return nil
    }
  }

  init?(_ word: PhoneOutcome.Word) {
    switch word {
    case .refused: self = .refused
    case .removed: self = .removed
    case .repeated: self = .repeated
    case .delivered: self = .delivered
    case .presentedLate: self = .presentedLate
    case .reserved, .rescheduled, .regionSuppressed, .missed, .falseSign, .prompted, .promptedLocation,
      .promptedScreenTime, .readingChanged, .ignored:
      return nil
    }
  }

  init?(_ word: DueRequest.Word) {
    switch word {
    case .notRequested: self = .notRequested
    case .due, .uncalledFor: return nil
    }
  }

  /// Classifies an event of the truth track.
  init?(_ kind: ObservedEvent.Kind) {
    switch kind {
    case .tapped: self = .tapped
    case .dismissed: self = .dismissed
    default: return nil
    }
  }

  /// The kinds of lines, by track and event. Every track has an entry.
  static let named = Dictionary(
    uniqueKeysWithValues: JournalRecord.Body.Track.allCases.map { ("\($0)", lines(of: $0)) })

  private static func lines(of track: JournalRecord.Body.Track) -> [String: DecisionLine] {
    switch track {
    case .effect: lines(EngineEffect.Word.allCases, Self.init)
    case .outcome: lines(PhoneOutcome.Word.allCases, Self.init)
    case .truth: lines(ObservedEvent.Kind.allCases, Self.init)
    case .due: lines(DueRequest.Word.allCases, Self.init)
    case .happened, .observed, .link, .app, .person, .sync: [:]
    }
  }

  private static func lines<Word>(
    _ words: [Word], _ line: (Word) -> DecisionLine?
  ) -> [String: DecisionLine] {
    Dictionary(uniqueKeysWithValues: words.compactMap { word in line(word).map { ("\(word)", $0) } })
  }
}

/// Collects the requests of one scenario and their outcomes, line by line.
private struct JournalRequests {
  private struct Name: Hashable {
    var reminder: String
    var device: String
    var person: Int
    var occurrence: UInt32
  }

  private static let waits = "is pending at the end of the run"
  private static let isDeferred = "is deferred to after the run"

  private struct Request {
    var decision: RecordedDecision
    var isAdmitted: Bool
    /// Whether a later plan replaced the request before it was due. Such requests do not count.
    var isReplaced = false
    /// Whether the system has delivered or lost the request.
    var isOver = false
  }

  private var requests: [Request] = []
  /// The index of the latest request with each name. If the system repeats a request, several have the same
  /// name.
  private var latest: [Name: Int] = [:]
  /// The number of requests at each occasion. The repetition of a key is 0.
  private var repetitions: [RecordedDecision.Occasion: Int] = [:]
  private var declined: [RecordedDecision.Occasion: String] = [:]
  private var tapped = 0
  private var dismissed = 0

  mutating func take(_ line: JournalLine) {
    guard let reminder = line.reminder, let wall = line.wall, let kind = line.kind else { return }
    let name = Name(
      reminder: reminder, device: line.device ?? "", person: line.person ?? 0,
      occurrence: line.occurrence ?? 0)
    switch kind {
    case .request: open(name, for: line.scheduledFor ?? wall, line)
    case .noRequest:
      var words = "is not requested"
      if let reason = line.reason { words += ": " + reason }
      if let failed = line.failed, !failed.isEmpty { words += " (" + failed.joined(separator: ", ") + ")" }
      declined[occasion(name, wall)] = words
    case .notRequested:
      declined[occasion(name, line.scheduledFor ?? wall)] =
        "is not requested: " + Reason.notRequested.name
    case .decided: decide(name, line)
    case .dropped:
      replace(name, line.reason)
      end(name, "is dropped", line.reason)
    case .refused:
      change(name) { $0.isAdmitted = false }
      end(name, "is rejected by the phone", line.reason)
    case .removed:
      change(name) { request in
        request.isOver = true
        if line.reason == Reason.quietHours.name { request.isAdmitted = false }
      }
      replace(name, line.reason)
      end(name, line.reason == Reason.quietHours.name ? Self.isDeferred : "is withdrawn", line.reason)
    case .repeated:
      guard let place = latest[name] else { break }
      // The system keeps a pending request, so this line only sets the request's next occurrence.
      if requests[place].isOver { open(name, for: line.scheduledFor ?? wall, line) }
    case .delivered:
      change(name) { $0.isOver = true }
      switch Presentation.Surface.allCases.first(where: { "\($0)" == line.surface }) {
      case .none?: end(name, "is delivered but not shown", line.cause)
      case .list: expose(name, at: wall, "fires, in the list only")
      case .banner, nil: expose(name, at: wall, "fires")
      }
    case .presentedLate: expose(name, at: wall, "fires")
    case .tapped: tapped += 1
    case .dismissed: dismissed += 1
    }
  }

  /// Returns the decisions in the order of the requests, and the reasons of triggers without a request.
  func closed() -> ([RecordedDecision], [RecordedDecision.Occasion: String]) {
    (requests.map(\.decision), declined)
  }

  /// The metrics, computed as in a report.
  var metrics: [RecordedMetric] {
    let counted = requests.filter { !$0.isReplaced }
    return [
      RecordedMetric(name: "requests", numerator: counted.count),
      RecordedMetric(name: "exposed", numerator: counted.count { $0.decision.fate.shownAt != nil }),
      RecordedMetric(name: "tapped", numerator: tapped),
      RecordedMetric(name: "dismissed", numerator: dismissed),
      RecordedMetric(
        name: "fireRate", numerator: counted.count(where: \.isAdmitted), denominator: counted.count),
    ]
  }

  private func occasion(_ name: Name, _ time: String) -> RecordedDecision.Occasion {
    RecordedDecision.Occasion(
      reminder: name.reminder, device: name.device, person: name.person, time: time, repetition: 0)
  }

  private mutating func open(_ name: Name, for time: String, _ line: JournalLine) {
    var occasion = occasion(name, time)
    let repetition = repetitions[occasion, default: 0]
    repetitions[occasion] = repetition + 1
    occasion.repetition = repetition
    // The system repeats only admitted requests.
    let isAdmitted = line.kind == .repeated
    latest[name] = requests.count
    let decision = RecordedDecision(
      occasion: occasion, askedAt: line.t ?? "", fate: Fate(words: Self.waits))
    requests.append(Request(decision: decision, isAdmitted: isAdmitted))
  }

  private mutating func decide(_ name: Name, _ line: JournalLine) {
    switch Decision.Outcome.allCases.first(where: { "\($0)" == line.outcome }) {
    case .admit:
      change(name) { $0.isAdmitted = true }
      end(name, Self.waits, nil)
    case .deny: end(name, "is denied", line.reason)
    case .defer: end(name, Self.isDeferred, line.reason)
    case .fail, nil: end(name, "fails", line.reason)
    }
  }

  /// Modifies the latest request with the given name.
  private mutating func change(_ name: Name, _ body: (inout Request) -> Void) {
    if let place = latest[name] { body(&requests[place]) }
  }

  /// Marks the request as replaced if a later plan superseded it.
  private mutating func replace(_ name: Name, _ reason: String?) {
    guard reason == Reason.superseded.name else { return }
    change(name) { $0.isReplaced = $0.decision.fate.shownAt == nil }
  }

  private mutating func expose(_ name: Name, at wall: String, _ words: String) {
    guard let place = latest[name], requests[place].decision.fate.shownAt == nil else { return }
    requests[place].decision.fate = Fate(shownAt: wall, words: words)
  }

  /// Sets the outcome of a request, unless its notification was exposed.
  private mutating func end(_ name: Name, _ words: String, _ reason: String?) {
    guard let place = latest[name], requests[place].decision.fate.shownAt == nil else { return }
    requests[place].decision.fate = Fate(words: reason.map { words + " by " + $0 } ?? words, reason: reason)
  }
}
