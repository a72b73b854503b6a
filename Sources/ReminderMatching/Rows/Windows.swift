public import CivilTime

/// The start and end of a window as minutes of the day, encoded as digits in rows of bits. Five rows are
/// enough to compare 64 windows with the clock.
///
/// A minute is split into its quarter of an hour and its place in the quarter. The quarter is split into one
/// of eight blocks of three hours and one of twelve places in the block. Three facts determine whether a
/// window is open, and each of them inverts the result: the window includes midnight, its start is later in
/// the day, its end is later in the day.
///
/// - For each block, one row combines all three facts, as far as the blocks of start and end determine them.
/// - For each block, one row has the windows that start in that block, and one has those that end in it.
/// - For each place after the first, one row has the windows that start at that place or later in their
///   block, and one has those that end there or later.
/// - For the place in the quarter, there is one row for each of four binary digits of the start, and of the
///   end. Most windows start and end at quarters, so these rows exist only if a window needs them.
public struct WindowDigits: Sendable {
  private let window: DailyWindow?

  /// - Parameter window: The window, or `nil` if it is always open.
  public init(_ window: DailyWindow?) { self.window = window }

  @usableFromInline static let blocks = 8
  @usableFromInline static let places = 12

  /// The row of windows that are never open. They are in no other row, so this row also serves where an empty
  /// row is needed.
  @usableFromInline static let never = 0
  /// The row for each block that combines the three facts.
  @usableFromInline static let turned = 1
  /// The windows that start in each block.
  @usableFromInline static let from = turned + blocks
  /// The windows that end in each block.
  @usableFromInline static let to = from + blocks
  /// One row for each place after the first: the windows that start at that place, or later in their block.
  @usableFromInline static let fromPlace = to + blocks
  /// One row for each place after the first: the windows that end at that place, or later in their block.
  @usableFromInline static let toPlace = fromPlace + places - 1
  /// The number of rows for quarters.
  public static let count = toPlace + places - 1
  /// The number of rows for the places in a quarter.
  public static let minuteCount = 8

  /// The indices of the rows that contain the window, in `0..<count`.
  public var rows: [Int] {
    guard let window else { return (0..<Self.blocks).map { Self.turned + $0 } }
    if window.isEmpty { return [Self.never] }
    let (from, to) = (window.from / 15, window.to / 15)
    let (fromBlock, toBlock) = (from / Self.places, to / Self.places)
    let isTurned = (0..<Self.blocks).filter { block in
      (window.to < window.from) != ((fromBlock > block) != (toBlock > block))
    }
    return isTurned.map { Self.turned + $0 } + [Self.from + fromBlock, Self.to + toBlock]
      + Array(Self.fromPlace..<Self.fromPlace + from % Self.places)
      + Array(Self.toPlace..<Self.toPlace + to % Self.places)
  }

  /// The indices of the minute rows that contain the window, in `0..<minuteCount`. There are none if the
  /// window starts and ends at quarters.
  public var minuteRows: [Int] {
    guard let window, !window.isEmpty else { return [] }
    let digits = window.from % 15 | (window.to % 15) << 4
    return (0..<Self.minuteCount).filter { digits >> $0 & 1 == 1 }
  }
}

/// The numbers of the rows that determine which windows are open in a quarter of an hour.
public struct RowsOfQuarter: Sendable {
  // One byte for each row number. From the lowest byte, the rows are: the combined row; the windows that
  // start in this block; those that start at a later place in their block; the same two rows for the end; the
  // windows that start at this place or later; the same row for the end.
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

/// The row numbers for the starts of windows, or for their ends. `block` has the windows that start in a
/// block of three hours, `later` those that start at a later place in their block, and `notEarlier` those
/// that start at this place or later.
@usableFromInline struct EdgeRows {
  @usableFromInline let block: Int
  @usableFromInline let later: Int
  @usableFromInline let notEarlier: Int

  @inlinable @inline(__always)
  init(block: Int, later: Int, notEarlier: Int) {
    (self.block, self.later, self.notEarlier) = (block, later, notEarlier)
  }
}

/// ``RowsOfQuarter`` for each quarter. Computing the rows takes longer than an evaluation.
// The conformance is unchecked. It is safe because the memory never changes.
public struct QuarterTable: @unchecked Sendable {
  @usableFromInline let rows: UnsafePointer<RowsOfQuarter>

  /// The shared table. It is never deallocated.
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

  /// Returns the quarter of an hour that contains a minute of the day. The factor 4,370 / 65,536 is precise
  /// enough for 0…1,439.
  @inlinable @inline(__always)
  static func quarter(_ minute: Int32) -> Int32 { (minute &* 4_370) &>> 16 }
}

/// A time of day that is compared with all windows.
public struct WindowTime: Sendable {
  /// The minute of the day, 0…1,439, with which the starts of windows are compared.
  @usableFromInline let opening: Int32
  /// The minute with which the ends of windows are compared. It differs from ``opening`` only within a fold.
  @usableFromInline let closing: Int32
  /// Whether ``closing`` is on the day before because a fold extends over midnight.
  @usableFromInline let isDayBefore: Bool
  /// The quarter of ``opening``.
  @usableFromInline let quarter: Int32
  /// The numbers of the rows for the quarter.
  public let rows: RowsOfQuarter

