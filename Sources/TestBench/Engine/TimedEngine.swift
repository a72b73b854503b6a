import Histogram
package import TriggerModel

/// Measures how long an engine takes for each event.
///
/// The stopwatch comes from outside, so that nothing in the bench reads a clock: nanoseconds on a clock
/// that never goes back.
package struct TimedEngine<Engine: EngineUnderTest>: EngineUnderTest {
  package private(set) var engine: Engine
  package private(set) var timing = EngineTiming()
  private let stopwatch: @Sendable () -> UInt64

  package init(_ engine: Engine, stopwatch: @escaping @Sendable () -> UInt64) {
    self.engine = engine
    self.stopwatch = stopwatch
  }

  package mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    let start = stopwatch()
    engine.process(event, into: &effects)
    timing.record(stopwatch() &- start)
  }

  package mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    engine.settle(at: moment, into: &effects)
  }

  package mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {
    engine.launch(launch, into: &effects)
  }

  package mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {
    engine.open(store, into: &effects)
  }

  package func storedState() -> [UInt8] { engine.storedState() }

  package static var persistsEveryChange: Bool { Engine.persistsEveryChange }
}

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
