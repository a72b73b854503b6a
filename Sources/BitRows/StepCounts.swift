/// How many bits are left of a word after each of some steps that take bits away: of the entries that wait those for
/// which the charger is as they ask, of these those that ask for the weekday, and so on.
public struct StepCounts {
  public let live: Int64
  public let charged: Int64
  public let onDay: Int64
  public let inPlace: Int64
  public let open: Int64

  @inlinable @inline(__always)
  public init(live: Int64, charged: Int64, onDay: Int64, inPlace: Int64, open: Int64) {
    (self.live, self.charged, self.onDay, self.inPlace, self.open) = (live, charged, onDay, inPlace, open)
  }

  @inlinable @inline(__always)
  public init(
    _ live: UInt64, _ charged: UInt64, _ onDay: UInt64, _ inPlace: UInt64, _ open: UInt64
  ) {
    func count(_ word: UInt64) -> Int64 { Int64(truncatingIfNeeded: word.nonzeroBitCount) }
    self.init(
      live: count(live), charged: count(charged), onDay: count(onDay), inPlace: count(inPlace),
      open: count(open))
  }

  /// So many bits of a word are few.
  @inlinable @inline(__always) public static var few: Int { 12 }

  /// Of words of which only the lowest ``few`` bits are set: all of them are counted at once, side by side in one word.
  @inlinable @inline(__always)
  public init(
    few live: UInt64, _ charged: UInt64, _ onDay: UInt64, _ inPlace: UInt64, _ open: UInt64
  ) {
    let all = live | charged &<< 12 | onDay &<< 24 | inPlace &<< 36 | open &<< 48
    let pairs = all &- (all &>> 1 & 0x5555_5555_5555_5555)
    let fours = pairs & 0x3333_3333_3333_3333 &+ (pairs &>> 2 & 0x3333_3333_3333_3333)
    // No sum of three fours is greater than twelve, which has room in four bits.
    let sums = fours &+ fours &>> 4 &+ fours &>> 8
    func count(_ place: UInt64) -> Int64 { Int64(truncatingIfNeeded: sums &>> (12 &* place) & 15) }
    self.init(live: count(0), charged: count(1), onDay: count(2), inPlace: count(3), open: count(4))
  }
}
