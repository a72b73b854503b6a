/// Words of 64 bits in fewer bytes: most that a value remembers are zero, small, or what another was a moment ago.
///
/// Of each word four bits say how it is written, those of two words side by side before what is written of both:
/// nothing of a zero, the lowest one to six bytes, all eight, or the bytes that are not zero behind a byte of marks.
/// The seven words that were written last are said by their numbers.
enum SqueezedWords {
  private static let lowBytes = 6
  private static let whole = 7
  private static let marked = 8
  private static let recent = 9

  static func squeeze(_ words: [UInt64]) -> [UInt8] {
    // Eight bytes each, and four bits, at most.
    let most = 8 * words.count + (words.count + 1) / 2
    let squeezed = [UInt8](unsafeUninitializedCapacity: most) { bytes, count in
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
    // No more memory than it needs.
    return squeezed.withUnsafeBufferPointer { Array($0) }
  }

  /// - Returns: What was squeezed, or one zero word more.
  static func expand(_ squeezed: [UInt8]) -> [UInt64] {
    var words: [UInt64] = []
    words.reserveCapacity(squeezed.count)
    var last = RecentWords()
    var position = 0
    while position < squeezed.count {
      let control = squeezed[position]
      position += 1
      words.append(read(Int(control & 15), &last, from: squeezed, at: &position))
      words.append(read(Int(control >> 4), &last, from: squeezed, at: &position))
    }
    return words
  }

  /// - Returns: How it is written.
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

  /// Of so many low bytes.
  private static func marks(_ count: Int) -> UInt8 { UInt8(truncatingIfNeeded: 1 << count - 1) }
}

/// The seven words that were met last, the latest first.
private struct RecentWords {
  static let count = 7
  /// And a lane that no word is looked for in.
  private var words = SIMD8<UInt64>()

  init() {
    words[0] = UInt64(bitPattern: Instant.distantFuture.millisecondsSince1970)
    words[1] = UInt64(bitPattern: Instant.distantPast.millisecondsSince1970)
    words[2] = .max
  }

  /// Makes a word the latest.
  mutating func add(_ word: UInt64, inPlaceOf place: Int) {
    for index in stride(from: place, to: 0, by: -1) { words[index] = words[index - 1] }
    words[0] = word
  }

  /// - Returns: Its number; nil: it was none of them, and is the latest now.
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
