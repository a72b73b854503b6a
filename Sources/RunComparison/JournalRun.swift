import Foundation
import Journal
import TextFormats

/// Reads the decisions of a run from its journals, one after the other in one file.
struct JournalRun {
  private var scenarios: [RecordedScenario] = []
  private var requests = OpenRequests()
  private let decoder = JSONDecoder()

  /// - Throws: The first line that is none of a journal.
  static func read(_ data: Data, file: String) throws(Diagnostic) -> RecordedRun {
    var run = JournalRun()
    var number = 0
    for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.isEmpty || Uninteresting.isOne(line) { continue }
      do {
        try run.take(line)
      } catch {
        throw Diagnostic(
          "this is no line of a journal", file: file, at: SourcePosition(line: number, column: 1),
          hint: "write journals with 'triggerbench run --journal FILE'")
      }
    }
    run.closeScenario()
    return RecordedRun(source: .journal, scenarios: run.scenarios)
  }

  private struct NoJournal: Error {}

  private mutating func take(_ line: Data) throws {
    let line = try decoder.decode(JournalLine.self, from: line)
    if let form = line.form {
      guard form == JournalHeader.form else { throw NoJournal() }
      closeScenario()
      scenarios.append(
        RecordedScenario(
          file: line.file ?? "", title: line.scenario ?? "", profile: line.profile ?? "",
          seed: line.seed.map { "\($0)" } ?? ""))
      return
    }
    guard !scenarios.isEmpty else { throw NoJournal() }
    requests.take(line)
  }

  private mutating func closeScenario() {
    if scenarios.isEmpty { return }
    let last = scenarios.count - 1
    (scenarios[last].decisions, scenarios[last].declined) = requests.closed()
    scenarios[last].metrics = requests.metrics
    requests = OpenRequests()
  }
}

/// What is read of a line; every key is of some lines only.
struct JournalLine: Decodable {
  var form: String?
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
}

/// Lines that say nothing about a decision, told by how they begin: most of a journal.
enum Uninteresting {
  /// What a decision follows from, by track; a track that is not named here is read whole.
  private static let events: [(track: Data, events: [Data])] = [
    ("happened", []), ("truth", []), ("due", []), ("link", []), ("app", []), ("person", []),
    ("observed", ["tapped", "dismissed"]), ("effect", ["request", "noRequest", "decided", "dropped"]),
    ("outcome", ["refused", "removed", "repeated", "delivered", "presentedLate"]),
  ].map { track, events in
    (Data("{\"track\":\"\(track)\",\"event\":\"".utf8), events.map { Data("\($0)\"".utf8) })
  }

  static func isOne(_ line: Data) -> Bool {
    for (track, events) in events where line.starts(with: track) {
      let event = line.dropFirst(track.count)
      return !events.contains { event.starts(with: $0) }
    }
    return false
  }
}
