import Histogram

/// Times of a benchmark. Only benchmarks look at a real clock.
enum Stopwatch {
  /// Nanoseconds per event of a body that plays so many.
  static func nanoseconds(per events: Int, _ body: () throws -> Void) rethrows -> Double {
    let elapsed = try ContinuousClock().measure(body)
    return elapsed / .nanoseconds(1) / Double(max(events, 1))
  }

  /// Times each call of a body alone.
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
