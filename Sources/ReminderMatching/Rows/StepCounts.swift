/// How many bits are left of a word after each of some steps that take bits away: of the entries that wait those for
/// which the charger is as they ask, of these those that ask for the weekday, and of these those that ask for the place.
public struct StepCounts {
  /// Of those that wait.
  public let live: Int64
  /// Of these those that the charger suits,
  public let charged: Int64
  /// of these those that ask for the weekday,
  public let onDay: Int64
  /// and of these those that ask for the place.
  public let inPlace: Int64

  /// Counts that were made elsewhere; each is at most the one before.
  @inlinable @inline(__always)
  public init(live: Int64, charged: Int64, onDay: Int64, inPlace: Int64) {
    (self.live, self.charged, self.onDay, self.inPlace) = (live, charged, onDay, inPlace)
  }

  /// Two words are counted at a time.
  @inlinable @inline(__always)
  public init(_ live: UInt64, _ charged: UInt64, _ onDay: UInt64, _ inPlace: UInt64) {
    let (first, second) = (TwoWords(live, charged).bitCounts, TwoWords(onDay, inPlace).bitCounts)
    self.init(
      live: Int64(truncatingIfNeeded: first[0]), charged: Int64(truncatingIfNeeded: first[1]),
      onDay: Int64(truncatingIfNeeded: second[0]), inPlace: Int64(truncatingIfNeeded: second[1]))
  }
}

/// The bits of a word that are left after each of these steps, and those of them whose window is open.
public struct WordSteps {
  /// Those that wait.
  public let live: UInt64
  /// Of these those that the charger suits,
  public let charged: UInt64
  /// of these those that ask for the weekday,
  public let onDay: UInt64
  /// and of these those that ask for the place.
  public let inPlace: UInt64
  /// Those of the last step whose window is open.
  public let open: UInt64

  /// Bits of one word: each has none that the one before has not.
  @inlinable @inline(__always)
  public init(live: UInt64, charged: UInt64, onDay: UInt64, inPlace: UInt64, open: UInt64) {
    (self.live, self.charged, self.onDay) = (live, charged, onDay)
    (self.inPlace, self.open) = (inPlace, open)
  }

  /// How many bits each step leaves.
  @inlinable @inline(__always)
  public var counts: StepCounts { StepCounts(live, charged, onDay, inPlace) }
}

/// The ``StepCounts`` of many looks at words of which only the lowest bits are set: all four counts are side by side in one
/// word, so that a look counts and adds them at once.
public struct FewStepCounts: Sendable {
  @usableFromInline var sums: UInt64 = 0

  /// Nothing was added.
  @inlinable @inline(__always)
  public init() {}

  /// So many bits of a word are few.
  @inlinable @inline(__always) public static var most: Int { 16 }

  /// Adds the bits that are left after each step, ``most`` in each word; not when ``isFull``.
  @inlinable @inline(__always)
  public mutating func add(_ steps: WordSteps) {
    let all = steps.live | steps.charged &<< 16 | steps.onDay &<< 32 | steps.inPlace &<< 48
    let pairs = all &- (all &>> 1 & 0x5555_5555_5555_5555)
    let fours = pairs & 0x3333_3333_3333_3333 &+ (pairs &>> 2 & 0x3333_3333_3333_3333)
    let eights = (fours &+ fours &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
    sums &+= (eights &+ eights &>> 8) & 0x00FF_00FF_00FF_00FF
  }

  /// Whether the first count, which is the highest, is near the end of its room.
  @inlinable @inline(__always) public var isFull: Bool { sums & 0x8000 != 0 }

  /// How many bits each step has left in all.
  public var counts: StepCounts {
    func count(_ place: UInt64) -> Int64 { Int64(truncatingIfNeeded: sums &>> (16 &* place) & 0xFFFF) }
    return StepCounts(live: count(0), charged: count(1), onDay: count(2), inPlace: count(3))
  }
}
