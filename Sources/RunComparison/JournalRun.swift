import Foundation
import Journal
import TextFormats

/// Reads the decisions of a run from its journals, one after the other in one file.
struct JournalRun {
  private var scenarios: [RecordedScenario] = []
  private var requests = OpenRequests()
  /// Of the scenario that has not ended yet, how many records were read.
  private var records: Int?
  private let decoder = JSONDecoder()

  /// - Throws: The first line that is none of a journal.
  static func read(_ data: Data, file: String) throws(Diagnostic) -> RecordedRun {
    var run = JournalRun()
    var number = 0
    for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty { continue }
      if Uninteresting.isOne(line) {
        run.records? += 1
        continue
      }
      let problem: Problem
      do throws(Problem) {
        try run.take(line)
        continue
      } catch {
        problem = error
      }
      throw Diagnostic(
        problem.rawValue, file: file, at: SourcePosition(line: number, column: 1),
        hint: "write journals with 'triggerbench run --journal FILE'")
    }
    if run.records != nil {
      throw Diagnostic(
        Problem.noEnd.rawValue, file: file, at: SourcePosition(line: number, column: 1),
        hint: "run it again, and let the run end")
    }
    return RecordedRun(source: .journal, scenarios: run.scenarios)
  }

  private enum Problem: String, Error {
    case noJournal = "this is no line of a journal"
    case version = "this journal is of another version of the form"
    case noEnd = "the journal is cut off: its run does not end"
  }

  private mutating func take(_ line: Data) throws(Problem) {
    guard let line = try? decoder.decode(JournalLine.self, from: line) else { throw .noJournal }
    switch line.form {
    case JournalHeader.form:
      if records != nil { throw .noEnd }
      if line.version != JournalHeader.version { throw .version }
      records = 0
      scenarios.append(
        RecordedScenario(
          file: line.file ?? "", title: line.scenario ?? "", profile: line.profile ?? "",
          seed: line.seed.map { "\($0)" } ?? ""))
    case JournalEnd.form:
      if records == nil || line.records != records { throw .noEnd }
      closeScenario()
    case nil:
      if records == nil { throw .noJournal }
      records? += 1
      requests.take(line)
    default: throw .noJournal
    }
  }

  private mutating func closeScenario() {
    records = nil
    let last = scenarios.count - 1
    (scenarios[last].decisions, scenarios[last].declined) = requests.closed()
    scenarios[last].metrics = requests.metrics
    requests = OpenRequests()
  }
}

/// What is read of a line; every key is of some lines only.
struct JournalLine: Decodable {
  var form: String?
  var version: Int?
  var records: Int?
  var file: String?
  var scenario: String?
  var profile: String?
  var seed: UInt64?
  var track: String?
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

  /// Nil: it says nothing of a decision.
  var kind: DecisionLine? { track.flatMap { DecisionLine.named[$0] }.flatMap { $0[event ?? ""] } }
}

/// Lines that say nothing about a decision, told by how they begin: most of a journal.
enum Uninteresting {
  /// What a decision follows from, by track.
  private static let events = DecisionLine.named.map { track, lines in
    (Data("{\"track\":\"\(track)\",\"event\":\"".utf8), lines.keys.map { Data("\($0)\"".utf8) })
  }

  static func isOne(_ line: Data) -> Bool {
    for (track, events) in events where line.starts(with: track) {
      let event = line.dropFirst(track.count)
      return !events.contains { event.starts(with: $0) }
    }
    return false
  }
}
