import Testing

@testable import TriggerModel

/// Tests that valid states are decoded, and that all other bytes are rejected.
@Suite("Stored form")
struct StoredFormTests {
  private static let names = StoreNames(reminders: ["milk", "walk"], types: ["food"])

  /// Returns a state with two names of each kind and a nonempty part.
  private static func written(_ body: (inout StateWriter) -> Void) -> [UInt8] {
    var used = UsedNames()
    used.insert(ReminderID(1), "walk")
    used.insert(ReminderID(0), "milk")
    used.insert(TypeID(0), "food")
    used.insert(zone: "Europe/Berlin")
    var writer = StateWriter(used)
    writer.part(.gateway, body)
    return writer.sealed()
  }

  private static func reader(_ bytes: [UInt8]) throws -> StateReader {
    try #require(StoredState(bytes).reader(of: .gateway, names: names, zones: [ZoneID(3)]))
  }

  /// Returns the state with a valid checksum.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let body = bytes.dropLast(4)
    let sum = CRC32.of(body)
    return body + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
  }

  @Test func `the checksum is the standard CRC-32`() {
    #expect(CRC32.of("123456789".utf8) == 0xCBF4_3926)
    #expect(CRC32.of([]) == 0)
  }

  @Test func `numbers, times and names are unchanged after encoding and decoding`() throws {
    let numbers = [0, 1, 127, 128, 16_383, 16_384, 1 << 32, 1 << 63, .max] as [UInt64]
    let signed = [0, -1, 1, -64, 64, .min, .max] as [Int64]
    let spans = [0, 1, -1, StoredForm.farthest, -StoredForm.farthest].map { TimeSpan(milliseconds: $0) }
    let moment = Moment(
      wall: Instant(millisecondsSince1970: 1_772_434_800_000), uptime: Uptime(boot: .max, span: .hours(9)),
      zone: ZoneID(3))
    let weekly = SystemRepeat(.weekly, day: 3, minute: 540)
    let bytes = Self.written { writer in
      for value in numbers { writer.number(value) }
      for value in signed { writer.signed(value) }
      for value in signed { writer.fact(FactValue(bits: value)) }
      for value in spans { writer.span(value) }
      for value in [Instant.distantPast, .distantFuture, moment.wall] { writer.openInstant(value) }
      writer.moment(moment, zone: "Europe/Berlin")
      writer.text("Grüße 👋")
      writer.optional(nil as UInt32?) { $0.number($1) }
      writer.optional(7 as UInt32?) { $0.number($1) }
      writer.request(RequestID(reminder: ReminderID(1), occurrence: 5))
      for bucket in Bucket.allCases {
        writer.bucket(
          bucket, isFloating: bucket == .user, isElapsed: bucket == .critical,
          repeats: bucket == .user ? weekly : nil)
      }
    }
    var reader = try Self.reader(bytes)
    for value in numbers { #expect(try reader.number() == value) }
    for value in signed { #expect(try reader.signed() == value) }
    for value in signed { #expect(try reader.fact().bits == value) }
    for value in spans { #expect(try reader.span() == value) }
    for value in [Instant.distantPast, .distantFuture, moment.wall] {
      #expect(try reader.openInstant() == value)
    }
    #expect(try reader.moment() == moment)
    #expect(try reader.text() == "Grüße 👋")
    #expect(try reader.flag() == false)
    #expect(try reader.flag() && reader.number32() == 7)
    #expect(try reader.request() == RequestID(reminder: ReminderID(1), occurrence: 5))
    for bucket in Bucket.allCases {
      #expect(
        try reader.bucket()
          == (bucket, bucket == .user, bucket == .critical, bucket == .user ? weekly : nil))
    }
    try reader.finish()
  }

  @Test func `times that are out of range are clamped and can be decoded`() throws {
    let bytes = Self.written { writer in
      for value in [Int64.max, .min] {
        writer.instant(Instant(millisecondsSince1970: value))
        writer.openInstant(Instant(millisecondsSince1970: value / 2))
      }
      writer.day(.max)
      writer.day(.min)
    }
    var reader = try Self.reader(bytes)
    #expect(try reader.instant().millisecondsSince1970 == StoredForm.farthest)
    #expect(try reader.openInstant() == .distantFuture)
    #expect(try reader.instant().millisecondsSince1970 == -StoredForm.farthest)
    #expect(try reader.openInstant() == .distantPast)
    #expect(try reader.day() == StoredForm.farthestDay)
    #expect(try reader.day() == -StoredForm.farthestDay)
  }

  @Test func `the numbers of removed names follow those of known names`() throws {
    let bytes = Self.written { writer in
      for reminder in writer.reminders { writer.reminder(reminder) }
    }
    let state = try StoredState(bytes)
    let others = StoreNames(reminders: ["run", "walk"], types: [])
    #expect(state.endedReminders(others) == ["milk"])
    #expect(state.retiredTypes(others) == ["food"])
    var reader = try #require(state.reader(of: .gateway, names: others, zones: [nil]))
    #expect(try reader.reminder() == ReminderID(2))
    #expect(try reader.reminder() == ReminderID(1))
    #expect(reader.types == [TypeID(0)])
    #expect(state.reader(of: .reminders, names: others, zones: [nil]) == nil)
  }

  @Test func `every truncation and every changed bit is detected`() throws {
    let bytes = Self.written { $0.text("something to lose") }
    for length in bytes.indices {
      #expect(throws: StoreProblem.torn) { try StoredState(Array(bytes.prefix(length))) }
    }
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let problem: StoreProblem = bit < 32 ? .unknownForm : .torn
      #expect(throws: problem) { try StoredState(changed) }
    }
  }

  @Test func `another version is not mistaken for damage`() throws {
    let bytes = Self.written { _ in }
    for (version, problem) in [(2, .newerVersion), (255, .newerVersion), (0, .contradictory)]
      as [(UInt8, StoreProblem)]
    {
      var other = bytes
      other[4] = version
      #expect(throws: problem) { try StoredState(Self.sealed(other)) }
    }
  }

  @Test(
    arguments: [
      [], [1], [1, 0, 0, 0, 0], [1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0], [2, 0, 0, 0, 0],
      // A duplicate part, and an unknown part.
      [1, 3, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0], [1, 3, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0],
      // A duplicate name, invalid UTF-8, and more names than bytes.
      [1, 7, 0, 0, 0, 2, 1, 65, 1, 65, 0, 0], [1, 5, 0, 0, 0, 1, 1, 0xFF, 0, 0],
      [1, 4, 0, 0, 0, 0xFF, 0xFF, 0x7F, 0], [1, 4, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func `an impossible state with a valid checksum is contradictory`(body: [UInt8]) {
    let bytes = StoredForm.magic + [StoredForm.version] + body + [0, 0, 0, 0]
    #expect(throws: StoreProblem.contradictory) { try StoredState(Self.sealed(bytes)) }
  }

  @Test func `counts that exceed the remaining bytes are contradictory`() throws {
    func reads<Value>(_ bytes: [UInt8], _ body: (inout StateReader) throws -> Value) throws -> Value {
      var reader = try Self.reader(Self.written { writer in for byte in bytes { writer.byte(byte) } })
      return try body(&reader)
    }
    let ten = Array(repeating: 0xFF, count: 9) + [1] as [UInt8]
    #expect(try reads(ten) { try $0.number() } == .max)
    for bytes in [Array(repeating: 0xFF, count: 10), Array(repeating: 0x80, count: 12), [0x80], []]
      as [[UInt8]]
    {
      #expect(throws: StoreProblem.contradictory) { try reads(bytes) { try $0.number() } }
    }
    #expect(throws: StoreProblem.contradictory) {
      try reads([0x80, 0x80, 0x80, 0x80, 0x10]) { try $0.number32() }
    }
    #expect(throws: StoreProblem.contradictory) { try reads(ten) { try $0.span() } }
    #expect(throws: StoreProblem.contradictory) { try reads(ten) { try $0.openInstant() } }
    #expect(throws: StoreProblem.contradictory) { try reads(ten) { try $0.day() } }
    #expect(throws: StoreProblem.contradictory) { try reads([2]) { try $0.flag() } }
    #expect(throws: StoreProblem.contradictory) { try reads([2]) { try $0.reminder() } }
    #expect(throws: StoreProblem.contradictory) { try reads([3]) { try $0.bucket() } }
    #expect(throws: StoreProblem.contradictory) { try reads([8]) { try $0.bucket() } }
    #expect(throws: StoreProblem.contradictory) { try reads(ten) { try $0.text() } }
    #expect(throws: StoreProblem.contradictory) { try reads([1]) { try $0.finish() } }
    // Four elements take at least eight bytes, but only seven remain.
    #expect(throws: StoreProblem.contradictory) {
      try reads([4, 0, 0, 0, 0, 0, 0, 0]) {
        try $0.list(each: 2) { (reader: inout StateReader) throws(StoreProblem) in try reader.byte() }
      }
    }
  }
}
