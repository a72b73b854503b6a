import Foundation
import Journal
import Recordings
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
    requests = OpenRequests()
  }
}

extension WireProblem {
  fileprivate static let noEnd = WireProblem(
    .syntax, offset: 0, field: nil, "the journal is cut off: its run does not end",
    remedy: "run it again, and let the run end")
  fileprivate static let noRecord = WireProblem(
    .syntax, offset: 0, field: nil, "this is no line of a journal",
    remedy: "write journals with 'triggerbench run --journal FILE'")
}

/// What is read of a record; every key but the first is of some only.
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

  /// Nil: it says nothing of a decision.
  var kind: DecisionLine? { DecisionLine.named[track].flatMap { $0[event ?? ""] } }
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
