package import Recordings
package import TriggerModel

/// Reads lines of the wire form.
///
/// Keys may be in any order. A reader throws a ``WireProblem`` for an unknown key, event or name, for a
/// missing or repeated field, and for a value of the wrong type or range. The problem states the position,
/// the field and a remedy.
///
/// A reader remembers the requests that it has read, because a journal does not repeat unchanged fields. Use
/// one reader for a whole journal, from its first line to its last.
package struct JournalReader {
  /// The state that the last line contained, or `nil` if it contained none.
  package var state: [UInt8]? { reader.stored }
  /// The number of the scenario's line that the last line refers to, or `nil` if it refers to none.
  package private(set) var line: UInt32?

  private var reader: FieldReader

  package init(_ names: WireNames) {
    reader = FieldReader(names)
  }

  /// Adds a request that the other process already knows, so that later lines may omit its unchanged fields.
  package mutating func remember(_ request: NotificationRequest) {
    reader.requests.remember(request, person: 0, device: 0)
  }

  /// Reads one line, without its line break.
  ///
  /// - Complexity: O(length of the line)
  package mutating func read(
    _ line: UnsafeBufferPointer<UInt8>, as form: WireForm = .journal
  ) throws(WireProblem) -> JournalRecord {
    var scanner = NDJSONScanner(line)
    return try read(&scanner, as: form)
  }

  package mutating func read(
    _ line: [UInt8], as form: WireForm = .journal
  ) throws(WireProblem) -> JournalRecord {
    // Some toolchains do not pass typed errors through `withUnsafeBufferPointer`.
    let result = line.withUnsafeBufferPointer { bytes -> Result<JournalRecord, WireProblem> in
      do throws(WireProblem) {
        return .success(try read(bytes, as: form))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Reads the object at a scanner's position and the rest of the line.
  package mutating func read(
    _ scanner: inout NDJSONScanner, as form: WireForm
  ) throws(WireProblem) -> JournalRecord {
    line = nil
    reader.stored = nil
    try reader.fields.scan(&scanner)
    do throws(ScanProblem) {
      try scanner.endOfLine()
    } catch {
      throw WireProblem(error, field: nil)
    }
    let body = try body(form)
    if case .timeLine = form {
      line = try reader.optional("line") { (scanner) throws(ScanProblem) in
        UInt32(clamping: try scanner.integer())
      }
    }
    try reader.fields.end()
    return JournalRecord(
      body,
      RecordStamp(
        person: reader.person, device: reader.device, instant: reader.instant, moment: reader.moment)
    )
  }

  private mutating func body(_ form: WireForm) throws(WireProblem) -> JournalRecord.Body {
    var named: (track: JournalRecord.Body.Track, word: UInt8)?
    do throws(WireProblem) {
      let track = try track(form)
      let word = UInt8(truncatingIfNeeded: try reader.position("event", in: track.words, .always))
      named = (track, word)
      try stamp(form)
      guard let row = JournalRecord.Body(track, row: word, at: reader.moment) else {
        throw reader.fields.missing("event")
      }
      return try row.coded(by: &reader)
    } catch {
      let known = named.map { JournalSchema.keys($0.track, $0.word) } ?? ["track", "event"]
      throw reader.fields.misspelling(behind: error, known: known)
    }
  }

  private mutating func track(_ form: WireForm) throws(WireProblem) -> JournalRecord.Body.Track {
    typealias Track = JournalRecord.Body.Track
    let read = try reader.optional("track") { (scanner) throws(ScanProblem) in
      let position = try scanner.position(in: Track.table)
      let track = Track(raw: UInt8(truncatingIfNeeded: position), .happened)
      if let only = form.track, only != track {
        throw scanner.invalid(
          "this line cannot have this track", remedy: "write \"\(only)\", or remove it")
      }
      return track
    }
    guard let track = read ?? form.track else { throw reader.fields.missing("track") }
    return track
  }

  /// Returns the clock readings that a line states as `wall`, `zone`, `boot` and `uptime`. Ignores other
  /// keys.
  package mutating func moment(of line: UnsafeBufferPointer<UInt8>) throws(WireProblem) -> Moment {
    var scanner = NDJSONScanner(line)
    try reader.fields.scan(&scanner)
    return try reader.moment(orElse: nil)
  }

  private mutating func stamp(_ form: WireForm) throws(WireProblem) {
    if form == .observations {
      (reader.person, reader.device) = (0, 0)
      reader.moment = try reader.moment(orElse: nil)
      reader.instant = reader.moment.wall
      return
    }
    let given = form.stamp
    func presence<Value>(_ value: (RecordStamp) -> Value) -> Presence<Value> {
      given.map { .orElse(value($0)) } ?? .always
    }
    let isTimed: Bool
    if case .effects = form { isTimed = false } else { isTimed = true }
    reader.person = try reader.read("person", presence(\.person)) { (scanner) throws(ScanProblem) in
      try scanner.unsigned()
    }
    reader.device = UInt8(
      truncatingIfNeeded: try reader.position(
        "device", in: reader.names[.device], presence { UInt32($0.device) }))
    reader.instant = try reader.time(
      "t", .distantPast, on: .simulation, isNullable: false, isTimed ? .always : presence(\.instant))
    var moment = given?.moment
    // The difference between the wall clock and simulation time stays the same.
    if let stamp = given { moment?.wall = stamp.moment.wall + (reader.instant - stamp.instant) }
    reader.moment = try reader.moment(orElse: moment)
  }
}

/// The source of a line, which determines its permitted tracks and fields.
package enum WireForm: Hashable, Sendable {
  /// A journal. Its lines have complete stamps.
  case journal
  /// A time line or a recording. Its lines need only an event and `t`. The associated stamp supplies the
  /// missing parts. The key `line` may refer to a line of the scenario.
  case timeLine(RecordStamp)
  /// The input of an engine: observed events, without a person and a device.
  case observations
  /// The output of an engine: effects. The associated stamp supplies the parts of the stamp that a line
  /// omits.
  case effects(RecordStamp)

  /// The track of a line that has no `track`, or `nil` if every line must have one.
  var track: JournalRecord.Body.Track? {
    switch self {
    case .journal: nil
    case .observations: .observed
    case .timeLine: .happened
    case .effects: .effect
    }
  }

  var stamp: RecordStamp? {
    switch self {
    case .journal, .observations: nil
    case .timeLine(let stamp), .effects(let stamp): stamp
    }
  }
}
