public import TriggerModel

/// A set of notification types, one bit each; an empty one takes no memory of its own.
public struct TypeSet: Hashable, Sendable {
  private var words: [UInt64] = []

  /// No type.
  public init() {}

  var isEmpty: Bool { words.isEmpty }

  /// Whether a type is a member.
  ///
  /// - Complexity: O(1)
  public func contains(_ type: TypeID) -> Bool {
    let word = type.index >> 6
    return word < words.count && words[word] >> UInt64(type.index & 63) & 1 == 1
  }

  func forEach(_ body: (TypeID) -> Void) {
    for word in words.indices {
      var rest = words[word]
      while rest != 0 {
        body(TypeID(word << 6 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }

  /// Adds a type; takes memory up to its number, eight bytes for 64.
  public mutating func insert(_ type: TypeID) {
    let word = type.index >> 6
    while words.count <= word { words.append(0) }
    words[word] |= 1 << UInt64(type.index & 63)
  }

  /// Takes a type out; nothing changes where it is no member.
  public mutating func remove(_ type: TypeID) {
    let word = type.index >> 6
    guard word < words.count else { return }
    words[word] &= ~(1 << UInt64(type.index & 63))
    // Equal sets have equal words.
    while words.last == 0 { words.removeLast() }
  }
}

extension TypeSet: Packable {
  package mutating func pack(in parcel: inout Parcel) { parcel.carry(&words) }
}
