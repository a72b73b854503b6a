package import EngineWire

/// The suites of `triggerbench bench`.
package enum BenchSuite: String, Sendable, CaseIterable {
  case matching, caps, kernel, regions, readers, time, load, replay, population
  /// A file of the user's own.
  case scenario

  /// What the suite counts by its sizes, as its report calls it.
  package var sizeName: String {
    switch self {
    case .matching, .replay, .scenario: "reminders"
    case .load: "items"
    case .caps: "requests"
    case .kernel: "pending"
    case .regions: "regions"
    case .readers: "bytes"
    case .time: "instants"
    case .population: "people"
    }
  }

  /// Those that measure an engine in another process too.
  package static let ofEngines: [BenchSuite] = [.matching, .caps, .replay]
}

/// An engine in another process that is to be measured.
package struct BenchedEngine: Sendable {
  package var command: EngineCommand
  /// One that answers every question with "done", and does nothing: what it takes is the wire.
  package var silent: EngineCommand

  package init(_ command: EngineCommand, silent: EngineCommand) {
    self.command = command
    self.silent = silent
  }
}
