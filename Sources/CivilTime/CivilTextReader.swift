/// Reads the parts of an ISO 8601 text from left to right. Strict: fixed widths, nothing left over.
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

  /// 0…1,439
  mutating func minute() throws(InvalidCivilText) -> Int {
    let hour = try number(digits: 2, "the hour")
    try expect(":", after: "the hour")
    let minute = try number(digits: 2, "the minute")
    guard hour <= 23 else { throw invalid("hours are 00 to 23") }
    guard minute <= 59 else { throw invalid("minutes are 00 to 59") }
    return hour * 60 + minute
  }

  /// A date, `T`, and a time with seconds and decimals if they are there.
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

  /// `Z`, or a sign, hours and minutes, and seconds if they are there; in milliseconds.
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

  /// One to three decimals, in milliseconds.
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
