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

  /// In milliseconds; nil for `Z`.
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

  /// With leading zeros; the value has no more digits than that.
  private mutating func number(_ value: Int, digits: Int) {
    var divisor = digits == 4 ? 1_000 : digits == 3 ? 100 : 10
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
      divisor /= 10
    }
  }
}
