package import Foundation
package import TriggerModel

/// Reads a stream of newline-delimited JSON that contains fixes and other events of a phone.
///
/// Each line is an object in one of these forms:
/// ```
/// {"t":"2026-03-02T07:00:00Z","lat":52.52,"lon":13.405,"accuracy":8}
/// {"t":1772434800000,"event":"openApp","app":"maps"}
/// ```
/// - `t` is an ISO 8601 string with its zone (see ``Timestamp``), or an integer of milliseconds since 1970.
/// - `lat` and `lon` are in degrees, within their range. `accuracy` is optional, in metres and not negative.
/// - A line with an `event` has the keys of the wire form. The caller reads such lines.
///
/// Programs write streams, so every line must be correct. Everything else, including an unknown or repeated
/// key, is an error with its line and column. Unsorted and repeated fixes are not errors, because real phones
/// record them. ``FixRules`` apply to fixes. Events are sorted by time, and events with equal times stay in
/// the order of the file. The summary counts unsorted events.
///
/// A stream may have any length. If a chronological stream exceeds the caller's limit, it is scanned once.
/// ``FixStream`` and ``LineStream`` then read it again in pieces.
package enum EventStreamReader {
  /// A line with an `event`.
  package struct Event<Payload: Sendable>: Sendable {
    package var instant: Instant
    /// The line number, from 1.
    package var line: Int
    package var payload: Payload
  }

  package struct Stream<Payload: Sendable>: Sendable {
    package var trace: FixTrace
    /// The events, ascending by time.
    package var events: [Event<Payload>]
    package var summary: ImportSummary
  }

  /// A stream that was scanned but is not in memory.
  package struct LongStream: Sendable {
    package var summary: ImportSummary
    /// The range from the first to the last accepted fix, or `nil` if there is none.
    package var fixes: ClosedRange<Instant>?
    /// The range from the first to the last event, or `nil` if there is none.
    package var events: ClosedRange<Instant>?
  }

  package enum Reading<Payload: Sendable>: Sendable {
    case held(Stream<Payload>)
    /// A stream that exceeds the limit. All of its fixes and events are in chronological order.
    case long(LongStream)
  }

  /// The maximum number of lines in memory for sorting.
  package static let mostUnordered = 20_000_000

  /// Reads a stream from its first line.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of lines to keep in memory if the stream is chronological.
  ///   - event: A closure that reads a whole line with an `event`.
  /// - Complexity: O(bytes), and O(n log n) if lines are not in chronological order.
  package static func read<Payload>(
    _ lines: LineStream, rules: FixRules = FixRules(), holding limit: Int,
    event: (inout NDJSONScanner) throws(ScanProblem) -> (Instant, Payload)
  ) throws(RecordingError) -> Reading<Payload> {
    let scanned = try gather(lines, rules, limit, event)
    if scanned.holdsAll { return .held(scanned.stream()) }
    if scanned.isInOrder { return .long(scanned.longStream()) }
    let all = try gather(lines, rules, mostUnordered, event)
    if all.holdsAll { return .held(all.stream()) }
    throw RecordingError(
      .value, file: lines.bytes.file, "more than \(mostUnordered) lines are not in order of time",
      remedy: "sort them by time")
  }

  /// Reads a stream from bytes and keeps all of it in memory. Messages state `file` as its name.
  package static func read<Payload>(
    _ data: Data, file: String, rules: FixRules = FixRules(),
    event: (inout NDJSONScanner) throws(ScanProblem) -> (Instant, Payload)
  ) throws(RecordingError) -> Stream<Payload> {
    try gather(LineStream(RecordedBytes(data, file: file)), rules, .max, event).stream()
  }

  private static func gather<Payload>(
    _ all: LineStream, _ rules: FixRules, _ limit: Int,
    _ event: (inout NDJSONScanner) throws(ScanProblem) -> (Instant, Payload)
  ) throws(RecordingError) -> StreamAccumulator<Payload> {
    var gathered = StreamAccumulator<Payload>(
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
      if try isRecognizable(all) { throw error }
      // Messages show no content of an unrecognised file, because it may be confidential.
      throw RecordingError(
        .wrongFormat, file: error.file, line: error.line, column: error.column,
        "this is not a stream of fixes and events",
        remedy: "each line must be an object with a time \"t\"")
    }
    gathered.finish()
    return gathered
  }

  /// Reads the lines with an `event` in the next piece of a stream that was scanned before.
  ///
  /// - Returns: Whether there was another piece.
  package static func readEvents(
    from lines: inout LineStream, _ event: (inout NDJSONScanner) throws(ScanProblem) -> Void
  ) throws(RecordingError) -> Bool {
    try lines.readPiece { (_, scanner) throws(ScanProblem) in
      let begin = scanner
      if try FixLine(&scanner) != nil { return }
      scanner = begin
      try event(&scanner)
    }
  }

  /// Reads a stream that contains only fixes.
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
          .wrongFormat, offset: scanner.start, "the line is not a fix", remedy: "remove events")
      }
      fixes.append(RecordedFix(fix: fix, segment: 0, line: Int32(clamping: line)))
    }
    return (rules.trace(fixes, &summary), summary)
  }

  /// Returns whether the first line contains the key of a time.
  private static func isRecognizable(_ lines: LineStream) throws(RecordingError) -> Bool {
    try lines.bytes.withPiece(at: lines.offset, count: min(4_096, lines.bytes.count - lines.offset)) { head in
      let line = head.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "\n") }
      return String(decoding: line, as: UTF8.self).contains("\"t\"")
    }
  }

  /// The approximate size in bytes of a short line with a fix.
  private static let shortestLine = 64
}

