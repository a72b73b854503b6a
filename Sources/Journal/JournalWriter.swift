import CivilTime
package import DeviceSimulation
import NotificationGateway
import Recordings
import TextFormats
package import TriggerModel

/// Writes records as lines of the wire form to a buffer. The owner of the writer empties the buffer.
///
/// ```swift
/// var writer = JournalWriter(names)
/// writer.write(record)      // {"track":"observed","event":"unlock","t":"2026-03-02T06:00:00Z", …}
/// file.write(writer.bytes)
/// writer.removeBytes()
/// ```
///
/// Equal records give equal bytes. The writer omits the fields of a request that have not changed since it
/// last wrote that request (see <doc:WireForm>). Use one writer for a whole journal, from its first line to
/// its last.
package struct JournalWriter {
  /// The lines in the buffer, with their line breaks.
  package private(set) var bytes: [UInt8] = []

  private let names: WireNames
  private var requests = RequestMemory()
  // The stamp of the current record.
  private(set) var instant = Instant.distantPast
  private(set) var moment = Moment(
    wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
  private var person: UInt64 = 0
  private var device: UInt8 = 0
  private var stored: [UInt8]?

  package init(_ names: WireNames) {
    self.names = names
  }

  /// Empties the buffer without freeing its memory.
  package mutating func removeBytes() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes the first line of a journal file.
  package mutating func write(_ header: JournalHeader) {
    header.write(to: &bytes)
  }

  /// Writes the last line of a journal file.
  mutating func write(_ end: JournalEnd) { end.write(to: &bytes) }

  /// Writes a record as one line.
  ///
  /// - Parameter state: The state of the engine for a `persist` line, or `nil` to omit it.
  /// - Complexity: O(length of the line). Allocates memory only for coordinates, or if the buffer grows.
  package mutating func write(_ record: JournalRecord, state: [UInt8]? = nil) {
    instant = record.instant
    moment = record.moment
    person = record.stamp.person
    device = record.stamp.device
    stored = state
    begin(record.body)
    append(key: "t")
    bytes.append(instant)
    append(moment)
    append(key: "person")
    bytes.append(person)
    append(key: "device")
    names[.device].append(Int(device), to: &bytes)
    _ = record.body.coded(by: &self)
    append("}\n")
  }

  /// Writes an event of a time line. The line contains the instant, the device's wall clock and zone, the
  /// device if there are several, and the number of the scenario's line that declares the event.
  package mutating func happened(
    _ event: PhoneEvent, at instant: Instant, wall: Instant, in zone: ZoneID, device: UInt8? = nil,
    line: UInt32?
  ) {
    self.instant = instant
    moment = Moment(wall: wall, uptime: Uptime(boot: 0, span: .zero), zone: zone)
    let body = JournalRecord.Body.happened(event)
    begin(body)
    append(key: "t")
    bytes.append(instant)
    appendWallAndZone()
    if let device { append(member: "device", .device, UInt32(device)) }
    _ = body.coded(by: &self)
    if let line {
      append(key: "line")
      bytes.append(UInt64(line))
    }
    append("}\n")
  }

  private mutating func begin(_ body: JournalRecord.Body) {
    let track = body.track
    append("{\"track\":")
    JournalRecord.Body.Track.table.append(Int(track.rawValue), to: &bytes)
    append(",\"event\":")
    track.words.append(Int(body.word), to: &bytes)
  }

  /// Appends the wall clock and the zone.
  private mutating func appendWallAndZone() {
    append(key: "wall")
    appendWall(moment.wall)
    append(key: "zone")
    names[.zone].append(moment.zone.index, to: &bytes)
  }

  @inline(__always)
  private mutating func append(_ text: StaticString) { bytes.append(text) }

  @inline(__always)
  private mutating func append(key: StaticString) {
    bytes.append(",\"")
    bytes.append(key)
    bytes.append("\":")
  }

  private mutating func appendWall(_ wall: Instant) {
    let isInUse = Timestamp.range.contains(wall.millisecondsSince1970)
    bytes.append(wall, offset: isInUse ? names.zones[moment.zone].offset(at: wall).milliseconds : nil)
  }
}

// MARK: - Fields

extension JournalWriter: FieldCoder {
  typealias Failure = Never

  /// Returns whether the line omits a field with this value.
  @inline(__always)
  private static func isOmitted<Value: Equatable>(_ value: Value, _ presence: Presence<Value>) -> Bool {
    if case .unless(let usual) = presence { value == usual } else { false }
  }

  mutating func name(
    _ key: StaticString, _ list: NameList, _ id: UInt32, _ presence: Presence<UInt32>
  ) -> UInt32 {
    if Self.isOmitted(id, presence) { return id }
    append(key: key)
    names[list].append(Int(id), to: &bytes)
    return id
  }

  mutating func integer(
    _ key: StaticString, _ value: Int64, in range: ClosedRange<Int64>, _ presence: Presence<Int64>
  ) -> Int64 {
    if Self.isOmitted(value, presence) { return value }
    append(key: key)
    bytes.append(value)
    return value
  }

  mutating func number(
    _ key: StaticString, _ value: Double, in range: ClosedRange<Double>, _ presence: Presence<Double>
  ) -> Double {
    if Self.isOmitted(value, presence) { return value }
    append(key: key)
    bytes.append(value)
    return value
  }

  mutating func truth(_ key: StaticString, _ value: Bool, _ presence: Presence<Bool>) -> Bool {
    if Self.isOmitted(value, presence) { return value }
    append(key: key)
    append(value ? "true" : "false")
    return value
  }

  mutating func time(
    _ key: StaticString, _ value: Instant, on clock: WireClock, isNullable: Bool,
    _ presence: Presence<Instant>
  ) -> Instant {
    if Self.isOmitted(value, presence) { return value }
    append(key: key)
    if isNullable, value == .distantFuture {
      append("null")
    } else if clock == .wall {
      appendWall(value)
    } else {
      bytes.append(value)
    }
    return value
  }

  mutating func word(
    _ key: StaticString, _ words: NameTable, _ word: UInt8, _ presence: Presence<UInt8>
  ) -> UInt8 {
    if Self.isOmitted(word, presence) { return word }
    append(key: key)
    words.append(Int(word), to: &bytes)
    return word
  }

  mutating func optionalWord(_ key: StaticString, _ words: NameTable, _ word: UInt8?) -> UInt8? {
    guard let word else { return nil }
    return self.word(key, words, word, .always)
  }

  mutating func words(_ key: StaticString, _ words: NameTable, _ set: UInt64) -> UInt64 {
    append(key: key)
    append("[")
    var rest = set
    while rest != 0 {
      if rest != set { append(",") }
      words.append(rest.trailingZeroBitCount, to: &bytes)
      rest &= rest - 1
    }
    append("]")
    return set
  }

  mutating func count(_ key: StaticString, _ count: UInt32?) -> UInt32? {
    append(key: key)
    if let count { bytes.append(UInt64(count)) } else { append("null") }
    return count
  }

  func has(_ key: StaticString, _ isThere: Bool) -> Bool { isThere }

  func choice(_ keys: [StaticString], _ chosen: Int) -> Int { chosen }

  mutating func value(_ key: StaticString, of fact: FactID, _ value: FactValue) -> FactValue {
    append(key: key)
    if value.isMissing {
      append("null")
      return value
    }
    switch names.facts[fact.index].kind {
    case .truth: append(value.bits == 0 ? "false" : "true")
    case .number: bytes.append(thousandths: value.bits)
    case .instant: bytes.append(Instant(millisecondsSince1970: value.bits))
    case .date: bytes.append(quoting: value.date.iso8601)
    case .name: names.names(of: fact).append(Int(value.bits), to: &bytes)
    }
    return value
  }

  mutating func edit(_ key: StaticString, of reminder: ReminderID, _ edit: UInt32) -> UInt32 {
    append(key: key)
    names.editNames.append(Int(edit), to: &bytes)
    return edit
  }

  mutating func destination(_ destination: LinkDestination) -> LinkDestination {
    append(key: "consumer")
    names[.consumer].append(Int(destination.consumer), to: &bytes)
    append(key: "pattern")
    names.patterns(of: UInt32(destination.consumer)).append(Int(destination.pattern), to: &bytes)
    if destination.isFallback { _ = truth("fallback", true, .always) }
    return destination
  }

  func known(_ id: RequestID) -> NotificationRequest? {
    requests.last(id, person: person, device: device)
  }

  mutating func remember(_ request: NotificationRequest) {
    requests.remember(request, person: person, device: device)
  }

  func rank(of reminder: ReminderID) -> UInt32 { names.rank(of: reminder) }

  mutating func cause(_ key: StaticString, _ event: ObservedEvent) -> ObservedEvent {
    append(key: key)
    append("{\"event\":")
    ObservedEvent.Kind.table.append(Int(event.kind.rawValue), to: &bytes)
    _ = event.coded(by: &self)
    let other = event.moment
    if other.wall != moment.wall {
      append(key: "wall")
      appendWall(other.wall)
    }
    if other.zone != moment.zone {
      append(key: "zone")
      names[.zone].append(other.zone.index, to: &bytes)
    }
    if other.uptime.boot != moment.uptime.boot { _ = integer("boot", other.uptime.boot) }
    if other.uptime.span != moment.uptime.span { _ = integer("uptime", other.uptime.span.milliseconds) }
    append("}")
    return event
  }

  mutating func state(_ key: StaticString) {
    guard let stored else { return }
    append(key: key)
    bytes.append(base64: stored)
  }
}

// MARK: - Messages

/// The parts of messages that only the protocol for engines uses.
extension JournalWriter {
  /// Appends raw bytes.
  package mutating func append(raw text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

  /// Appends a member whose value is a name: `,"reminder":"milk"`.
  package mutating func append(member key: StaticString, _ list: NameList, _ id: UInt32) {
    append(key: key)
    names[list].append(Int(id), to: &bytes)
  }

  /// Appends a member whose value is a base64 string.
  package mutating func append(member key: StaticString, base64 data: [UInt8]) {
    append(key: key)
    bytes.append(base64: data)
  }

  /// Appends the readings of a phone's clocks as `wall`, `zone`, `boot` and `uptime`.
  package mutating func append(_ moment: Moment) {
    self.moment = moment
    appendWallAndZone()
    append(key: "boot")
    bytes.append(UInt64(moment.uptime.boot))
    append(key: "uptime")
    bytes.append(moment.uptime.span.milliseconds)
  }

  /// Writes an effect in the form of an engine's output, without a stamp.
  package mutating func write(_ effect: EngineEffect, at moment: Moment, state: [UInt8]? = nil) {
    self.moment = moment
    stored = state
    append("{\"event\":")
    let body = JournalRecord.Body.effect(effect)
    body.track.words.append(Int(body.word), to: &bytes)
    _ = body.coded(by: &self)
    append("}\n")
  }

  /// Writes an effect without a stamp, to notify the other half of the engine.
  package mutating func write(telling effect: EngineEffect, at moment: Moment) {
    self.moment = moment
    stored = nil
    let body = JournalRecord.Body.effect(effect)
    begin(body)
    _ = body.coded(by: &self)
    append("}\n")
  }

  /// Writes an observed event for an engine, without the person and the device.
  package mutating func write(_ event: ObservedEvent) {
    instant = event.moment.wall
    let body = JournalRecord.Body.observed(event)
    begin(body)
    append(event.moment)
    _ = body.coded(by: &self)
    append("}\n")
  }
}

/// Writes the journal of a run to a file in pieces.
///
/// ```swift
/// var sink = JournalFileSink(program.wireNames, header) { output.write($0) }
/// world.run(into: &sink)
/// sink.finish()
/// ```
package struct JournalFileSink: JournalSink {
  private var writer: JournalWriter
  private var records = 0
  private let limit: Int
  private let output: ([UInt8]) -> Void

  /// Creates a sink and writes the header.
  ///
  /// - Parameters:
  ///   - limit: The number of buffered bytes at which a piece is passed on. Each piece ends at the end of a
  ///     line.
  ///   - output: A closure that receives the pieces in order.
  package init(
    _ names: WireNames, _ header: JournalHeader, limit: Int = 1 << 16, output: @escaping ([UInt8]) -> Void
  ) {
    writer = JournalWriter(names)
    writer.write(header)
    self.limit = limit
    self.output = output
  }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    writer.write(JournalRecord(body, stamp))
    records += 1
    if writer.bytes.count >= limit { flush() }
  }

  /// Writes the last line and passes on the buffered bytes. Call this method once, after the run.
  package mutating func finish() {
    writer.write(JournalEnd(records: records))
    flush()
  }

  private mutating func flush() {
    output(writer.bytes)
    writer.removeBytes()
  }
}
