/// Which windows of some entries are open at some time.
public protocol OpenWindows {
  /// Those entries of some words whose window is open.
  ///
  /// - Parameter word: The first of them, in the rows of the entries.
  func open<Words: BitWords>(at word: Int) -> Words
}

/// Outside a fold, where all windows begin and end with quarters of an hour.
public struct QuarterRows: OpenWindows {
  @usableFromInline let rows: UnsafePointer<UInt64>
  @usableFromInline let stride: Int
  @usableFromInline let quarter: RowsOfQuarter

  /// - Parameters:
  ///   - rows: The ``WindowDigits/count``.
  ///   - stride: From row to row.
  ///   - quarter: Of the hour, at which the clock stands.
  @inlinable @inline(__always)
  public init(_ rows: UnsafePointer<UInt64>, stride: Int, in quarter: RowsOfQuarter) {
    (self.rows, self.stride, self.quarter) = (rows, stride, quarter)
  }

  @inlinable @inline(__always)
  public func open<Words: BitWords>(at word: Int) -> Words {
    // Where the rows are is worked out here: most words of few have nothing left to ask for a window.
    let (opening, closing) = (quarter.opening, quarter.closing)
    let begins: Words = row(opening.block, word) & row(opening.later, word)
    let ends: Words = row(closing.block, word) & row(closing.later, word)
    return row(quarter.turned, word) ^ begins ^ ends
  }

  @inlinable @inline(__always)
  func row<Words: BitWords>(_ number: Int, _ word: Int) -> Words {
    Words(at: rows + (number &* stride &+ word))
  }
}

/// At any time, whatever the windows.
public struct WindowRows: OpenWindows {
  private let rows: UnsafePointer<UInt64>
  private let minutes: UnsafePointer<UInt64>?
  private let stride: Int
  private let time: WindowTime

  /// - Parameters:
  ///   - rows: The ``WindowDigits/count``,
  ///   - minutes: and the ``WindowDigits/minuteCount``, if there are.
  ///   - stride: From row to row.
  ///   - time: What the clock shows.
  public init(
    _ rows: UnsafePointer<UInt64>, minutes: UnsafePointer<UInt64>?, stride: Int, at time: WindowTime
  ) {
    (self.rows, self.minutes, self.stride, self.time) = (rows, minutes, stride, time)
  }

  public func open<Words: BitWords>(at word: Int) -> Words {
    let (opening, closing) = (time.rows, QuarterTable.shared[QuarterTable.quarter(time.closing)])
    var begins: Words = later(opening.opening, minutes, place: time.opening % 15, word)
    var ends: Words = later(closing.closing, minutes.map { $0 + 4 * stride }, place: time.closing % 15, word)
    let turned: Words = row(opening.turned, word)
    if time.isOneMinute { return turned ^ begins ^ ends }
    // The minutes differ. What lies in later blocks says what wraps, and what is still to come there.
    let laterBegins: Words = edges(WindowDigits.from, after: opening.turned, word)
    let wraps: Words = turned ^ laterBegins ^ edges(WindowDigits.to, after: opening.turned, word)
    begins = begins | laterBegins
    ends = ends | edges(WindowDigits.to, after: closing.turned, word)
    // Two of three hold: it has begun, it has not ended, it wraps; one of them is enough where the day before goes on.
    if !time.isDayBefore { return ~begins & (ends | wraps) | ends & wraps }
    return (~begins | ends | wraps) & ~row(WindowDigits.never, word)
  }

  /// Of one word. By itself, so that it is compiled for words where it stands.
  public func open(word: Int) -> UInt64 { open(at: word) }

  /// The windows of which an edge lies in a later block than some.
  ///
  /// - Parameter turned: The row of that block.
  private func edges<Words: BitWords>(_ first: Int, after turned: Int, _ word: Int) -> Words {
    (turned + 1..<WindowDigits.turned + WindowDigits.blocks).reduce(Words.none) {
      $0 | row(first + $1 - WindowDigits.turned, word)
    }
  }

  /// The windows of which an edge is later, but in the same block of three hours.
  ///
  /// - Parameter place: in the quarter of an hour.
  private func later<Words: BitWords>(
    _ edge: EdgeRows, _ minutes: UnsafePointer<UInt64>?, place: Int32, _ word: Int
  ) -> Words {
    var later: Words = row(edge.later, word)
    if let minutes {
      // Digit after digit, from the lowest.
      var isLater = Words.none
      for digit in 0..<4 {
        let digits = Words(at: minutes + digit * stride + word)
        isLater = place >> digit & 1 == 1 ? digits & isLater : digits | isLater
      }
      later = later | row(edge.notEarlier, word) & isLater
    }
    return row(edge.block, word) & later
  }

  private func row<Words: BitWords>(_ number: Int, _ word: Int) -> Words {
    Words(at: rows + number * stride + word)
  }
}
