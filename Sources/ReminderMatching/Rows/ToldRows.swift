/// Who waits for a trigger, and of whom the region is the wrong one, as it was told last: so that only what has
/// changed since is told again.
public struct ToldRows: Sendable {
  /// Of each word those that wait, and those of them whose region is the wrong one. What nobody was told of is
  /// neither.
  public var words: [UInt64]

  /// Nothing was told. Without words, there is nothing to tell.
  ///
  /// - Parameter count: Words of all triggers.
  public init(count: Int = 0) {
    words = []
    words.reserveCapacity(2 * count)
    for _ in 0..<count { words += [0, .max] }
  }

  /// Words of all triggers.
  public var count: Int { words.count / 2 }

  /// Tells what has changed of a trigger's words.
  ///
  /// - Parameters:
  ///   - first: The trigger's first word among all.
  ///   - live: Those that wait,
  ///   - apart: but for those that are told of in another way.
  ///   - regionFails: Those whose region is the wrong one.
  ///   - count: Words in each row.
  ///   - body: Takes a word that has changed.
  /// - Complexity: O(`count`)
  @inlinable @inline(__always)
  public mutating func update(
    from first: Int, live: UnsafePointer<UInt64>, apart: UnsafePointer<UInt64>,
    regionFails: UnsafePointer<UInt64>, count: Int,
    _ body: (_ word: Int, _ waiting: UInt64, _ outOfPlace: UInt64) -> Void
  ) {
    words.withUnsafeMutableBufferPointer { told in
      for word in 0..<count {
        let waiting = live[word] & ~apart[word]
        let outOfPlace = waiting & regionFails[word]
        let place = 2 * (first + word)
        if told[place] == waiting, told[place + 1] == outOfPlace { continue }
        (told[place], told[place + 1]) = (waiting, outOfPlace)
        body(first + word, waiting, outOfPlace)
      }
    }
  }
}
