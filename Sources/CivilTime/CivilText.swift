public import TriggerModel

/// An error in the ISO 8601 text of a date, a time or an instant.
public struct InvalidCivilText: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected kind of text.
  public enum Expected: UInt8, Hashable, Sendable, CaseIterable {
    /// A date; a time of day; a date and time without a zone; or a date and time with an offset from UTC.
    case date, time, local, instant

    var form: String {
      switch self {
      case .date: "a date such as 2026-03-02"
      case .time: "a time such as 08:10"
      case .local: "a local time such as 2026-03-02T08:10"
      case .instant: "an instant such as 2026-03-02T08:10:00Z or 2026-03-02T08:10+01:00"
      }
    }
  }

  /// The text that could not be parsed.
  public var text: String
  /// The expected kind of text.
  public var expected: Expected
  /// The problem, in words such as "February 2026 has 28 days".
  public var problem: String

  public var description: String {
    "\"\(text.prefix(64))\" is not \(expected.form): \(problem)"
  }
}

extension CivilDate {
  /// Parses `2026-03-02`. The text must have four, two and two digits, and the date must exist.
  public init(iso8601 text: some StringProtocol) throws(InvalidCivilText) {
    var reader = CivilTextReader(text, expected: .date)
    self = try reader.date()
    try reader.end()
  }

  /// The date as text, such as `2026-03-02`. Years outside 0…9999 have a sign and as many digits as needed.
  public var iso8601: String {
    var writer = CivilTextWriter()
    writer.date(self)
    return writer.text
  }
}

extension LocalTime {
  /// Parses `2026-03-02T07:00` without a zone. Seconds and up to three decimals are optional.
  public init(iso8601 text: some StringProtocol) throws(InvalidCivilText) {
    var reader = CivilTextReader(text, expected: .local)
    self = try reader.local()
    try reader.end()
  }

  /// The time as text, such as `2026-03-02T07:00:00`. Milliseconds are omitted if they are zero.
  public var iso8601: String {
    var writer = CivilTextWriter()
    writer.local(self)
    return writer.text
  }
}

/// Converts between minutes of the day and text.
public enum MinuteOfDay {
  /// Parses `08:10`: two digits, a colon and two digits, in the range 00:00…23:59.
  ///
  /// - Returns: The minute of the day, 0…1,439.
  public static func parse(_ text: some StringProtocol) throws(InvalidCivilText) -> Int {
    var reader = CivilTextReader(text, expected: .time)
    let minute = try reader.minute()
    try reader.end()
    return minute
  }

  /// Returns the text of a minute 0…1,439, such as `08:10`.
  public static func text(_ minute: Int) -> String {
    var writer = CivilTextWriter()
    writer.minute(minute)
    return writer.text
  }
}

extension Instant {
  /// Parses `2026-03-02T08:10:00.250Z`. Seconds are optional, with at most three decimals. The offset is `Z`
  /// or a number such as `+01:00`.
  public init(iso8601 text: some StringProtocol) throws(InvalidCivilText) {
    var reader = CivilTextReader(text, expected: .instant)
    let local = try reader.local()
    let offset = try reader.offset()
    try reader.end()
    self.init(millisecondsSince1970: local.milliseconds - offset)
  }

  /// The instant as text in UTC, such as `2026-03-02T08:10:00Z`. Milliseconds are omitted if they are zero.
  /// Outside the years 0…9999, the text is `distantPast` or `distantFuture`.
  public var iso8601: String { text(offset: nil) }

  /// Returns the local time with its offset as text, such as `2026-03-02T09:10:00+01:00`. If the offset
  /// includes seconds, as it once did in Monrovia, so does the text.
  public func iso8601(in zone: Zone) -> String {
    isInFourDigitYears ? text(offset: zone.offset(at: self).milliseconds) : iso8601
  }

  private var isInFourDigitYears: Bool {
    (-62_167_219_200_000..<253_402_300_800_000).contains(millisecondsSince1970)
  }

  private func text(offset: Int64?) -> String {
    guard isInFourDigitYears else { return millisecondsSince1970 < 0 ? "distantPast" : "distantFuture" }
    var writer = CivilTextWriter()
    writer.local(LocalTime(milliseconds: millisecondsSince1970 + (offset ?? 0)))
    writer.offset(offset)
    return writer.text
  }
}

/// Parses the parts of an ISO 8601 text from left to right. Parsing is strict: parts have fixed widths, and
/// no text may follow the last one.
struct CivilTextReader {
  private let text: String
  private let bytes: [UInt8]
  private let expected: InvalidCivilText.Expected
  private var position = 0

  init(_ text: some StringProtocol, expected: InvalidCivilText.Expected) {
    self.text = String(text)
    self.bytes = Array(text.utf8)
    self.expected = expected
  }

