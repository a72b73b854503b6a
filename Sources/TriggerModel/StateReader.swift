/// A stored state whose form and checksum are valid, with its names.
package struct StoredState: Sendable {
  package private(set) var zones: [String] = []
  private var types: [String] = []
  private var reminders: [String] = []
  private let bytes: [UInt8]
  private var parts: [StoredForm.Part: Range<Int>] = [:]

  /// - Complexity: O(*n*) in the number of bytes, regardless of their contents.
  package init(_ bytes: [UInt8]) throws(StoreProblem) {
    self.bytes = bytes
    let end = try Self.checkedEnd(bytes)
    var reader = StateReader(bytes, StoredForm.magic.count + 1..<end)
    var last: UInt8 = 0
    while !reader.isAtEnd {
      let number = try reader.byte()
      guard number > last, let part = StoredForm.Part(rawValue: number) else { throw .contradictory }
      last = number
      parts[part] = try reader.skip(Int(reader.fixed()))
    }
    guard let names = parts[.names] else { throw .contradictory }
    reader = StateReader(bytes, names)
    zones = try reader.names()
    types = try reader.names()
    reminders = try reader.names()
    try reader.finish()
  }

  /// Validates the magic number, the version and the checksum. Returns the end of the parts.
  private static func checkedEnd(_ bytes: [UInt8]) throws(StoreProblem) -> Int {
    let magic = StoredForm.magic
    guard bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)) else { throw .unknownForm }
    let end = bytes.count - StoredForm.checksumLength
    guard end > magic.count else { throw .torn }
    var reader = StateReader(bytes, end..<bytes.count)
    guard try reader.fixed() == CRC32.of(bytes[..<end]) else { throw .torn }
    let version = bytes[magic.count]
    if version > StoredForm.version { throw .newerVersion }
    if version == 0 { throw .contradictory }
    return end
  }

  /// Returns the reminders that are no longer declared. Their numbers follow those of the declared reminders.
  package func endedReminders(_ names: StoreNames) -> [String] {
    reminders.filter { names.reminder($0) == nil }
  }

  /// Returns the types that no longer exist. Their numbers follow those of the existing types.
  package func retiredTypes(_ names: StoreNames) -> [String] {
    types.filter { names.type($0) == nil }
  }

  /// Returns the bytes of a part, or `nil` if the part is missing.
  package func bytes(of part: StoredForm.Part) -> [UInt8]? { parts[part].map { Array(bytes[$0]) } }

  /// Returns a reader of a part, or `nil` if the part is missing.
  ///
  /// - Parameter zones: The identifiers of the zones in ``StoredState/zones``, with `nil` for each zone that
  ///   no longer exists.
  package func reader(
    of part: StoredForm.Part, names: StoreNames, zones: [ZoneID?]
  ) -> StateReader? {
    guard let range = parts[part] else { return nil }
    var reader = StateReader(bytes, range)
    reader.reminders = Self.numbered(reminders, after: names.reminders.count, names.reminder)
    reader.types = Self.numbered(types, after: names.types.count, names.type)
    reader.zones = zones
    return reader
  }

  private static func numbered<Subject>(
    _ list: [String], after count: Int, _ known: (String) -> DenseID<Subject>?
  ) -> [DenseID<Subject>] {
    var next = count
    return list.map { name in
      if let id = known(name) { return id }
      next += 1
      return DenseID(next - 1)
    }
  }
}

