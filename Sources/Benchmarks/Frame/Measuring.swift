import CAllocations
import Histogram
import SimulationKernel

/// Measures durations. Only benchmarks read a real clock.
enum Stopwatch {
  /// Returns the nanoseconds per event of a closure that plays the given number of events.
  static func nanoseconds(per events: Int, _ body: () throws -> Void) rethrows -> Double {
    let elapsed = try ContinuousClock().measure(body)
    return elapsed / .nanoseconds(1) / Double(max(events, 1))
  }

  /// Measures each call of a closure separately.
  static func latency(of events: Int, _ body: (Int) -> Void) -> Latency {
    let clock = ContinuousClock()
    func histogram(_ body: (Int) -> Void) -> Histogram<UInt64> {
      var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
      histogram.autoResize = true
      for event in 0..<events {
        let start = clock.now
        body(event)
        let nanoseconds = (clock.now - start) / .nanoseconds(1)
        _ = histogram.record(UInt64(max(nanoseconds, 0)))
      }
      return histogram
    }
    let empty = histogram { _ in }
    let times = histogram(body)
    return Latency(
      p50: times.valueAtPercentile(50), p90: times.valueAtPercentile(90), p99: times.valueAtPercentile(99),
      p999: times.valueAtPercentile(99.9), max: times.maxRecorded, clock: empty.valueAtPercentile(50))
  }
}

/// Counts the exact number of memory allocations of the calling thread.
enum Allocations {
  /// Returns the number of allocations that a closure makes, or `nil` on systems without glibc, which cannot
  /// count them.
  static func count(_ body: () throws -> Void) rethrows -> Int? {
    let before = allocation_count()
    try body()
    return before < 0 ? nil : Int(allocation_count() - before)
  }

  /// Returns the growth of the allocated memory during a closure, in bytes, according to the allocator of the
  /// main thread.
  ///
  /// Returns `nil` on systems without glibc, which cannot measure it.
  static func bytes(_ body: () throws -> Void) rethrows -> Int? {
    let before = allocated_bytes()
    try body()
    return before < 0 ? nil : Int(allocated_bytes() - before)
  }
}

/// An FNV-1a digest of 64-bit words, to compare the results of implementations.
struct WordDigest: Hashable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @inline(__always)
  mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }
}

/// SplitMix64 (Steele, Lea, Flood 2014): a random generator for workloads and resampling, with the same
/// numbers on every machine.
package struct SplitMix64 {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= RandomKey.gamma
    return RandomKey.mix64(state)
  }

  /// Returns a number in the range 0 ..< 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns an integer in the range 0 ..< `bound`. The bound must be far below 2^53.
  package mutating func below(_ bound: Int) -> Int { Int(unit() * Double(bound)) }
}
