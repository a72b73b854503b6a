package import Foundation
package import TriggerModel

/// Reads a stream of newline-delimited JSON: fixes, and what else happens to a phone.
///
/// A line is one object, of either form:
/// ```
/// {"t":"2026-03-02T07:00:00Z","lat":52.52,"lon":13.405,"accuracy":8}
/// {"t":1772434800000,"event":"openApp","app":"maps"}
/// ```
/// - `t` is an ISO 8601 text with its zone (see ``Timestamp``), or whole milliseconds since 1970.
/// - `lat` and `lon` are degrees, in range; `accuracy` is metres, not negative, and may be absent.
/// - A line with an `event` is the caller's to read: what may stand there is the wire form's.
///
/// A stream is written by a program, so every line must be right: anything else, an unknown or
/// repeated key included, is an error with its line and column. Order and repetition are matters of
/// the recorded world and follow ``FixRules`` for fixes; events are sorted by time, those of one time
/// in the order of the file, and those out of order counted.
package enum EventStreamReader {
  /// A line with an `event`.
  package struct Event<Payload: Sendable>: Sendable {
    package var instant: Instant
    /// Counted from 1.
    package var line: Int
    package var payload: Payload
  }

  package struct Stream<Payload: Sendable>: Sendable {
    package var trace: FixTrace
    /// Ascending in time.
    package var events: [Event<Payload>]
    package var summary: ImportSummary
  }

  /// Reads a stream's bytes; `file` is its name for messages.
  ///
  /// - Parameter event: Reads a line with an `event`, from its beginning to its end.
  /// - Complexity: O(bytes), and O(n log n) when lines are out of order
  package static func read<Payload>(
    _ data: Data, file: String, rules: FixRules = FixRules(),
    event: (inout NDJSONScanner) throws(ScanProblem) -> (Instant, Payload)
  ) throws(RecordingError) -> Stream<Payload> {
    var summary = ImportSummary(file: file)
    var fixes: [RecordedFix] = []
    var events: [Event<Payload>] = []
    fixes.reserveCapacity(data.count / shortestLine)
    do throws(RecordingError) {
      try NDJSON.forEachLine(data, file: file) { (line, scanner) throws(ScanProblem) in
        summary.read += 1
        let begin = scanner
        if let fix = try FixLine(&scanner)?.fix {
          fixes.append(RecordedFix(fix: fix, segment: 0, line: Int32(clamping: line)))
        } else {
          scanner = begin
          let (instant, payload) = try event(&scanner)
          events.append(Event(instant: instant, line: line, payload: payload))
        }
      }
    } catch {
      let isQuoting = [.unknownName, .repeatedName, .value].contains(error.code)
      if !isQuoting || saysWhatItIs(data) { throw error }
      // Any other file may be a secret, and nothing of it is shown.
      throw RecordingError(
        .wrongFormat, file: file, line: error.line, column: error.column,
        "this is no stream of fixes and events",
        remedy: "its lines are objects with a time \"t\"")
    }
    let trace = rules.trace(fixes, &summary)
    sort(&events, &summary)
    summary.taken += events.count
    return Stream(trace: trace, events: events, summary: summary)
  }

  /// Reads a stream of nothing but fixes.
  package static func readFixes(
    _ data: Data, file: String, rules: FixRules = FixRules()
  ) throws(RecordingError) -> (trace: FixTrace, summary: ImportSummary) {
    var summary = ImportSummary(file: file)
    var fixes: [RecordedFix] = []
    fixes.reserveCapacity(data.count / shortestLine)
    try NDJSON.forEachLine(data, file: file) { (line, scanner) throws(ScanProblem) in
      summary.read += 1
      guard let fix = try FixLine(&scanner)?.fix else {
        throw ScanProblem(
          .wrongFormat, offset: scanner.start, "the line is no position", remedy: "leave events out")
      }
      fixes.append(RecordedFix(fix: fix, segment: 0, line: Int32(clamping: line)))
    }
    return (rules.trace(fixes, &summary), summary)
  }

  /// Whether the first line has a time.
  private static func saysWhatItIs(_ data: Data) -> Bool {
    let head = data.prefix(4_096)
    let line = head.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self).contains("\"t\"")
  }

  /// Bytes of the shortest usual line of a fix, about.
  private static let shortestLine = 64

  private static func sort<Payload>(_ events: inout [Event<Payload>], _ summary: inout ImportSummary) {
    for index in events.indices.dropFirst() where events[index].instant < events[index - 1].instant {
      summary.note(.stepBack, line: events[index].line)
    }
    events.sort { ($0.instant, $0.line) < ($1.instant, $1.line) }
  }
}
