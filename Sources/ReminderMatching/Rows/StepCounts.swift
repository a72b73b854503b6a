/// The number of waiting entries that remain after each condition: charging, then weekday, then region.
public struct StepCounts {
  /// The number of waiting entries.
  public let live: Int64
  /// The number of live entries whose charging condition is fulfilled.
  public let charged: Int64
  /// The number of ``charged`` entries whose weekday condition is fulfilled too.
  public let onDay: Int64
  /// The number of ``onDay`` entries whose region condition is fulfilled too.
  public let inPlace: Int64

  /// Creates counts. Each must be at most as large as the previous one.
  @inlinable @inline(__always)
  public init(live: Int64, charged: Int64, onDay: Int64, inPlace: Int64) {
    (self.live, self.charged, self.onDay, self.inPlace) = (live, charged, onDay, inPlace)
  }

  /// Counts the bits of four words, two words at a time.
  @inlinable @inline(__always)
  public init(_ live: UInt64, _ charged: UInt64, _ onDay: UInt64, _ inPlace: UInt64) {
    let (first, second) = (TwoWords(live, charged).bitCounts, TwoWords(onDay, inPlace).bitCounts)
    self.init(
      live: Int64(truncatingIfNeeded: first[0]), charged: Int64(truncatingIfNeeded: first[1]),
      onDay: Int64(truncatingIfNeeded: second[0]), inPlace: Int64(truncatingIfNeeded: second[1]))
  }
}

/// The entries of a word that remain after each condition, and those whose window is open.
public struct WordSteps {
  /// The waiting entries.
  public let live: UInt64
  /// The waiting entries whose charging condition is fulfilled.
  public let charged: UInt64
  /// The entries of ``charged`` whose weekday condition is fulfilled.
  public let onDay: UInt64
  /// The entries of ``onDay`` whose region condition is fulfilled.
  public let inPlace: UInt64
  /// The entries of ``inPlace`` whose window is open.
  public let open: UInt64

  /// Creates the steps of one word. Each must be a subset of the previous one.
  @inlinable @inline(__always)
  public init(live: UInt64, charged: UInt64, onDay: UInt64, inPlace: UInt64, open: UInt64) {
    (self.live, self.charged, self.onDay) = (live, charged, onDay)
    (self.inPlace, self.open) = (inPlace, open)
  }

  /// The number of entries after each step.
  @inlinable @inline(__always)
  public var counts: StepCounts { StepCounts(live, charged, onDay, inPlace) }
}

/// Sums of ``StepCounts`` over many evaluations of buckets with few entries. One word holds all four counts,
/// so that one addition per evaluation is enough.
public struct PackedStepCounts: Sendable {
  @usableFromInline var sums: UInt64 = 0

  /// Creates empty sums.
  @inlinable @inline(__always)
  public init() {}

  /// The maximum number of entries in an evaluation.
  @inlinable @inline(__always) public static var most: Int { 16 }

  /// Adds the entries after each step, at most ``most`` of them. Do not call this if ``isFull`` is set.
  @inlinable @inline(__always)
  public mutating func add(_ steps: WordSteps) {
    let all = steps.live | steps.charged &<< 16 | steps.onDay &<< 32 | steps.inPlace &<< 48
    let pairs = all &- (all &>> 1 & 0x5555_5555_5555_5555)
    let fours = pairs & 0x3333_3333_3333_3333 &+ (pairs &>> 2 & 0x3333_3333_3333_3333)
    let eights = (fours &+ fours &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
    sums &+= (eights &+ eights &>> 8) & 0x00FF_00FF_00FF_00FF
  }

  /// Whether the first count, which is the greatest, is close to overflow.
  @inlinable @inline(__always) public var isFull: Bool { sums & 0x8000 != 0 }

  /// The sum of the counts of each step.
  public var counts: StepCounts {
    func count(_ place: UInt64) -> Int64 { Int64(truncatingIfNeeded: sums &>> (16 &* place) & 0xFFFF) }
    return StepCounts(live: count(0), charged: count(1), onDay: count(2), inPlace: count(3))
  }
}
