/// A linear congruential generator: what recorded stories were drawn with.
package struct Dice {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  /// 0..<1.
  package mutating func fraction() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / Double(1 << 53)
  }

  package mutating func below(_ bound: Int) -> Int { Int(fraction() * Double(bound)) }

  package mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
