/// What does not hold of the fact conditions of one declaration, in eight bytes.
package struct FailingFacts: Sendable, BitwiseCopyable {
  /// Bit *p*: the condition at place *p* does not hold.
  package var places: UInt16 = 0
  /// Why the first of them does not.
  package var outcome = FactOutcome.holds
  /// The declaration has several triggers; ``bit`` is then where their bits are in ``FactTables/severalBits``.
  package var hasSeveralBits = false
  /// Of its entry in the rows of failing fact conditions.
  package var bit: UInt32 = 0

  /// Of a declaration of which nothing is known.
  package init() {}

  /// - Parameter severalBits: Takes up the bits of a declaration that has more than one.
  package init(bits: [UInt32], severalBits: inout [UInt32]) {
    if bits.count == 1 {
      bit = bits[0]
      return
    }
    hasSeveralBits = true
    bit = UInt32(severalBits.count)
    severalBits.append(UInt32(bits.count))
    severalBits += bits
  }
}
