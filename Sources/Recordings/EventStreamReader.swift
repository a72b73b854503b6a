package import Foundation
package import TriggerModel

/// Reads a stream of newline-delimited JSON: fixes, and simple things that happen to a phone.
///
/// A line is one object, of either form:
/// ```
/// {"t":"2026-03-02T07:00:00Z","lat":52.52,"lon":13.405,"accuracy":8}
/// {"t":1772434800000,"event":"openApp","name":"maps"}
/// ```
/// - `t` is an ISO 8601 text with its zone (see ``Timestamp``), or whole milliseconds since 1970.
/// - `lat` and `lon` are degrees, in range; `accuracy` is metres, not negative, and may be absent.
/// - `event` is one of the names that the caller knows; `name` (a string) and `value` (a number) may
///   be absent.
///
/// A stream is written by a program, so every line must be right: anything else, an unknown or
/// repeated key included, is an error with its line and column. Order and repetition are matters of
/// the recorded world and follow ``FixRules`` for fixes; events are sorted by time, those of one time
/// in the order of the file, and those out of order counted.
package enum EventStreamReader {
  /// A line with an `event`.
  package struct Event: Hashable, Sendable {
    package var instant: Instant
    /// Counted from 1.
    package var line: Int
    /// The position of the event's name among the known ones.
    package var event: Int
    package var name: String?
    package var value: Double?
  }

  package struct Stream: Hashable, Sendable {
    package var trace: FixTrace
    /// Ascending in time.
    package var events: [Event]
    package var summary: ImportSummary
  }

  /// Reads a stream's bytes; `file` is its name for messages, `events` are the known names.
  ///
  /// - Complexity: O(bytes), and O(n log n) when lines are out of order
  package static func read(
    _ data: Data, file: String, events names: [String], rules: FixRules = FixRules()
  ) throws(RecordingError) -> Stream {
    var summary = ImportSummary(file: file)
    var fixes: [RecordedFix] = []
    var events: [Event] = []
    // About 64 bytes are the shortest usual line of a fix.
    fixes.reserveCapacity(data.count / 64)
    try NDJSON.forEachLine(data, file: file) { (line, scanner) throws(ScanProblem) in
      summary.read += 1
      let object = try EventStreamLine(&scanner, names: names)
      if let fix = object.fix {
        fixes.append(RecordedFix(fix: fix, segment: 0, line: Int32(clamping: line)))
      } else {
        events.append(object.event(line: line))
      }
    }
    let trace = rules.trace(fixes, &summary)
    sort(&events, &summary)
    summary.taken += events.count
    return Stream(trace: trace, events: events, summary: summary)
  }

  private static func sort(_ events: inout [Event], _ summary: inout ImportSummary) {
    for index in events.indices.dropFirst() where events[index].instant < events[index - 1].instant {
      summary.note(.stepBack, line: events[index].line)
    }
    events.sort { ($0.instant, $0.line) < ($1.instant, $1.line) }
  }
}