  private static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  mutating func date() throws(InvalidCivilText) -> CivilDate {
    let year = try number(digits: 4, "the year")
    try expect("-", after: "the year")
    let month = try number(digits: 2, "the month")
    try expect("-", after: "the month")
    let day = try number(digits: 2, "the day")
    guard 1...12 ~= month else { throw invalid("there is no month \(month)") }
    let length = CivilDate.days(inMonth: month, of: year)
    guard 1...length ~= day else {
      throw invalid("\(Self.monthNames[month - 1]) \(year) has \(length) days")
    }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Parses a minute of the day, 0…1,439.
  mutating func minute() throws(InvalidCivilText) -> Int {
    let hour = try number(digits: 2, "the hour")
    try expect(":", after: "the hour")
    let minute = try number(digits: 2, "the minute")
    guard hour <= 23 else { throw invalid("hours are 00 to 23") }
    guard minute <= 59 else { throw invalid("minutes are 00 to 59") }
    return hour * 60 + minute
  }

  /// Parses a date, `T`, and a time with optional seconds and decimals.
  mutating func local() throws(InvalidCivilText) -> LocalTime {
    let date = try date()
    try expect("T", after: "the date")
    var milliseconds = try minute() * 60_000
    if accept(":") {
      let second = try number(digits: 2, "the second")
      guard second <= 59 else { throw invalid("seconds are 00 to 59") }
      milliseconds += second * 1_000
      if accept(".") { milliseconds += try fraction() }
    }
    return LocalTime(date: date, millisecondOfDay: Int32(milliseconds))
  }

  /// Parses `Z`, or a sign, hours, minutes and optional seconds. Returns milliseconds.
  mutating func offset() throws(InvalidCivilText) -> Int64 {
    if accept("Z") { return 0 }
    let sign: Int64
    if accept("+") {
      sign = 1
    } else if accept("-") {
      sign = -1
    } else {
      throw invalid("it must end in Z or in an offset such as +01:00")
    }
    var seconds = try minute() * 60
    if accept(":") {
      let second = try number(digits: 2, "the offset's seconds")
      guard second <= 59 else { throw invalid("seconds are 00 to 59") }
      seconds += second
    }
    return sign * Int64(seconds) * 1_000
  }

  func end() throws(InvalidCivilText) {
    guard position == bytes.count else {
      throw invalid("\"\(String(decoding: bytes[position...].prefix(32), as: UTF8.self))\" is left over")
    }
  }

  // MARK: Parts

  /// Parses one to three decimals. Returns milliseconds.
  private mutating func fraction() throws(InvalidCivilText) -> Int {
    var value = 0
    var digits = 0
    while let digit = nextDigit() {
      digits += 1
      guard digits <= 3 else { throw invalid("seconds have at most three decimals") }
      value = value * 10 + digit
    }
    guard digits > 0 else { throw invalid("decimals are missing after the point") }
    return value * [100, 10, 1][digits - 1]
  }

  private mutating func number(digits: Int, _ part: String) throws(InvalidCivilText) -> Int {
    var value = 0
    for _ in 0..<digits {
      guard let digit = nextDigit() else { throw invalid("\(part) must have \(digits) digits") }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func nextDigit() -> Int? {
    guard position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit <= 9 else {
      return nil
    }
    position += 1
    return Int(digit)
  }

  private mutating func accept(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar, after part: String) throws(InvalidCivilText) {
    guard accept(character) else { throw invalid("\"\(character)\" must follow \(part)") }
  }

  private func invalid(_ problem: String) -> InvalidCivilText {
    InvalidCivilText(text: text, expected: expected, problem: problem)
  }
}

/// Writes the parts of an ISO 8601 text from left to right.
struct CivilTextWriter {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(32) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func date(_ date: CivilDate) {
    let (year, month, day) = date.components
    if 0...9_999 ~= year {
      number(year, digits: 4)
    } else {
      bytes += (year < 0 ? "\(year)" : "+\(year)").utf8
    }
    append("-")
    number(month, digits: 2)
    append("-")
    number(day, digits: 2)
  }

  mutating func minute(_ minute: Int) {
    number(minute / 60, digits: 2)
    append(":")
    number(minute % 60, digits: 2)
  }

  mutating func local(_ local: LocalTime) {
    date(local.date)
    append("T")
    minute(local.minuteOfDay)
    append(":")
    number(Int(local.millisecondOfDay) / 1_000 % 60, digits: 2)
    let milliseconds = Int(local.millisecondOfDay) % 1_000
    if milliseconds != 0 {
      append(".")
      number(milliseconds, digits: 3)
    }
  }

  /// Writes an offset in milliseconds, or `Z` for `nil`.
  mutating func offset(_ offset: Int64?) {
    guard let offset else { return append("Z") }
    append(offset < 0 ? "-" : "+")
    let seconds = Int(offset.magnitude / 1_000)
    minute(seconds / 60)
    if seconds % 60 != 0 {
      append(":")
      number(seconds % 60, digits: 2)
    }
  }

  private mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

  /// Writes a number with leading zeros. It must not have more than `digits` digits.
  private mutating func number(_ value: Int, digits: Int) {
    var divisor = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