/// Collects the lines of a stream. If there are more lines than the limit, collects only a summary.
struct StreamAccumulator<Payload: Sendable> {
  private let rules: FixRules
  private let limit: Int
  private var summary: ImportSummary
  private var fixes: [RecordedFix] = []
  private var events: [EventStreamReader.Event<Payload>] = []
  /// Whether all lines so far are in memory.
  private(set) var holdsAll = true
  /// Whether all lines so far beyond the limit are in chronological order.
  private(set) var isInOrder = true
  private var ordered: OrderedFixFilter
  /// The accepted fixes that have not been counted yet.
  private var taken = FixTrace()
  private var lastFix: Instant?
  private var fixRange: ClosedRange<Instant>?
  private var eventRange: ClosedRange<Instant>?

  /// - Parameters:
  ///   - limit: The maximum number of lines to keep in memory.
  ///   - count: The approximate number of lines.
  init(file: String, _ rules: FixRules, limit: Int, expecting count: Int) {
    self.rules = rules
    self.limit = limit
    summary = ImportSummary(file: file)
    ordered = OrderedFixFilter(rules)
    fixes.reserveCapacity(min(count, limit))
  }

  mutating func take(_ fix: RecordedFix) {
    summary.read += 1
    if !holdsAll { return note(fix) }
    fixes.append(fix)
    if fixes.count + events.count > limit { stopHolding() }
  }

  mutating func take(_ event: EventStreamReader.Event<Payload>) {
    summary.read += 1
    if !holdsAll { return note(event.instant) }
    events.append(event)
    if fixes.count + events.count > limit { stopHolding() }
  }

  /// Processes the remaining fixes after the last line.
  mutating func finish() {
    if holdsAll { return }
    ordered.finish(into: &taken, &summary)
    noteTaken()
  }

  private mutating func stopHolding() {
    holdsAll = false
    for fix in fixes { note(fix) }
    for event in events { note(event.instant) }
    (fixes, events) = ([], [])
  }

  private mutating func note(_ recorded: RecordedFix) {
    guard isInOrder, rules.isAccurate(recorded, &summary) else { return }
    if let lastFix, recorded.fix.instant < lastFix { isInOrder = false }
    lastFix = recorded.fix.instant
    ordered.take(recorded, into: &taken, &summary)
    noteTaken()
  }

