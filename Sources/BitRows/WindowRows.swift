/// Which windows of some entries are open at some time.
public protocol OpenWindows {
  func open<Words: BitWords>(at word: Int) -> Words
}

/// Outside a fold, where all windows begin and end with quarters of an hour.
public struct QuarterRows: OpenWindows {
  @usableFromInline let rows: UnsafePointer<UInt64>
  @usableFromInline let stride: Int
  @usableFromInline let opening: UInt64
  @usableFromInline let closing: UInt64

  /// - Parameters:
  ///   - rows: The ``WindowDigits/count``.
  ///   - stride: From row to row.
  @inlinable @inline(__always)
  public init(_ rows: UnsafePointer<UInt64>, stride: Int, at time: WindowTime) {
    self.rows = rows
    self.stride = stride
    (opening, closing) = (time.opening.rows, time.closing.rows)
  }

  @inlinable @inline(__always)
  public func open<Words: BitWords>(at word: Int) -> Words {
    let isLater: Words = later(opening, lowest: row(opening, 0, word), word)
    let endsLater: Words = later(closing, lowest: row(closing, 0, word), word)
    return open(isLater, endsLater, word)
  }

  /// Two of three hold: it has begun, it has not ended, it wraps.
  @inlinable @inline(__always)
  func open<Words: BitWords>(_ isLater: Words, _ endsLater: Words, _ word: Int) -> Words {
    let wraps = Words(at: rows + WindowDigits.wraps &* stride + word)
    return ~isLater & (endsLater | wraps) | endsLater & wraps
  }

  /// - Parameter numbers: See ``RowsOfQuarter``.
  @inlinable @inline(__always)
  func row<Words: BitWords>(_ numbers: UInt64, _ place: UInt64, _ word: Int) -> Words {
    Words(at: rows + Int(truncatingIfNeeded: numbers &>> (8 &* place) & 0xFF) &* stride + word)
  }

  /// The entries of some words of which an edge is later.
  ///
  /// - Parameter lowest: Those of which it is if the higher digits are the same.
  @inlinable @inline(__always)
  func later<Words: BitWords>(_ numbers: UInt64, lowest: Words, _ word: Int) -> Words {
    row(numbers, 4, word) | row(numbers, 5, word) & (row(numbers, 2, word) | row(numbers, 3, word) & lowest)
  }
}

/// At any time, whatever the windows.
public struct WindowRows: OpenWindows {
  private let quarters: QuarterRows
  private let minutes: UnsafePointer<UInt64>?
  private let time: WindowTime

  /// - Parameters:
  ///   - rows: The ``WindowDigits/count``,
  ///   - minutes: and the ``WindowDigits/minuteCount``, if there are.
  ///   - stride: From row to row.
  public init(
    _ rows: UnsafePointer<UInt64>, minutes: UnsafePointer<UInt64>?, stride: Int, at time: WindowTime
  ) {
    quarters = QuarterRows(rows, stride: stride, at: time)
    self.minutes = minutes
    self.time = time
  }

  public func open<Words: BitWords>(at word: Int) -> Words {
    let isLater: Words = later(
      quarters.opening, minutes, place: time.opening.place, word)
    let endsLater: Words = later(
      quarters.closing, minutes.map { $0 + 4 * quarters.stride },
      place: time.closing.place, word)
    if !time.isDayBefore { return quarters.open(isLater, endsLater, word) }
    // One of three, where the day before goes on.
    let wraps = Words(at: quarters.rows + WindowDigits.wraps * quarters.stride + word)
    let never = Words(at: quarters.rows + WindowDigits.never * quarters.stride + word)
    return (~isLater | endsLater | wraps) & ~never
  }

  /// - Parameter place: in the quarter of an hour.
  private func later<Words: BitWords>(
    _ numbers: UInt64, _ minutes: UnsafePointer<UInt64>?, place: Int32, _ word: Int
  ) -> Words {
    var lowest: Words = quarters.row(numbers, 0, word)
    if let minutes {
      // Digit after digit, from the lowest.
      var isLater = Words.none
      for digit in 0..<4 {
        let digits = Words(at: minutes + digit * quarters.stride + word)
        isLater = place >> digit & 1 == 1 ? digits & isLater : digits | isLater
      }
      lowest = lowest | quarters.row(numbers, 1, word) & isLater
    }
    return quarters.later(numbers, lowest: lowest, word)
  }
}
