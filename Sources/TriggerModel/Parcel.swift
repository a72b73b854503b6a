/// A value that can pack its state into a ``Parcel``. A value that was created in the same way can unpack the
/// state.
package protocol Packable {
  /// Packs the state into the parcel, or unpacks it if ``Parcel/isUnpacking`` is `true`. A single method
  /// serves both directions, so their order is the same.
  ///
  /// Omit state that can be recomputed or that all values share. Do not use a value after packing it.
  mutating func pack(in parcel: inout Parcel)
}

/// The packed state of values. It contains no spare capacity, no object headers, and no state that can be
/// recomputed.
///
/// A parcel exists only in memory. Its bytes are valid only in the current process and must not be stored.
package struct Parcel: Sendable {
  package let isUnpacking: Bool
  /// The packed words. Each item starts at a word boundary.
  private(set) var words: [UInt64] = []
  /// The position of the next word to unpack.
  private var position = 0
  /// The values that do not consist of plain bytes.
  private var values: [any Sendable] = []
  private var valuesTaken = 0

  /// A packed state that is ready to be unpacked.
  package struct Sealed: Sendable {
    fileprivate let bytes: [UInt8]
    fileprivate let values: [any Sendable]

    /// The size in bytes, excluding the memory to which the values refer.
    package var byteCount: Int { bytes.count + values.count * MemoryLayout<any Sendable>.stride }
  }

  /// Creates an empty parcel for packing.
  package init() { isUnpacking = false }

  /// Creates a parcel for unpacking.
  package init(opening sealed: Sealed) {
    isUnpacking = true
    words = CompressedWords.decompress(sealed.bytes)
    values = sealed.values
  }

  package func sealed() -> Sealed {
    Sealed(bytes: CompressedWords.compress(words), values: values.isEmpty ? [] : values.map { $0 })
  }

  // MARK: Plain values

  package mutating func carry(_ value: inout some BitwiseCopyable) {
    withUnsafeMutableBytes(of: &value) { carry($0) }
  }

  /// Packs or unpacks several properties of a value.
  package mutating func carry<Root, each Value: BitwiseCopyable>(
    _ root: inout Root, _ properties: repeat WritableKeyPath<Root, each Value>
  ) {
    repeat carry(&root[keyPath: each properties])
  }

  package mutating func carry<Element: BitwiseCopyable>(_ list: inout [Element]) {
    var count = list.count
    carry(&count)
    if isUnpacking {
      list = Array(unsafeUninitializedCapacity: count) { room, filled in
        carry(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[..<count])))
        filled = count
      }
    } else {
      list.withUnsafeBytes { put($0) }
    }
  }

  /// Packs or unpacks an optional array. Without this overload, the compiler (6.3) treats an optional array
  /// as plain bytes, which contain only the address of its elements.
  package mutating func carry<Element: BitwiseCopyable>(_ list: inout [Element]?) {
    var isThere = list != nil
    carry(&isThere)
    if !isThere { return list = nil }
    var elements = list ?? []
    carry(&elements)
    list = elements
  }

  package mutating func carry<Element: BitwiseCopyable & Hashable>(_ set: inout Set<Element>) {
    var elements = Array(set)
    carry(&elements)
    if isUnpacking { set = Set(elements) }
  }

  /// Packs or unpacks a fixed number of plain bytes.
  private mutating func carry(_ memory: UnsafeMutableRawBufferPointer) {
    if !isUnpacking { return put(UnsafeRawBufferPointer(memory)) }
    let start = position
    position += Self.wordCount(memory.count)
    precondition(position <= words.count, "a parcel is unpacked as it was packed")
    words.withUnsafeBytes {
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[(8 * start)...].prefix(memory.count)))
    }
  }

  private mutating func put(_ memory: UnsafeRawBufferPointer) {
    let start = words.count
    for _ in 0..<Self.wordCount(memory.count) { words.append(0) }
    words.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[(8 * start)...]).copyMemory(from: memory)
    }
  }

  private static func wordCount(_ bytes: Int) -> Int { (bytes + 7) / 8 }

  // MARK: Other values

  /// Packs or unpacks a value unchanged.
  package mutating func keep<Value: Sendable>(_ value: inout Value) {
    guard isUnpacking else { return values.append(value) }
    guard let kept = values[valuesTaken] as? Value else {
      preconditionFailure("a parcel is unpacked as it was packed")
    }
    value = kept
    valuesTaken += 1
  }

  /// Packs or unpacks a value unchanged, unless it still has its initial value.
  package mutating func keep<Value: Sendable>(_ value: inout Value, unless isInitial: Bool) {
    var isKept = !isInitial
    carry(&isKept)
    if isKept { keep(&value) }
  }
}