  private mutating func noteTaken() {
    guard let first = taken.fixes.first, let last = taken.fixes.last else { return }
    fixRange = (fixRange?.lowerBound ?? first.instant)...last.instant
    summary.taken += taken.fixes.count
    taken.fixes.removeAll(keepingCapacity: true)
    taken.segmentStarts.removeAll(keepingCapacity: true)
  }

  private mutating func note(_ event: Instant) {
    guard event >= eventRange?.upperBound ?? event else {
      isInOrder = false
      return
    }
    eventRange = (eventRange?.lowerBound ?? event)...event
    summary.taken += 1
  }

  /// Returns the whole stream.
  ///
  /// - Precondition: All lines are in memory.
  consuming func stream() -> EventStreamReader.Stream<Payload> {
    var summary = summary
    let trace = rules.trace(fixes, &summary)
    for index in events.indices.dropFirst() where events[index].instant < events[index - 1].instant {
      summary.note(.stepBack, line: events[index].line)
    }
    events.sort { ($0.instant, $0.line) < ($1.instant, $1.line) }
    summary.taken += events.count
    return EventStreamReader.Stream(trace: trace, events: events, summary: summary)
  }

  /// Returns the summary of a long stream.
  ///
  /// - Precondition: The stream exceeds the limit and is in chronological order.
  func longStream() -> EventStreamReader.LongStream {
    EventStreamReader.LongStream(summary: summary, fixes: fixRange, events: eventRange)
  }
}

/// A line of an event stream that contains a fix.
struct FixLine {
  private static let keys = ["t", "lat", "lon", "accuracy"]

  private var instant: Instant?
  private var latitude: Double?
  private var longitude: Double?
  private var accuracy: Double?

  /// Reads the object of a line. If it has an `event`, returns `nil` and leaves the scanner anywhere in the
  /// line.
  init?(_ scanner: inout NDJSONScanner) throws(ScanProblem) {
    let begin = scanner
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "t" {
        guard instant == nil else { throw scanner.repeatedKey(key) }
        instant = try scanner.instant()
      } else if key == "lat" {
        guard latitude == nil else { throw scanner.repeatedKey(key) }
        latitude = try Self.degrees(&scanner, limit: 90)
      } else if key == "lon" {
        guard longitude == nil else { throw scanner.repeatedKey(key) }
        longitude = try Self.degrees(&scanner, limit: 180)
      } else if key == "accuracy" {
        guard accuracy == nil else { throw scanner.repeatedKey(key) }
        accuracy = try Self.accuracy(&scanner)
      } else {
        if key == "event" { return nil }
        if try Self.hasEvent(begin) { return nil }
        throw scanner.unknownKey(key, known: Self.keys + ["event"])
      }
    }
    guard instant != nil else { throw scanner.missingKey("t") }
    guard latitude != nil else { throw scanner.missingKey(longitude == nil ? "lat or event" : "lat") }
    guard longitude != nil else { throw scanner.missingKey("lon") }
  }

  var fix: Fix? {
    guard let instant, let latitude, let longitude else { return nil }
    return Fix(
      instant: instant, coordinate: Coordinate(latitude: latitude, longitude: longitude),
      accuracy: accuracy ?? -1)
  }

  /// Returns whether an object has the key `event`.
  private static func hasEvent(_ begin: NDJSONScanner) throws(ScanProblem) -> Bool {
    var scanner = begin
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "event" { return true }
      try scanner.skipValue()
    }
    return false
  }

  private static func degrees(_ scanner: inout NDJSONScanner, limit: Double) throws(ScanProblem) -> Double {
    let value = try scanner.number()
    guard abs(value) <= limit else {
      throw scanner.invalid(
        "\(value) is out of range", remedy: "write degrees from -\(Int(limit)) to \(Int(limit))")
    }
    return value
  }

  private static func accuracy(_ scanner: inout NDJSONScanner) throws(ScanProblem) -> Double {
    let metres = try scanner.number()
    guard metres >= 0 else {
      throw scanner.invalid(
        "the accuracy is negative", remedy: "omit the key if the accuracy is unknown")
    }
    return metres
  }
}
