/// One word of 64 bits, or several words processed at once.
public protocol BitWords {
  /// Words without set bits.
  static var none: Self { get }
  /// Loads the words from memory.
  init(at place: UnsafePointer<UInt64>)
  /// Stores the words to memory.
  func store(at place: UnsafeMutablePointer<UInt64>)
  /// Whether no bit is set.
  var isNone: Bool { get }
  /// The bitwise OR of all words.
  var union: UInt64 { get }
  /// Adds the number of set bits to a tally.
  func count(in tally: inout BitTally)
  static func & (a: Self, b: Self) -> Self
  static func | (a: Self, b: Self) -> Self
  static func ^ (a: Self, b: Self) -> Self
  static prefix func ~ (a: Self) -> Self
}

extension UInt64: BitWords {
  @inlinable @inline(__always) public static var none: UInt64 { 0 }
  @inlinable @inline(__always) public init(at place: UnsafePointer<UInt64>) { self = place.pointee }
  @inlinable @inline(__always) public func store(at place: UnsafeMutablePointer<UInt64>) {
    place.pointee = self
  }
  @inlinable @inline(__always) public var isNone: Bool { self == 0 }
  @inlinable @inline(__always) public var union: UInt64 { self }
  @inlinable @inline(__always) public func count(in tally: inout BitTally) { tally.units[0] &+= bits }
}

/// Two words.
///
/// The operators of `SIMD2<UInt64>` compile to scalar instructions. Mask operators have the same effect on
/// each bit, and each of them compiles to one instruction.
public struct TwoWords: BitWords {
  @usableFromInline let mask: SIMDMask<SIMD2<Int64>>

  @inlinable @inline(__always)
  init(_ mask: SIMDMask<SIMD2<Int64>>) { self.mask = mask }

  @inlinable @inline(__always)
  init(_ a: UInt64, _ b: UInt64) { mask = unsafeBitCast(SIMD2(a, b), to: SIMDMask<SIMD2<Int64>>.self) }

  @inlinable @inline(__always)
  public init(at place: UnsafePointer<UInt64>) {
    mask = UnsafeRawPointer(place).loadUnaligned(as: SIMDMask<SIMD2<Int64>>.self)
  }

  @inlinable @inline(__always)
  public func store(at place: UnsafeMutablePointer<UInt64>) {
    UnsafeMutableRawPointer(place).storeBytes(of: mask, as: SIMDMask<SIMD2<Int64>>.self)
  }

  @inlinable @inline(__always) public static var none: Self { Self(.init(repeating: false)) }
  @inlinable @inline(__always) var words: SIMD2<UInt64> { unsafeBitCast(mask, to: SIMD2<UInt64>.self) }
  @inlinable @inline(__always) public var isNone: Bool { union == 0 }
  @inlinable @inline(__always) public var union: UInt64 { words[0] | words[1] }

  /// The number of set bits in each word.
  @inlinable @inline(__always)
  var bitCounts: SIMD2<UInt64> { SIMD2(words[0].bits, words[1].bits) }

  @inlinable @inline(__always)
  public func count(in tally: inout BitTally) { tally.units &+= bitCounts }

  @inlinable @inline(__always)
  public static func & (a: Self, b: Self) -> Self { Self(a.mask .& b.mask) }
  @inlinable @inline(__always)
  public static func | (a: Self, b: Self) -> Self { Self(a.mask .| b.mask) }
  @inlinable @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self { Self(a.mask .^ b.mask) }
  @inlinable @inline(__always)
  public static prefix func ~ (a: Self) -> Self { Self(.!a.mask) }
}

/// Four words, as two pairs.
public struct FourWords: BitWords {
  @usableFromInline let pairs: (TwoWords, TwoWords)

  @inlinable @inline(__always)
  init(_ a: TwoWords, _ b: TwoWords) { pairs = (a, b) }

  @inlinable @inline(__always)
  public init(at place: UnsafePointer<UInt64>) {
    self.init(TwoWords(at: place), TwoWords(at: place + 2))
  }

  @inlinable @inline(__always)
  public func store(at place: UnsafeMutablePointer<UInt64>) {
    pairs.0.store(at: place)
    pairs.1.store(at: place + 2)
  }

  @inlinable @inline(__always) public static var none: Self { Self(.none, .none) }
  @inlinable @inline(__always) public var isNone: Bool { union == 0 }
  @inlinable @inline(__always) public var union: UInt64 { (pairs.0 | pairs.1).union }

  @inlinable @inline(__always)
  public func count(in tally: inout BitTally) {
    tally.units &+= pairs.0.bitCounts &+ pairs.1.bitCounts
  }

  @inlinable @inline(__always)
  public static func & (a: Self, b: Self) -> Self { Self(a.pairs.0 & b.pairs.0, a.pairs.1 & b.pairs.1) }
  @inlinable @inline(__always)
  public static func | (a: Self, b: Self) -> Self { Self(a.pairs.0 | b.pairs.0, a.pairs.1 | b.pairs.1) }
  @inlinable @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self { Self(a.pairs.0 ^ b.pairs.0, a.pairs.1 ^ b.pairs.1) }
  @inlinable @inline(__always)
  public static prefix func ~ (a: Self) -> Self { Self(~a.pairs.0, ~a.pairs.1) }
}

/// Eight words, as four pairs.
public struct EightWords: BitWords {
  @usableFromInline let pairs: (TwoWords, TwoWords, TwoWords, TwoWords)