  /// - Parameters:
  ///   - minute: 0…1,439
  ///   - quarters: The shared table, which callers can pass to avoid looking it up.
  @inlinable @inline(__always)
  public init(minute: Int, _ quarters: QuarterTable = .shared) {
    opening = Int32(truncatingIfNeeded: minute)
    (closing, isDayBefore) = (opening, false)
    quarter = QuarterTable.quarter(opening)
    rows = quarters[quarter]
  }

  /// Creates the time from window hands, which differ in a fold.
  public init(_ hands: WindowHands) {
    let day = hands.start.floorDivided(by: 1_440)
    let end = hands.end - day * 1_440
    // If more than a day repeats, every window has started and none has ended.
    opening = end < -1_440 ? 1_439 : Int32(hands.start - day * 1_440)
    closing = Int32(end.floorRemainder(by: 1_440))
    isDayBefore = end < 0
    quarter = QuarterTable.quarter(opening)
    rows = QuarterTable.shared[quarter]
  }

  /// Whether both minutes are the same, which is always the case outside a fold.
  var isOneMinute: Bool { !isDayBefore && opening == closing }

  /// The minute of the day with which the starts of windows are compared.
  public var minute: Int { Int(opening) }

  /// Returns a value that changes whenever a window may open or close outside a fold.
  ///
  /// - Parameter hasMinutes: Whether a window starts or ends between quarters of an hour.
  @inlinable @inline(__always)
  public func slot(hasMinutes: Bool) -> Int32 { hasMinutes ? opening : quarter }
}

/// The open windows of some entries at some time.
public protocol OpenWindows {
  /// Returns the entries of some words whose window is open.
  ///
  /// - Parameter word: The first word in the rows of the entries.
  func open<Words: BitWords>(at word: Int) -> Words
}

/// The open windows outside a fold, if all windows start and end at quarters of an hour.
public struct QuarterRows: OpenWindows {
  @usableFromInline let rows: UnsafePointer<UInt64>
  @usableFromInline let stride: Int
  @usableFromInline let quarter: RowsOfQuarter

  /// - Parameters:
  ///   - rows: The ``WindowDigits/count`` rows.
  ///   - stride: The distance from row to row.
  ///   - quarter: The current quarter of an hour.
  @inlinable @inline(__always)
  public init(_ rows: UnsafePointer<UInt64>, stride: Int, in quarter: RowsOfQuarter) {
    (self.rows, self.stride, self.quarter) = (rows, stride, quarter)
  }

  @inlinable @inline(__always)
  public func open<Words: BitWords>(at word: Int) -> Words {
    // Compute these here and not in the initializer, because most words have no entries left whose window
    // matters.
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

/// The open windows at any time, for any windows.
public struct WindowRows: OpenWindows {
  private let rows: UnsafePointer<UInt64>
  private let minutes: UnsafePointer<UInt64>?
  private let stride: Int
  private let time: WindowTime

  /// - Parameters:
  ///   - rows: The ``WindowDigits/count`` rows.
  ///   - minutes: The ``WindowDigits/minuteCount`` rows, or `nil`.
  ///   - stride: The distance from row to row.
  ///   - time: The time of day.
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
    // The minutes differ. Use the starts and ends in later blocks to determine which windows include
    // midnight, start later, or end later.
    let laterBegins: Words = edges(WindowDigits.from, after: opening.turned, word)
    let wraps: Words = turned ^ laterBegins ^ edges(WindowDigits.to, after: opening.turned, word)
    begins = begins | laterBegins
    ends = ends | edges(WindowDigits.to, after: closing.turned, word)
    // A window is open if two of three facts hold: it has started, it has not ended, it includes midnight. If
    // the ends are those of the day before, one of them suffices.
    if !time.isDayBefore { return ~begins & (ends | wraps) | ends & wraps }
    return (~begins | ends | wraps) & ~row(WindowDigits.never, word)
  }

  /// Returns the open windows of one word. It is a separate method so that the compiler specializes it.
  public func open(word: Int) -> UInt64 { open(at: word) }

  /// Returns the windows that start, or end, in a later block.
  ///
  /// - Parameter turned: The row of the present block.
  private func edges<Words: BitWords>(_ first: Int, after turned: Int, _ word: Int) -> Words {
    (turned + 1..<WindowDigits.turned + WindowDigits.blocks).reduce(Words.none) {
      $0 | row(first + $1 - WindowDigits.turned, word)
    }
  }

  /// Returns the windows that start, or end, later in the same block of three hours.
  ///
  /// - Parameter place: The place in the quarter of an hour.
  private func later<Words: BitWords>(
    _ edge: EdgeRows, _ minutes: UnsafePointer<UInt64>?, place: Int32, _ word: Int
  ) -> Words {
    var later: Words = row(edge.later, word)
    if let minutes {
      // Compare digit by digit, from the lowest.
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
