import Histogram

/// Nanoseconds on a clock that never goes back. It comes from outside, so that nothing in the bench reads a
/// clock.
package typealias Stopwatch = @Sendable () -> UInt64

/// Nanoseconds per event, as a high-dynamic-range histogram with three significant digits.
package struct EngineTiming: Sendable {
  private var histogram = Histogram<UInt64>(
    highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)

  package init() {}

  mutating func record(_ nanoseconds: UInt64) {
    _ = histogram.record(min(nanoseconds, 60_000_000_000))
  }

  package mutating func add(_ other: EngineTiming) {
    for bucket in other.histogram.recordedValues() {
      _ = histogram.record(bucket.value, count: bucket.count)
    }
  }

  package var count: UInt64 { UInt64(histogram.totalCount) }

  /// Nanoseconds that `percent` per cent of the events did not exceed.
  package func percentile(_ percent: Double) -> UInt64 { histogram.valueAtPercentile(percent) }

  package var maximum: UInt64 { histogram.totalCount == 0 ? 0 : histogram.max }
}
