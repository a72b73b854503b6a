package import Simulation
package import TextFormats

/// The engine's time per event: the only document of a run that may differ between runs.
package enum TimingDocument {
  private static let percentiles: [(name: String, percent: Double)] = [
    ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9),
  ]

  package static func document(_ timing: EngineTiming) -> JSONValue {
    [
      "format": "triggerbench-timing", "version": 1, "unit": "ns per event",
      "events": .integer(Int(timing.count)),
      "percentiles": .object(
        percentiles.map { .init($0.name, .integer(Int(timing.percentile($0.percent)))) }
          + [.init("max", .integer(Int(timing.maximum)))]),
    ]
  }
}
