/// Between which numbers a figure lies, with 95 % confidence.
package struct Interval: Hashable, Sendable, BitwiseCopyable {
  package var lower: Double
  package var upper: Double

  package init(_ value: Double, halfWidth: Double) {
    lower = value - halfWidth
    upper = value + halfWidth
  }

  package var halfWidth: Double { (upper - lower) / 2 }
}
