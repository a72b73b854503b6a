/// The numbers of the rows that say which windows are open in a quarter of an hour.
public struct RowsOfQuarter: Sendable {
  // In a byte each, from the lowest: what is turned, which begin in the block, which of them begin at a later place,
  // which end in the block, which of them end at a later place, and which begin, and end, at no earlier place.
  @usableFromInline let numbers: UInt64

  init(quarter: Int) {
    let (block, place) = (quarter / WindowDigits.places, quarter % WindowDigits.places)
    let (from, to) = (WindowDigits.from + block, WindowDigits.to + block)
    func later(_ first: Int) -> Int {
      place == WindowDigits.places - 1 ? WindowDigits.never : first + place
    }
    let rows = [
      WindowDigits.turned + block, from, later(WindowDigits.fromPlace), to, later(WindowDigits.toPlace),
      place == 0 ? from : WindowDigits.fromPlace + place - 1,
      place == 0 ? to : WindowDigits.toPlace + place - 1,
    ]
    numbers = rows.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  @inlinable @inline(__always) var turned: Int { row(0) }

  @inlinable @inline(__always)
  var opening: EdgeRows { EdgeRows(block: row(1), later: row(2), notEarlier: row(5)) }

  @inlinable @inline(__always)
  var closing: EdgeRows { EdgeRows(block: row(3), later: row(4), notEarlier: row(6)) }

  @inlinable @inline(__always)
  func row(_ place: UInt64) -> Int { Int(truncatingIfNeeded: numbers &>> (8 &* place) & 0xFF) }
}

/// The rows of one edge: of those that lie in a block of three hours, and of these of those at a later place than some,
/// and at no earlier one.
@usableFromInline struct EdgeRows {
  @usableFromInline let block: Int
  @usableFromInline let later: Int
  @usableFromInline let notEarlier: Int

  @inlinable @inline(__always)
  init(block: Int, later: Int, notEarlier: Int) {
    (self.block, self.later, self.notEarlier) = (block, later, notEarlier)
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

  /// - Parameter quarter: 0…95
  @inlinable @inline(__always)
  public subscript(quarter: Int32) -> RowsOfQuarter {
    assert(0..<96 ~= quarter, "a quarter of an hour of a day")
    return rows[Int(quarter)]
  }

  /// Of so small a number as a minute of the day is 4,370 / 65,536.
  @inlinable @inline(__always)
  static func quarter(_ minute: Int32) -> Int32 { (minute &* 4_370) &>> 16 }
}
