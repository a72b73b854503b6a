/// The numbers of the rows that say which beginnings of windows, and which ends, are later than a quarter of an hour.
@usableFromInline struct RowsOfQuarter: Sendable {
  // In a byte each, from the lowest digit: the row of those whose digit is greater, and of those whose is not less.
  @usableFromInline let from: UInt64
  @usableFromInline let to: UInt64

  init(quarter: Int) {
    let digits = [(quarter & 3, 8, 3), (quarter >> 2 & 3, 5, 3), (quarter >> 4, 0, 5)]
    func rows(_ first: Int) -> UInt64 {
      digits.reversed().reduce(0) { rows, digit in
        let (value, place, most) = digit
        let greater = value == most ? WindowDigits.never : first + place + value
        let notLess = value == 0 ? WindowDigits.all : first + place + value - 1
        return rows << 16 | UInt64(notLess << 8 | greater)
      }
    }
    from = rows(WindowDigits.from)
    to = rows(WindowDigits.to)
  }
}

/// ``RowsOfQuarter`` by quarter: to work them out costs more than a look.
// Unchecked: nobody changes what it points at.
public struct QuarterTable: @unchecked Sendable {
  @usableFromInline let rows: UnsafePointer<RowsOfQuarter>

  /// The only one, which is never freed.
  public static let shared = QuarterTable()

  private init() {
    let rows = UnsafeMutableBufferPointer<RowsOfQuarter>.allocate(capacity: 96)
    _ = rows.initialize(from: (0..<96).map { RowsOfQuarter(quarter: $0) })
    self.rows = UnsafePointer(rows.baseAddress.unsafelyUnwrapped)
  }

  @inlinable @inline(__always)
  subscript(quarter: Int32) -> RowsOfQuarter {
    assert(0..<96 ~= quarter, "a quarter of an hour of a day")
    return rows[Int(quarter)]
  }

  /// Of so small a number as a minute of the day is 4,370 / 65,536.
  @inlinable @inline(__always)
  static func quarter(_ minute: Int32) -> Int32 { (minute &* 4_370) &>> 16 }
}
