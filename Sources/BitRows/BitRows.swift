/// Rows of bits of one length, one after another.
public struct BitRows {
  public private(set) var words: [UInt64]
  private let wordCount: Int

  public init(count: Int, words: Int) {
    self.words = Array(repeating: 0, count: count * words)
    wordCount = words
  }

  public mutating func set(_ row: Int, _ bit: Int) {
    words[row * wordCount + bit / 64] |= 1 << UInt64(bit % 64)
  }
}
