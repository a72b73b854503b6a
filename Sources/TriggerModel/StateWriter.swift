/// Writes a stored state, byte by byte; ``StateReader`` reads it.
///
/// Times and days beyond what the form can hold are brought to its limits, so that an engine can read
/// whatever it has written.
package struct StateWriter: Sendable {
  private var bytes: [UInt8]
  private let names: NamePlaces

  /// Begins a state that refers to these names.
  package init(_ used: UsedNames) {
    bytes = StoredForm.magic + [StoredForm.version]
    names = NamePlaces(used)
    let lists = names.lists
    part(.names) { writer in
      for list in lists { writer.list(list) { $0.text($1) } }
    }
  }

  /// The names that are referred to, in their order.
  package var reminders: [ReminderID] { names.reminders }
  package var types: [TypeID] { names.types }

  /// Writes a part, preceded by its number and length.
  package mutating func part(_ part: StoredForm.Part, _ body: (inout StateWriter) -> Void) {
    bytes.append(part.rawValue)
    let start = bytes.count
    fixed(0)
    body(&self)
    let length = UInt32(bytes.count - start - 4)
    for byte in 0..<4 { bytes[start + byte] = UInt8(truncatingIfNeeded: length >> UInt32(8 * byte)) }
  }

  /// The whole state, with its checksum.
  package consuming func sealed() -> [UInt8] {
    fixed(CRC32.of(bytes))
    return bytes
  }

  /// Of what is written by now.
  package var checksum: UInt32 { CRC32.of(bytes) }

  // MARK: Numbers

  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Bytes as they are.
  package mutating func append(_ bytes: [UInt8]) { self.bytes += bytes }

  package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Four bytes, the lowest first.
  package mutating func fixed(_ value: UInt32) {
    for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))) }
  }

  /// Seven bits to a byte, the lowest first; the highest bit says that another byte follows.
  package mutating func number(_ value: UInt64) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func number(_ value: UInt32) { number(UInt64(value)) }

  /// 0, −1, 1, −2 … as the numbers 0, 1, 2, 3 …
  package mutating func signed(_ value: Int64) { number(Self.zigzag(value)) }

  private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  package mutating func text(_ text: String) {
    let utf8 = text.utf8
    number(UInt64(utf8.count))
    bytes.append(contentsOf: utf8)
  }

  /// How many there are, and then each.
  package mutating func list<List: Collection>(
    _ list: List, _ body: (inout StateWriter, List.Element) -> Void
  ) {
    number(UInt64(list.count))
    for element in list { body(&self, element) }
  }

  /// 0 for nil; otherwise 1, and the value.
  package mutating func optional<Value>(_ value: Value?, _ body: (inout StateWriter, Value) -> Void) {
    flag(value != nil)
    if let value { body(&self, value) }
  }

  // MARK: Times

  package mutating func span(_ span: TimeSpan) {
    signed(min(max(span.milliseconds, -StoredForm.farthest), StoredForm.farthest))
  }

  package mutating func instant(_ instant: Instant) {
    span(TimeSpan(milliseconds: instant.millisecondsSince1970))
  }

  /// As ``instant(_:)``, but 0 and 1 stand for the distant past and future.
  package mutating func openInstant(_ instant: Instant) {
    let milliseconds = instant.millisecondsSince1970
    if milliseconds < -StoredForm.farthest { return number(UInt64(0)) }
    if milliseconds > StoredForm.farthest { return number(UInt64(1)) }
    number(Self.zigzag(milliseconds) + 2)
  }

  /// 0 for a missing value; otherwise 1 more than for its bits as a signed number.
  package mutating func fact(_ value: FactValue) { number(Self.zigzag(value.bits) &+ 1) }

  /// A local day, counted from 1970-01-01.
  package mutating func day(_ day: Int32) {
    signed(Int64(min(max(day, -StoredForm.farthestDay), StoredForm.farthestDay)))
  }

  /// - Parameter zone: The name of the moment's zone.
  package mutating func moment(_ moment: Moment, zone: String) {
    instant(moment.wall)
    number(moment.uptime.boot)
    span(moment.uptime.span)
    self.zone(zone)
  }

  // MARK: Names

  package mutating func reminder(_ id: ReminderID) { place(names.reminderPlaces[id]) }
  package mutating func type(_ id: TypeID) { place(names.typePlaces[id]) }
  package mutating func zone(_ name: String) { place(names.zonePlaces[name]) }

  /// Where a reminder's name stands.
  package func place(of id: ReminderID) -> Int { names.reminderPlaces[id] ?? names.reminders.count }
  /// Where a type's name stands.
  package func place(of id: TypeID) -> Int { names.typePlaces[id] ?? names.types.count }

  private mutating func place(_ place: Int?) {
    guard let place else { preconditionFailure("a name that is referred to was not collected") }
    number(UInt64(place))
  }

  package mutating func request(_ id: RequestID) {
    reminder(id.reminder)
    number(id.occurrence)
  }

  /// The bucket, whether a time is one of the local day, and by what pattern it comes round.
  package mutating func bucket(_ bucket: Bucket, isFloating: Bool, repeats: SystemRepeat? = nil) {
    byte(bucket.storedCode | (isFloating ? 4 : 0) | (repeats == nil ? 0 : 8))
    if let repeats { pattern(repeats) }
  }

  package mutating func pattern(_ repeats: SystemRepeat) {
    byte(repeats.unit.rawValue)
    byte(repeats.month)
    byte(repeats.day)
    number(UInt32(repeats.minute))
    number(repeats.seconds)
  }
}
