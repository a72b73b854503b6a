public import CivilTime

/// The minutes of the day at which windows start and end, encoded as digits in rows. Five rows suffice to
/// compare 64 windows with the clock.
///
/// A minute is split into its quarter of an hour and its place in the quarter. The quarter is split into one
/// of eight blocks of three hours and one of twelve places in the block. A window is open or closed depending
/// on three facts, and each of them inverts the result: the window wraps over midnight, its start is still to
/// come, its end is still to come.
///
/// - For each block, one row combines all three facts as far as the blocks of the edges determine them.
/// - For each edge and block, one row has the windows with that edge in that block.
/// - For each edge and each place after the first, one row has the windows with that edge at that place or
///   later.
/// - For the place in the quarter, one row stores each of four binary digits. Most windows start and end at
///   quarters, so these rows exist only if a window needs them.
public struct WindowDigits: Sendable {
  private let window: DailyWindow?

  /// - Parameter window: The window, or `nil` if it is always open.
  public init(_ window: DailyWindow?) { self.window = window }

  @usableFromInline static let blocks = 8
  @usableFromInline static let places = 12

  /// The windows that are never open. This row also serves as an empty row for an edge.
  @usableFromInline static let never = 0
  /// The combined row of each block, as described above.
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

  /// The rows of ``count`` that contain the window.
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

  /// The indices of the minute rows that contain the window, in `0..<minuteCount`. Empty if it starts and ends at quarters.
  public var minuteRows: [Int] {
    guard let window, !window.isEmpty else { return [] }
    let digits = window.from % 15 | (window.to % 15) << 4
    return (0..<Self.minuteCount).filter { digits >> $0 & 1 == 1 }
  }
}

/// The numbers of the rows that determine which windows are open in a quarter of an hour.
public struct RowsOfQuarter: Sendable {
  // One byte for each row number, from the lowest: the combined row; the windows that start in this block,
  // and those at a later place in it; the same two for the end; the windows that start at this place or
  // later, and the same for the end.
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

/// The rows of one edge: the windows with the edge in a block of three hours, at a later place in it, and at
/// this place or later.
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
// Unchecked: the memory never changes.
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

  /// Returns the quarter of a minute of the day. 4,370 / 65,536 is precise enough for 0…1,439.
  @inlinable @inline(__always)
  static func quarter(_ minute: Int32) -> Int32 { (minute &* 4_370) &>> 16 }
}

/// A time of day that is compared with all windows.
public struct WindowTime: Sendable {
  /// The minute of the day, 0…1,439, up to which windows have started.
  @usableFromInline let opening: Int32
  /// The minute up to which windows have ended. It differs from ``opening`` only within a fold.
  @usableFromInline let closing: Int32
  /// Whether ``closing`` is on the day before because a fold extends over midnight.
  @usableFromInline let isDayBefore: Bool
  /// The quarter of ``opening``.
  @usableFromInline let quarter: Int32
  /// The rows of the quarter.
  public let rows: RowsOfQuarter

  /// - Parameters:
  ///   - minute: 0…1,439
  ///   - quarters: The shared table, if the caller has it at hand.
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

  /// Whether both minutes are equal, which is always the case outside a fold.
  var isOneMinute: Bool { !isDayBefore && opening == closing }

  /// The minute of the day until which window starts were applied.
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
    // Computed here and not in the initializer, because most words have no entries left that need a window.
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
    // The minutes differ. Determine from the edges in later blocks which windows wrap, start later, or end
    // later.
    let laterBegins: Words = edges(WindowDigits.from, after: opening.turned, word)
    let wraps: Words = turned ^ laterBegins ^ edges(WindowDigits.to, after: opening.turned, word)
    begins = begins | laterBegins
    ends = ends | edges(WindowDigits.to, after: closing.turned, word)
    // A window is open if two of three facts hold: it has started, it has not ended, it wraps. One suffices
    // where the day before continues.
    if !time.isDayBefore { return ~begins & (ends | wraps) | ends & wraps }
    return (~begins | ends | wraps) & ~row(WindowDigits.never, word)
  }

  /// Returns the open windows of one word. A separate method, so that the compiler specializes it.
  public func open(word: Int) -> UInt64 { open(at: word) }

  /// Returns the windows that have an edge in a later block.
  ///
  /// - Parameter turned: The row of the present block.
  private func edges<Words: BitWords>(_ first: Int, after turned: Int, _ word: Int) -> Words {
    (turned + 1..<WindowDigits.turned + WindowDigits.blocks).reduce(Words.none) {
      $0 | row(first + $1 - WindowDigits.turned, word)
    }
  }

  /// Returns the windows that have a later edge in the same block of three hours.
  ///
  /// - Parameter place: The place in the quarter of an hour.
  private func later<Words: BitWords>(
    _ edge: EdgeRows, _ minutes: UnsafePointer<UInt64>?, place: Int32, _ word: Int
  ) -> Words {
    var later: Words = row(edge.later, word)
    if let minutes {
      // Compares digit by digit, from the lowest.
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
