/// Encodes a stored state for ``StateReader``.
///
/// Times and days that are out of range are clamped, so that an engine can decode everything that it has
/// encoded.
package struct StateWriter: Sendable {
  private var bytes: [UInt8]
  private let names: NamePlaces

  /// Creates a state that refers to these names.
  package init(_ used: UsedNames) {
    bytes = StoredForm.magic + [StoredForm.version]
    names = NamePlaces(used)
    let lists = names.lists
    part(.names) { writer in
      for list in lists { writer.list(list) { $0.text($1) } }
    }
  }

  /// The referenced reminders, in the order of their names.
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

  /// Returns the complete state, including its checksum.
  package consuming func sealed() -> [UInt8] {
    fixed(CRC32.of(bytes))
    return bytes
  }

  /// The checksum of the bytes written so far.
  package var checksum: UInt32 { CRC32.of(bytes) }

  // MARK: Numbers

  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Writes bytes without their number.
  package mutating func append(_ bytes: [UInt8]) { self.bytes += bytes }

  package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Writes four bytes, least significant first.
  package mutating func fixed(_ value: UInt32) {
    for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))) }
  }

  /// Writes seven bits per byte, least significant first. The highest bit indicates that another byte
  /// follows.
  package mutating func number(_ value: UInt64) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func number(_ value: UInt32) { number(UInt64(value)) }

  /// Writes 0, −1, 1, −2 … as the numbers 0, 1, 2, 3 …
  package mutating func signed(_ value: Int64) { number(Self.zigzag(value)) }

  private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  package mutating func text(_ text: String) {
    let utf8 = text.utf8
    number(UInt64(utf8.count))
    bytes.append(contentsOf: utf8)
  }

  /// Writes the number of elements, followed by the elements.
  package mutating func list<List: Collection>(
    _ list: List, _ body: (inout StateWriter, List.Element) -> Void
  ) {
    number(UInt64(list.count))
    for element in list { body(&self, element) }
  }

  /// Writes 0 for `nil`, or 1 followed by the value.
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

  /// Writes the number of ``instant(_:)`` plus 2. The numbers 0 and 1 represent the distant past and future.
  package mutating func openInstant(_ instant: Instant) {
    let milliseconds = instant.millisecondsSince1970
    if milliseconds < -StoredForm.farthest { return number(UInt64(0)) }
    if milliseconds > StoredForm.farthest { return number(UInt64(1)) }
    number(Self.zigzag(milliseconds) + 2)
  }

  /// Writes 0 for a missing value, or the bits as a signed number plus 1.
  package mutating func fact(_ value: FactValue) { number(Self.zigzag(value.bits) &+ 1) }

  /// Writes a local day, counted from 1970-01-01.
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

  /// Returns the position of a reminder's name.
  package func place(of id: ReminderID) -> Int { names.reminderPlaces[id] ?? names.reminders.count }
  /// Returns the position of a type's name.
  package func place(of id: TypeID) -> Int { names.typePlaces[id] ?? names.types.count }

  private mutating func place(_ place: Int?) {
    guard let place else { preconditionFailure("a name that is referred to was not collected") }
    number(UInt64(place))
  }

  package mutating func request(_ id: RequestID) {
    reminder(id.reminder)
    number(id.occurrence)
  }

  /// Writes the bucket, whether the time is floating or ends a length of time, and the repetition. For a
  /// repeating request, the repetition determines whether it is a length of time.
  package mutating func bucket(
    _ bucket: Bucket, isFloating: Bool, isElapsed: Bool = false, repeats: SystemRepeat? = nil
  ) {
    let repetition: UInt8 = repeats == nil ? isElapsed ? 16 : 0 : 8
    byte(bucket.storedCode | (isFloating ? 4 : 0) | repetition)
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

/// The constants of the stored form. `StoredState.md` describes the form byte by byte.
package enum StoredForm {
  /// "TBst".
  static let magic: [UInt8] = [0x54, 0x42, 0x73, 0x74]
  /// The version that this engine writes, and the latest version that it reads.
  static let version: UInt8 = 1
  static let checksumLength = 4

  /// The maximum distance of instants from 1970, and of spans from zero, in milliseconds. It is about 8,900
  /// years, so arithmetic on stored times cannot overflow.
  static let farthest: Int64 = 1 << 48
  /// The maximum distance of local days from 1970-01-01, in days.
  static let farthestDay: Int32 = 1 << 22

  /// The parts of a state, in order. Each part occurs at most once.
  package enum Part: UInt8, CaseIterable, Sendable {
    case names = 1
    case reminders = 2
    case gateway = 3
    /// The part that an engine half with its own format stores.
    case other = 4
  }
}

/// The cyclic redundancy check of Ethernet, zip and PNG (polynomial 0xEDB88320, reflected). It detects every
/// change that is confined to 32 consecutive bits.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~0) { $0 >> 8 ^ table[Int(($0 ^ UInt32($1)) & 0xFF)] }
  }
}

extension Bucket {
  /// The code in a stored state.
  var storedCode: UInt8 {
    switch self {
    case .critical: 0
    case .user: 1
    case .standard: 2
    }
  }
}

extension UInt32 {
  /// The maximum value of a counter. The next number means "no cap".
  package static let fullCount = UInt32.max - 1

  /// Increments the counter unless it has reached its maximum.
  package mutating func countUp() {
    if self < Self.fullCount { self += 1 }
  }
}
