public import CivilTime

/// The minutes of the day at which windows begin and end, as digits that stand in rows. So 64 windows are compared with
/// the clock at once, by five rows.
///
/// A minute is written as its quarter of an hour and its place there, the quarter as a block of three hours and one of
/// twelve places in it. Of the edges of a window three things change what is open, each of them turning it: that it
/// goes on over midnight, that its beginning is still to come, that its end is. For each block there is a row that has
/// all three together, for the blocks of the edges, and for either edge a row of the windows whose edge lies in that
/// block; for either edge and each place but the first there is a row of those whose place is that or a later one. The
/// place within the quarter, which most windows do not need, has a row for each of four binary digits: these are kept
/// only where some window does.
public struct WindowDigits: Sendable {
  private let window: DailyWindow?

  /// - Parameter window: nil: always open.
  public init(_ window: DailyWindow?) { self.window = window }

  @usableFromInline static let blocks = 8
  @usableFromInline static let places = 12

  /// Of the windows that are never open. Where no edge counts it is as good as a row of none.
  @usableFromInline static let never = 0
  /// By block: see above.
  @usableFromInline static let turned = 1
  /// By block: those that begin in it,
  @usableFromInline static let from = turned + blocks
  /// and those that end in it.
  @usableFromInline static let to = from + blocks
  /// By place but the first: those that begin there or later in their block,
  @usableFromInline static let fromPlace = to + blocks
  /// and those that end so.
  @usableFromInline static let toPlace = fromPlace + places - 1
  /// So many rows the quarters take,
  public static let count = toPlace + places - 1
  /// and so many the places within them.
  public static let minuteCount = 8

  /// The rows of ``count`` in which it stands.
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

  /// The rows of ``minuteCount`` in which it stands; none if it begins and ends with quarters.
  public var minuteRows: [Int] {
    guard let window, !window.isEmpty else { return [] }
    let digits = window.from % 15 | (window.to % 15) << 4
    return (0..<Self.minuteCount).filter { digits >> $0 & 1 == 1 }
  }
}
