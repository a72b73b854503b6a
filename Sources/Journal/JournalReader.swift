package import Recordings
package import TriggerModel

/// Reads lines of the wire form.
///
/// Keys may stand in any order; every line must be right. An unknown key, event or name, a missing or repeated
/// field, a value of the wrong type or out of range is a ``WireProblem`` that says where, in which field, and
/// what to write.
///
/// A reader keeps the requests that it has read, because a journal does not repeat what has not changed: a
/// journal is read by one reader from its beginning to its end.
package struct JournalReader {
  /// What came along with a `persist` that was read last; nil if nothing did.
  package var state: [UInt8]? { reader.stored }
  /// Which line of a scenario the line that was read last came from, if a time line says so.
  package private(set) var line: UInt32?

  private var reader: FieldReader

  package init(_ names: WireNames) {
    reader = FieldReader(names)
  }

  /// Takes note of a request that the other side was told of: it need not repeat its fields.
  package mutating func remember(_ request: NotificationRequest) {
    reader.requests.remember(request, person: 0, device: 0)
  }

  /// Reads one line, without its end.
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
    // Typed errors do not pass through `withUnsafeBufferPointer` of every toolchain.
    let result = line.withUnsafeBufferPointer { bytes -> Result<JournalRecord, WireProblem> in
      do throws(WireProblem) {
        return .success(try read(bytes, as: form))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Reads the object that a scanner is in front of, and the line to its end.
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
      throw reader.fields.likelier(than: error, known: known)
    }
  }

  private mutating func track(_ form: WireForm) throws(WireProblem) -> JournalRecord.Body.Track {
    typealias Track = JournalRecord.Body.Track
    let read = try reader.optional("track") { (scanner) throws(ScanProblem) in
      let position = try scanner.position(in: Track.table)
      let track = Track(raw: UInt8(truncatingIfNeeded: position), .happened)
      if let only = form.track, only != track {
        throw scanner.invalid(
          "this track has no place here", remedy: "write \"\(only)\", or leave it out")
      }
      return track
    }
    guard let track = read ?? form.track else { throw reader.fields.missing("track") }
    return track
  }

  /// What the clocks read that stand on a line with `wall`, `zone`, `boot` and `uptime`, whatever else it says.
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
    // The clock of the phone is as far ahead as it was.
    if let stamp = given { moment?.wall = stamp.moment.wall + (reader.instant - stamp.instant) }
    reader.moment = try reader.moment(orElse: moment)
  }
}
