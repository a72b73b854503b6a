/// How many bits are left of a word after each of some steps that take bits away: of the entries that wait those for
/// which the charger is as they ask, of these those that ask for the weekday, and of these those that ask for the place.
public struct StepCounts {
  public let live: Int64
  public let charged: Int64
  public let onDay: Int64
  public let inPlace: Int64

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

  /// So many bits of a word are few.
  @inlinable @inline(__always) public static var few: Int { 16 }

  /// Of words of which only the lowest ``few`` bits are set: all of them are counted at once, side by side in one word.
  @inlinable @inline(__always)
  public init(few live: UInt64, _ charged: UInt64, _ onDay: UInt64, _ inPlace: UInt64) {
    let all = live | charged &<< 16 | onDay &<< 32 | inPlace &<< 48
    let pairs = all &- (all &>> 1 & 0x5555_5555_5555_5555)
    let fours = pairs & 0x3333_3333_3333_3333 &+ (pairs &>> 2 & 0x3333_3333_3333_3333)
    let eights = (fours &+ fours &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
    let sums = eights &+ eights &>> 8
    func count(_ place: UInt64) -> Int64 { Int64(truncatingIfNeeded: sums &>> (16 &* place) & 0xFF) }
    self.init(live: count(0), charged: count(1), onDay: count(2), inPlace: count(3))
  }
}
