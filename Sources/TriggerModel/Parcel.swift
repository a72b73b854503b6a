/// A value that can rest: whose state can be put into a ``Parcel``, and be taken from there by another that was made as
/// it was.
package protocol Packable {
  /// Puts the state into the parcel, or takes it out where the parcel is unpacked: one function for both, so that what
  /// goes in comes out, in the same order.
  ///
  /// What follows from the rest is not carried, and what all values share need not be. A value that was packed is of no
  /// use any more.
  mutating func pack(in parcel: inout Parcel)
}

/// What a value remembers, as bytes side by side: without the room of its lists, their heads, and what is made anew
/// when it goes on.
///
/// It is for memory alone. The bytes are those of this process, and no store should hold them.
package struct Parcel: Sendable {
  package let isUnpacking: Bool
  /// Whatever is put in begins with a word.
  private(set) var words: [UInt64] = []
  /// Of the word that is taken out next.
  private var position = 0
  /// What is no plain bytes.
  private var values: [any Sendable] = []
  private var valuesTaken = 0

  /// What was packed, until it is unpacked.
  package struct Sealed: Sendable {
    fileprivate let bytes: [UInt8]
    fileprivate let values: [any Sendable]

    /// Beside what the values refer to.
    package var byteCount: Int { bytes.count + values.count * MemoryLayout<any Sendable>.stride }
  }

  /// An empty one, to be packed.
  package init() { isUnpacking = false }

  /// To be unpacked.
  package init(opening sealed: Sealed) {
    isUnpacking = true
    words = SqueezedWords.expand(sealed.bytes)
    values = sealed.values
  }

  package func sealed() -> Sealed {
    Sealed(bytes: SqueezedWords.squeeze(words), values: values.isEmpty ? [] : values.map { $0 })
  }

  // MARK: Plain values

  package mutating func carry(_ value: inout some BitwiseCopyable) {
    withUnsafeMutableBytes(of: &value) { carry($0) }
  }

  /// Several properties of one value.
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

  /// Without this one the compiler (6.3) takes an optional list for plain bytes, which are its address.
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

  /// Plain memory, as much of it as there was.
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

  /// Keeps a value as it is.
  package mutating func keep<Value: Sendable>(_ value: inout Value) {
    guard isUnpacking else { return values.append(value) }
    guard let kept = values[valuesTaken] as? Value else {
      preconditionFailure("a parcel is unpacked as it was packed")
    }
    value = kept
    valuesTaken += 1
  }

  /// Keeps a value as it is, unless it is as it was made.
  package mutating func keep<Value: Sendable>(_ value: inout Value, unless isAsMade: Bool) {
    var isKept = !isAsMade
    carry(&isKept)
    if isKept { keep(&value) }
  }
}
