/// Numbers as text, written digit by digit: a text of its own for each would be made and thrown away.
extension [UInt8] {
  package mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number.magnitude)
  }

  package mutating func append(_ number: UInt64) {
    if number < 10 { return append(UInt8(ascii: "0") + UInt8(number)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = number
      var start = 20
      while rest > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// The shortest text that is read back as the same number.
  package mutating func append(_ number: Double) {
    if number == number.rounded(), number.magnitude < 1e15 {
      append(Int64(number))
    } else {
      append(contentsOf: number.description.utf8)
    }
  }
}
