/// One line of a benchmark: one contestant at one size, beside the obvious way.
package struct BenchRow: Sendable {
  package var mode: String
  /// How many reminders, pending events and so on; see ``BenchReport/sizeName``.
  package var size: Int
  /// Events played in each round.
  package var events: Int
  /// What came of them: fires, fixes, decisions.
  package var fires: Int?
  /// Digest of what came of them; the same for the obvious way, or there is no row.
  package var hash: UInt64?
  /// Nanoseconds per event of each round, in order.
  package var samples: [Double]
  /// The obvious way, in the same run.
  package var baseline: Baseline?
  /// Of single events, in one round more, in which every event is timed alone.
  package var latency: Latency?
  /// Bytes of tables and state that the hot path uses, per reminder, event or whatever the size counts.
  package var bytesPerItem: Double?
  /// Requests for memory per event once buffers have grown.
  package var allocationsPerEvent: Double?
  /// *e* where time per event grew like size to the power of *e* since the next smaller size of the mode.
  package var growthExponent: Double?
  /// Further counts and measures, by name.
  package var counters: [(name: String, value: Double)] = []
  /// Work done over all events, counted exactly: the same in every run of the same build.
  package var counts: [(name: String, value: Int)] = []

  package init(mode: String, size: Int, events: Int, samples: [Double]) {
    self.mode = mode
    self.size = size
    self.events = events
    self.samples = samples
  }

  /// Median over the rounds.
  package var nsPerEvent: Double { samples.median }

  package var eventsPerSecond: Double { 1e9 / nsPerEvent }

  /// How many times longer the obvious way takes for the same events.
  package var ratio: Double? {
    baseline.map { $0.samples.median / ($0.contestant?.median ?? nsPerEvent) }
  }
}

/// The obvious way of doing the same.
package struct Baseline: Sendable {
  /// What it is, in a word or two.
  package var name: String
  /// Nanoseconds per event of each round.
  package var samples: [Double]
  /// Fewer than the row's where all of them would take too long; then these are the first of them.
  package var events: Int
  /// The contestant on those first events, where they are fewer: the ratio is taken of the same work.
  package var contestant: [Double]?

  package init(name: String, samples: [Double], events: Int, contestant: [Double]? = nil) {
    self.name = name
    self.samples = samples
    self.events = events
    self.contestant = contestant
  }
}

/// How the times of single events are spread, in nanoseconds; the clock's own cost is in each of them.
package struct Latency: Hashable, Sendable {
  package var p50: UInt64
  package var p90: UInt64
  package var p99: UInt64
  package var p999: UInt64
  package var max: UInt64
  /// What timing nothing at all takes.
  package var clock: UInt64
}

extension [Double] {
  /// The middle value, of an even number the upper one of the two; 0 when there is none.
  package var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
