/// One word of 64 bits, or several that a processor takes at once.
public protocol BitWords {
  /// Whether a choice for all of the words is worth a branch.
  static var branches: Bool { get }
  static var none: Self { get }
  init(repeating word: UInt64)
  init(at place: UnsafePointer<UInt64>)
  func store(at place: UnsafeMutablePointer<UInt64>)
  var isNone: Bool { get }
  static func & (a: Self, b: Self) -> Self
  static func | (a: Self, b: Self) -> Self
  static func ^ (a: Self, b: Self) -> Self
  static prefix func ~ (a: Self) -> Self
}

extension UInt64: BitWords {
  @inlinable @inline(__always) public static var branches: Bool { false }
  @inlinable @inline(__always) public static var none: UInt64 { 0 }
  @inlinable @inline(__always) public init(repeating word: UInt64) { self = word }
  @inlinable @inline(__always) public init(at place: UnsafePointer<UInt64>) { self = place.pointee }
  @inlinable @inline(__always) public func store(at place: UnsafeMutablePointer<UInt64>) {
    place.pointee = self
  }
  @inlinable @inline(__always) public var isNone: Bool { self == 0 }
}

extension SIMD4<UInt64>: BitWords {
  @inlinable @inline(__always) public static var branches: Bool { false }
  @inlinable @inline(__always) public static var none: Self { .zero }

  @inlinable @inline(__always)
  public init(at place: UnsafePointer<UInt64>) {
    self = UnsafeRawPointer(place).loadUnaligned(as: Self.self)
  }

  @inlinable @inline(__always)
  public func store(at place: UnsafeMutablePointer<UInt64>) {
    UnsafeMutableRawPointer(place).storeBytes(of: self, as: Self.self)
  }

  @inlinable @inline(__always)
  public var isNone: Bool {
    let half = lowHalf | highHalf
    return half[0] | half[1] == 0
  }
}

extension SIMD8<UInt64>: BitWords {
  @inlinable @inline(__always) public static var branches: Bool { true }
  @inlinable @inline(__always) public static var none: Self { .zero }

  @inlinable @inline(__always)
  public init(at place: UnsafePointer<UInt64>) {
    self = UnsafeRawPointer(place).loadUnaligned(as: Self.self)
  }

  @inlinable @inline(__always)
  public func store(at place: UnsafeMutablePointer<UInt64>) {
    UnsafeMutableRawPointer(place).storeBytes(of: self, as: Self.self)
  }

  @inlinable @inline(__always)
  public var isNone: Bool {
    let half = lowHalf | highHalf
    let quarter = half.lowHalf | half.highHalf
    return quarter[0] | quarter[1] == 0
  }
}

/// How many bits are set in a row, of which eight words are added at a time. They are added up as binary digits of 128
/// numbers first, so that only one word of four is counted bit by bit.
public struct BitTally {
  @usableFromInline var ones = SIMD2<UInt64>.zero
  @usableFromInline var twos = SIMD2<UInt64>.zero
  @usableFromInline var fours = SIMD2<UInt64>.zero

  @inlinable @inline(__always)
  public init() {}

  @inlinable @inline(__always)
  public mutating func add(_ words: SIMD8<UInt64>) {
    let first = Self.carry(&ones, words.lowHalf.lowHalf, words.lowHalf.highHalf)
    let second = Self.carry(&ones, words.highHalf.lowHalf, words.highHalf.highHalf)
    fours &+= Self.carry(&twos, first, second).bitCounts
  }

  /// Adds two words to a digit.
  /// - Returns: What goes to the next digit.
  @inlinable @inline(__always)
  static func carry(
    _ digit: inout SIMD2<UInt64>, _ a: SIMD2<UInt64>, _ b: SIMD2<UInt64>
  ) -> SIMD2<UInt64> {
    let either = digit ^ a
    let both = digit & a
    digit = either ^ b
    return both | either & b
  }

  /// The bits of all that was added.
  @inlinable
  public var count: UInt64 {
    let sum = ones.bitCounts &+ twos.bitCounts &<< 1 &+ fours &<< 2
    return sum[0] &+ sum[1]
  }
}

extension UInt64 {
  @inlinable @inline(__always)
  var bits: UInt64 { UInt64(truncatingIfNeeded: nonzeroBitCount) }
}

extension SIMD2<UInt64> {
  /// Of each word how many bits are set.
  @inlinable @inline(__always)
  public var bitCounts: Self { Self(self[0].bits, self[1].bits) }
}

extension SIMD4<UInt64> {
  /// Of each word how many bits are set.
  @inlinable @inline(__always)
  public var bitCounts: Self { Self(self[0].bits, self[1].bits, self[2].bits, self[3].bits) }

  /// Of all words.
  @inlinable @inline(__always)
  public var bitCount: Int {
    let counts = lowHalf.bitCounts &+ highHalf.bitCounts
    return Int(truncatingIfNeeded: counts[0] &+ counts[1])
  }
}
