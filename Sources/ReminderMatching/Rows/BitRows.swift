/// Rows of bits of one length, one after another.
public struct BitRows {
  /// Row after row, of each the bits 0…63 first.
  public private(set) var words: [UInt64]
  private let wordCount: Int

  /// - Parameters:
  ///   - count: Of rows.
  ///   - words: Of each row, 64 bits a word.
  public init(count: Int, words: Int) {
    self.words = Array(repeating: 0, count: count * words)
    wordCount = words
  }

  /// Sets one of the 64 bits in each of the words of a row.
  public mutating func set(_ row: Int, _ bit: Int) {
    words[row * wordCount + bit / 64] |= 1 << UInt64(bit % 64)
  }
}
