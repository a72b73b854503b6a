/// What the app was not told of the happenings of one sign, by their numbers: a byte each, and one for a thousand of
/// them where it is the same of all.
struct FlawTable: Sendable {
  private struct Block {
    /// Of all, where ``own`` is empty.
    var common: UInt8 = 0
    var own: [UInt8] = []

    subscript(place: Int) -> UInt8 {
      get { own.isEmpty ? common : own[place] }
      set {
        if self[place] == newValue { return }
        if own.isEmpty { own = Array(repeating: common, count: FlawTable.blockLength) }
        own[place] = newValue
        // They come in order, from either side.
        if place == 0 || place == own.count - 1, own.allSatisfy({ $0 == newValue }) {
          (common, own) = (newValue, [])
        }
      }
    }
  }

  private static let blockLength = 1_024

  private var blocks: [Block] = []
  /// What is written as 1, 2, …; 0 is for what has none.
  private var names: [String] = []

  /// Nil: the app was told of it at once, or nothing was noted.
  ///
  /// - Complexity: O(1), but for a name that is new
  subscript(number: Int) -> String? {
    get {
      let (block, place) = number.quotientAndRemainder(dividingBy: Self.blockLength)
      guard block < blocks.count else { return nil }
      let code = blocks[block][place]
      return code == 0 ? nil : names[Int(code) - 1]
    }
    set {
      let (block, place) = number.quotientAndRemainder(dividingBy: Self.blockLength)
      while blocks.count <= block { blocks.append(Block()) }
      blocks[block][place] = newValue.map { code(of: $0) } ?? 0
    }
  }

  private mutating func code(of name: String) -> UInt8 {
    if let known = names.firstIndex(of: name) { return UInt8(known + 1) }
    names.append(name)
    return UInt8(names.count)
  }
}
