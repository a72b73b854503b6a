/// One word of 64 bits, or several that a processor takes at once.
public protocol BitWords {
  /// No bit is set.
  static var none: Self { get }
  /// Reads as many words as it has, from there on.
  init(at place: UnsafePointer<UInt64>)
  /// Writes them to there.
  func store(at place: UnsafeMutablePointer<UInt64>)
  /// Whether no bit is set.
  var isNone: Bool { get }
  /// What any of the words has.
  var union: UInt64 { get }
  /// Adds how many bits are set.
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

/// Two words. The operators of integers take a vector apart, those of masks do not: they are one instruction each, and
/// do the same to every bit.
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

  /// Of each word how many bits are set.
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
  /// Reads four words from there on, however they are aligned.
  @inlinable @inline(__always)
  public init(at place: UnsafePointer<UInt64>) {
    self = UnsafeRawPointer(place).loadUnaligned(as: Self.self)
  }

  /// Writes them to there, however that is aligned.
  @inlinable @inline(__always)
  public func store(at place: UnsafeMutablePointer<UInt64>) {
    UnsafeMutableRawPointer(place).storeBytes(of: self, as: Self.self)
  }
}

extension UInt64 {
  @inlinable @inline(__always)
  var bits: UInt64 { UInt64(truncatingIfNeeded: nonzeroBitCount) }
}
