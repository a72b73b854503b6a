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
///
/// A stream of any length can be read: what is longer than the caller wants to hold is looked through once and
/// read again by ``FixStream`` and ``LinePieces``, if it is in order of time.
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

  /// A stream that was looked through, and is not held.
  package struct LongStream: Sendable {
    package var summary: ImportSummary
    /// When the first fix is, and the last, of those that were taken; nil: there is none.
    package var fixes: ClosedRange<Instant>?
    /// The same for events.
    package var events: ClosedRange<Instant>?
  }

  package enum Reading<Payload: Sendable>: Sendable {
    case held(Stream<Payload>)
    /// Both the fixes and the events are in order of time.
    case long(LongStream)
  }

  /// How many lines are sorted, which must be held for that.
  package static let mostUnordered = 20_000_000

  /// Reads a stream, from its first line on.
  ///
  /// - Parameters:
  ///   - limit: How many lines are held of a stream that is in order.
  ///   - event: Reads a line with an `event`, from its beginning to its end.
  /// - Complexity: O(bytes), and O(n log n) when lines are out of order
  package static func read<Payload>(
    _ lines: LinePieces, rules: FixRules = FixRules(), holding limit: Int,
    event: (inout NDJSONScanner) throws(ScanProblem) -> (Instant, Payload)
  ) throws(RecordingError) -> Reading<Payload> {
    let found = try gather(lines, rules, limit, event)
    if found.holdsAll { return .held(found.stream()) }
    if found.isInOrder { return .long(found.longStream()) }
    let all = try gather(lines, rules, mostUnordered, event)
    if all.holdsAll { return .held(all.stream()) }
    throw RecordingError(
      .value, file: lines.bytes.file, "its lines are not in order of time, and more than \(mostUnordered)",
      remedy: "sort them by time")
  }

  /// Reads a stream's bytes and holds all of it; `file` is its name for messages.
  package static func read<Payload>(
    _ data: Data, file: String, rules: FixRules = FixRules(),
    event: (inout NDJSONScanner) throws(ScanProblem) -> (Instant, Payload)
  ) throws(RecordingError) -> Stream<Payload> {
    try gather(LinePieces(RecordedBytes(data, file: file)), rules, .max, event).stream()
  }

  private static func gather<Payload>(
    _ all: LinePieces, _ rules: FixRules, _ limit: Int,
    _ event: (inout NDJSONScanner) throws(ScanProblem) -> (Instant, Payload)
  ) throws(RecordingError) -> GatheredLines<Payload> {
    var gathered = GatheredLines<Payload>(
      file: all.bytes.file, rules, limit: limit, expecting: all.bytes.count / shortestLine)
    var lines = all
    do throws(RecordingError) {
      try lines.readAll { (line, scanner) throws(ScanProblem) in
        let begin = scanner
        if let fix = try FixLine(&scanner)?.fix {
          gathered.take(RecordedFix(fix: fix, segment: 0, line: Int32(clamping: line)))
        } else {
          scanner = begin
          let (instant, payload) = try event(&scanner)
          gathered.take(Event(instant: instant, line: line, payload: payload))
        }
      }
    } catch {
      let isQuoting = [.unknownName, .repeatedName, .value].contains(error.code)
      if !isQuoting { throw error }
      if try saysWhatItIs(all) { throw error }
      // Any other file may be a secret, and nothing of it is shown.
      throw RecordingError(
        .wrongFormat, file: error.file, line: error.line, column: error.column,
        "this is no stream of fixes and events",
        remedy: "its lines are objects with a time \"t\"")
    }
    gathered.finish()
    return gathered
  }

  /// Reads the lines with an `event` of the next piece of a stream that was read before.
  ///
  /// - Returns: False at the end.
  package static func readEvents(
    from lines: inout LinePieces, _ event: (inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) -> Bool {
    try lines.readPiece { (_, scanner) throws(ScanProblem) in
      let begin = scanner
      if try FixLine(&scanner) != nil { return }
      scanner = begin
      try event(&scanner)
    }
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
  private static func saysWhatItIs(_ lines: LinePieces) throws(RecordingError) -> Bool {
    try lines.bytes.withPiece(at: lines.offset, count: min(4_096, lines.bytes.count - lines.offset)) { head in
      let line = head.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "\n") }
      return String(decoding: line, as: UTF8.self).contains("\"t\"")
    }
  }

  /// Bytes of the shortest usual line of a fix, about.
  private static let shortestLine = 64
}