/// Compresses 64-bit words. Most words of a packed state are zero, small, or equal to a recent word.
///
/// A code of four bits determines the encoding of each word. The codes of two words precede the bytes of
/// both. A word is encoded as one of the following:
/// - no bytes, if the word is zero
/// - its lowest one to six bytes
/// - all eight bytes
/// - a byte that marks the nonzero bytes, followed by these bytes
/// - no bytes, if the word equals one of the seven most recent words, whose number is part of the code
enum CompressedWords {
  private static let lowBytes = 6
  private static let whole = 7
  private static let marked = 8
  private static let recent = 9

  static func compress(_ words: [UInt64]) -> [UInt8] {
    // A word takes at most eight bytes and four bits.
    let most = 8 * words.count + (words.count + 1) / 2
    let compressed = [UInt8](unsafeUninitializedCapacity: most) { bytes, count in
      var last = RecentWords()
      var control = 0
      for index in words.indices {
        if index & 1 == 0 {
          control = count
          bytes[control] = 0
          count += 1
        }
        let code = write(words[index], &last, to: bytes, at: &count)
        bytes[control] |= UInt8(code << (4 * (index & 1)))
      }
    }
    // Copy the bytes, to release the spare capacity.
    return compressed.withUnsafeBufferPointer { Array($0) }
  }

  /// - Returns: The words, followed by at most one additional zero word.
  static func decompress(_ compressed: [UInt8]) -> [UInt64] {
    var words: [UInt64] = []
    words.reserveCapacity(compressed.count)
    var last = RecentWords()
    var position = 0
    while position < compressed.count {
      let control = compressed[position]
      position += 1
      words.append(read(Int(control & 15), &last, from: compressed, at: &position))
      words.append(read(Int(control >> 4), &last, from: compressed, at: &position))
    }
    return words
  }

  /// - Returns: The code of the encoding.
  private static func write(
    _ word: UInt64, _ last: inout RecentWords, to bytes: UnsafeMutableBufferPointer<UInt8>,
    at position: inout Int
  ) -> Int {
    let length = (71 - word.leadingZeroBitCount) / 8
    if length >= 2, let place = last.take(word) { return recent + place }
    let low = length <= lowBytes ? length : 8
    var marks = marks(low)
    let notZero = (0..<low).reduce(UInt8(0)) {
      $0 | (word >> UInt64(8 * $1) & 0xFF == 0 ? 0 : 1 << UInt8($1))
    }
    let isMarked = 1 + notZero.nonzeroBitCount < low
    if isMarked {
      marks = notZero
      bytes[position] = marks
      position += 1
    }
    while marks != 0 {
      bytes[position] = UInt8(truncatingIfNeeded: word >> UInt64(8 * marks.trailingZeroBitCount))
      position += 1
      marks &= marks - 1
    }
    return isMarked ? marked : length <= lowBytes ? length : whole
  }

  private static func read(
    _ code: Int, _ last: inout RecentWords, from bytes: [UInt8], at position: inout Int
  ) -> UInt64 {
    if code >= recent { return last.take(at: code - recent) }
    var marks = marks(code == whole ? 8 : code)
    if code == marked {
      marks = bytes[position]
      position += 1
    }
    var word: UInt64 = 0
    while marks != 0 {
      word |= UInt64(bytes[position]) << UInt64(8 * marks.trailingZeroBitCount)
      position += 1
      marks &= marks - 1
    }
    if code >= 2 { last.add(word, inPlaceOf: RecentWords.count - 1) }
    return word
  }

  /// Returns a byte that marks the lowest `count` bytes.
  private static func marks(_ count: Int) -> UInt8 { UInt8(truncatingIfNeeded: 1 << count - 1) }
}

/// The seven most recent words, latest first.
private struct RecentWords {
  static let count = 7
  /// The eighth lane is unused.
  private var words = SIMD8<UInt64>()

  init() {
    words[0] = UInt64(bitPattern: Instant.distantFuture.millisecondsSince1970)
    words[1] = UInt64(bitPattern: Instant.distantPast.millisecondsSince1970)
    words[2] = .max
  }

  /// Moves a word to the front.
  mutating func add(_ word: UInt64, inPlaceOf place: Int) {
    for index in stride(from: place, to: 0, by: -1) { words[index] = words[index - 1] }
    words[0] = word
  }

  /// Makes a word the latest one.
  ///
  /// - Returns: The previous number of the word, or `nil` if it was not a recent word.
  mutating func take(_ word: UInt64) -> Int? {
    let place = (0..<Self.count).first { words[$0] == word }
    add(word, inPlaceOf: place ?? Self.count - 1)
    return place
  }

  mutating func take(at place: Int) -> UInt64 {
    let word = words[place]
    add(word, inPlaceOf: place)
    return word
  }
}