/// Decodes the output of a ``StateWriter``.
///
/// The bytes are untrusted, so the reader allocates memory only in proportion to their number.
package struct StateReader: Sendable {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int
  /// The identifiers, in this version of the app, of the names in the state.
  package fileprivate(set) var reminders: [ReminderID] = []
  package fileprivate(set) var types: [TypeID] = []
  package fileprivate(set) var zones: [ZoneID?] = []

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  package var isAtEnd: Bool { position == end }

  /// Throws an error if any bytes are left.
  package func finish() throws(StoreProblem) {
    if !isAtEnd { throw .contradictory }
  }

  // MARK: Numbers

  package mutating func byte() throws(StoreProblem) -> UInt8 {
    if isAtEnd { throw .contradictory }
    position += 1
    return bytes[position - 1]
  }

  package mutating func flag() throws(StoreProblem) -> Bool {
    let value = try byte()
    if value > 1 { throw .contradictory }
    return value == 1
  }

  package mutating func fixed() throws(StoreProblem) -> UInt32 {
    var value: UInt32 = 0
    for byte in 0..<4 { value |= UInt32(try self.byte()) << UInt32(8 * byte) }
    return value
  }

  package mutating func number() throws(StoreProblem) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      // The tenth byte may contain only one bit.
      if shift == 63, byte > 1 { throw .contradictory }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw .contradictory
  }

  package mutating func number32() throws(StoreProblem) -> UInt32 {
    guard let value = UInt32(exactly: try number()) else { throw .contradictory }
    return value
  }

  package mutating func signed() throws(StoreProblem) -> Int64 { Self.unfolded(try number()) }

  private static func unfolded(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads the length of a list whose elements take at least `least` bytes each.
  package mutating func count(each least: Int) throws(StoreProblem) -> Int {
    let count = try number()
    if count > UInt64((end - position) / least) { throw .contradictory }
    return Int(count)
  }

  package mutating func text() throws(StoreProblem) -> String {
    let range = try skip(count(each: 1))
    guard let text = String(validating: bytes[range], as: UTF8.self) else { throw .contradictory }
    return text
  }

  /// - Parameter least: The minimum number of bytes per element.
  package mutating func list<Element>(
    each least: Int, _ body: (inout StateReader) throws(StoreProblem) -> Element
  ) throws(StoreProblem) -> [Element] {
    let count = try count(each: least)
    var list: [Element] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try body(&self)) }
    return list
  }

  package mutating func optional<Value>(
    _ body: (inout StateReader) throws(StoreProblem) -> Value
  ) throws(StoreProblem) -> Value? {
    try flag() ? try body(&self) : nil
  }

  /// Reads a list of distinct names.
  mutating func names() throws(StoreProblem) -> [String] {
    let names = try list(each: 1) { (reader: inout StateReader) throws(StoreProblem) in try reader.text() }
    if Set(names).count != names.count { throw .contradictory }
    return names
  }

  /// Skips a number of bytes. Throws an error if there are too few.
  mutating func skip(_ count: Int) throws(StoreProblem) -> Range<Int> {
    if count > end - position { throw .contradictory }
    position += count
    return position - count..<position
  }

  // MARK: Times

  package mutating func span() throws(StoreProblem) -> TimeSpan {
    let value = try signed()
    if value.magnitude > StoredForm.farthest { throw .contradictory }
    return TimeSpan(milliseconds: value)
  }

  package mutating func instant() throws(StoreProblem) -> Instant {
    Instant(millisecondsSince1970: try span().milliseconds)
  }

  package mutating func openInstant() throws(StoreProblem) -> Instant {
    let value = try number()
    if value < 2 { return value == 0 ? .distantPast : .distantFuture }
    let milliseconds = Self.unfolded(value - 2)
    if milliseconds.magnitude > StoredForm.farthest { throw .contradictory }
    return Instant(millisecondsSince1970: milliseconds)
  }

  package mutating func fact() throws(StoreProblem) -> FactValue {
    FactValue(bits: Self.unfolded(try number() &- 1))
  }

  package mutating func day() throws(StoreProblem) -> Int32 {
    let value = try signed()
    if value.magnitude > StoredForm.farthestDay { throw .contradictory }
    return Int32(value)
  }

  package mutating func moment() throws(StoreProblem) -> Moment {
    Moment(
      wall: try instant(), uptime: Uptime(boot: try number32(), span: try span()),
      zone: try zone() ?? ZoneID(0))
  }

  // MARK: Names

  package mutating func reminder() throws(StoreProblem) -> ReminderID { try pick(reminders) }
  package mutating func type() throws(StoreProblem) -> TypeID { try pick(types) }
  /// Reads a zone. Returns `nil` if the zone no longer exists.
  package mutating func zone() throws(StoreProblem) -> ZoneID? { try pick(zones) }

  private mutating func pick<Name>(_ names: [Name]) throws(StoreProblem) -> Name {
    let place = try number()
    if place >= UInt64(names.count) { throw .contradictory }
    return names[Int(place)]
  }

  package mutating func request() throws(StoreProblem) -> RequestID {
    RequestID(reminder: try reminder(), occurrence: try number32())
  }

  package mutating func bucket() throws(StoreProblem) -> (
    bucket: Bucket, isFloating: Bool, isElapsed: Bool, repeats: SystemRepeat?
  ) {
    let code = try byte()
    guard code < 32, code & 24 != 24, let bucket = Bucket.allCases.first(where: { $0.storedCode == code & 3 })
    else {
      throw .contradictory
    }
    return (bucket, code & 4 != 0, code & 16 != 0, code & 8 == 0 ? nil : try pattern())
  }

  package mutating func pattern() throws(StoreProblem) -> SystemRepeat {
    guard let unit = SystemRepeat.Unit(rawValue: try byte()) else { throw .contradictory }
    return SystemRepeat(
      unit, month: Int(try byte()), day: Int(try byte()), minute: Int(try number32()),
      seconds: Int(try number32()))
  }
}