  @inlinable @inline(__always)
  init(_ a: TwoWords, _ b: TwoWords, _ c: TwoWords, _ d: TwoWords) { pairs = (a, b, c, d) }

  @inlinable @inline(__always)
  public init(at place: UnsafePointer<UInt64>) {
    self.init(
      TwoWords(at: place), TwoWords(at: place + 2), TwoWords(at: place + 4), TwoWords(at: place + 6))
  }

  @inlinable @inline(__always)
  public func store(at place: UnsafeMutablePointer<UInt64>) {
    pairs.0.store(at: place)
    pairs.1.store(at: place + 2)
    pairs.2.store(at: place + 4)
    pairs.3.store(at: place + 6)
  }

  @inlinable @inline(__always)
  public static var none: Self { Self(.none, .none, .none, .none) }

  @inlinable @inline(__always)
  public var isNone: Bool { union == 0 }

  @inlinable @inline(__always)
  public var union: UInt64 { (pairs.0 | pairs.1 | (pairs.2 | pairs.3)).union }

  @inlinable @inline(__always)
  public func count(in tally: inout BitTally) { tally.add(self) }

  @inlinable @inline(__always)
  public static func & (a: Self, b: Self) -> Self {
    Self(
      a.pairs.0 & b.pairs.0, a.pairs.1 & b.pairs.1, a.pairs.2 & b.pairs.2, a.pairs.3 & b.pairs.3)
  }

  @inlinable @inline(__always)
  public static func | (a: Self, b: Self) -> Self {
    Self(
      a.pairs.0 | b.pairs.0, a.pairs.1 | b.pairs.1, a.pairs.2 | b.pairs.2, a.pairs.3 | b.pairs.3)
  }

  @inlinable @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self {
    Self(
      a.pairs.0 ^ b.pairs.0, a.pairs.1 ^ b.pairs.1, a.pairs.2 ^ b.pairs.2, a.pairs.3 ^ b.pairs.3)
  }

  @inlinable @inline(__always)
  public static prefix func ~ (a: Self) -> Self { Self(~a.pairs.0, ~a.pairs.1, ~a.pairs.2, ~a.pairs.3) }
}

extension SIMD4<UInt64> {
  /// Loads four words from memory, with any alignment.
  @inlinable @inline(__always)
  public init(at place: UnsafePointer<UInt64>) {
    self = UnsafeRawPointer(place).loadUnaligned(as: Self.self)
  }

  /// Stores four words to memory, with any alignment.
  @inlinable @inline(__always)
  public func store(at place: UnsafeMutablePointer<UInt64>) {
    UnsafeMutableRawPointer(place).storeBytes(of: self, as: Self.self)
  }
}

extension UInt64 {
  @inlinable @inline(__always)
  var bits: UInt64 { UInt64(truncatingIfNeeded: nonzeroBitCount) }
}

/// A sequence of the positions of set bits, in ascending order.
public struct Bits: Sequence, IteratorProtocol {
  @usableFromInline var rest: UInt64

  /// - Parameter bits: The bits, whose positions are 0…63.
  @inlinable
  public init(_ bits: UInt64) { rest = bits }

  @inlinable
  public mutating func next() -> Int? {
    if rest == 0 { return nil }
    let bit = rest.trailingZeroBitCount
    rest &= rest - 1
    return bit
  }
}

/// Rows of bits that have equal lengths and are stored one after the other.
public struct BitRows {
  /// The words of all rows. The first word of each row has bits 0…63.
  public private(set) var words: [UInt64]
  private let wordCount: Int

  /// - Parameters:
  ///   - count: The number of rows.
  ///   - words: The number of words in each row, with 64 bits each.
  public init(count: Int, words: Int) {
    self.words = Array(repeating: 0, count: count * words)
    wordCount = words
  }

  /// Sets a bit of a row.
  public mutating func set(_ row: Int, _ bit: Int) {
    words[row * wordCount + bit / 64] |= 1 << UInt64(bit % 64)
  }
}

/// A counter of set bits.
///
/// If eight words are added at a time, a carry-save adder combines them first, so that only one of four words
/// needs a population count.
public struct BitTally {
  @usableFromInline var units = SIMD2<UInt64>.zero
  @usableFromInline var ones = TwoWords.none
  @usableFromInline var twos = TwoWords.none
  @usableFromInline var fours = SIMD2<UInt64>.zero

  /// Creates an empty tally.
  @inlinable @inline(__always)
  public init() {}

  @inlinable @inline(__always)
  mutating func add(_ words: EightWords) {
    let first = Self.carry(&ones, words.pairs.0, words.pairs.1)
    let second = Self.carry(&ones, words.pairs.2, words.pairs.3)
    fours &+= Self.carry(&twos, first, second).bitCounts
  }

  /// Adds two words to a digit.
  ///
  /// - Returns: The carry to the next digit.
  @inlinable @inline(__always)
  static func carry(_ digit: inout TwoWords, _ a: TwoWords, _ b: TwoWords) -> TwoWords {
    let either = digit ^ a
    let both = digit & a
    digit = either ^ b
    return both | either & b
  }

  /// Returns the number of set bits in all words that were added.
  ///
  /// - Parameter words: The number of words that were added.
  @inlinable @inline(__always)
  public func count(ofWords words: Int) -> Int32 {
    let sum =
      words < 8 ? units : units &+ ones.bitCounts &+ twos.bitCounts &<< 1 &+ fours &<< 2
    return Int32(truncatingIfNeeded: sum[0] &+ sum[1])
  }
}
