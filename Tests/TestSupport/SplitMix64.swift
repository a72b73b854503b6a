/// The random number generator of Steele, Lea and Flood. A seed yields the same numbers in every run and on
/// every machine.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension SplitMix64 {
  /// Returns an integer in `0..<bound`, or 0 if the bound is less than 1.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// Returns an integer in a closed range.
  package mutating func int(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// Returns a number in 0..<1.
  package mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// Returns `true` with the given probability in percent.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// Returns an element of a nonempty list.
  package mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns distinct elements of a list in random order. Their number is in the range `counts`, but at most
  /// the length of the list.
  package mutating func several<Element>(of elements: [Element], _ counts: ClosedRange<Int>) -> [Element] {
    var rest = elements
    var chosen: [Element] = []
    for _ in 0..<min(int(counts), elements.count) { chosen.append(rest.remove(at: below(rest.count))) }
    return chosen
  }

  /// Returns a value with the given probability in percent; otherwise, `nil`.
  package mutating func maybe<Value>(
    _ percent: Int, _ value: (inout SplitMix64) -> Value
  ) -> Value? {
    chance(percent) ? value(&self) : nil
  }
}
