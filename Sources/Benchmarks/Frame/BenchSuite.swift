package import EngineWire

/// The suites of `triggerbench bench`.
package enum BenchSuite: String, Sendable, CaseIterable {
  case matching, caps, kernel, regions, readers, time, load, replay, population
  /// The user's own scenario.
  case scenario

  /// The unit of the suite's sizes in its report.
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

  /// The suites that can measure an engine in another process.
  package static let engineSuites: [BenchSuite] = [.matching, .caps, .replay]
}

/// An engine in another process that a benchmark measures.
package struct BenchedEngine: Sendable {
  package var command: EngineCommand
  /// The command of an idle engine, which answers every call without effects. It measures the cost of the
  /// connection.
  package var silent: EngineCommand

  package init(_ command: EngineCommand, silent: EngineCommand) {
    self.command = command
    self.silent = silent
  }
}

/// The options of a benchmark. If an option is `nil`, the suite uses its own default.
package struct BenchOptions: Hashable, Sendable {
  /// The sizes to measure. Depending on the suite, a size counts reminders, pending events, requests or
  /// fixes.
  package var sizes: [Int]?
  package var mode: String?
  /// The number of events at each size.
  package var events: Int?
  /// The number of rounds of each implementation. The reported time is the median.
  package var rounds: Int
  /// The file of the suite `scenario`.
  package var file: String?
  /// Whether to skip the naive implementation and the timing of single events, as comparisons of builds do.
  package var alone = false
  /// The percentage of events that the matching suite plays twice, within the measured time.
  ///
  /// This slow-down of known size is used to test comparisons.
  package var replayed = 0.0

  package init(sizes: [Int]? = nil, mode: String? = nil, events: Int? = nil, rounds: Int = 3) {
    self.sizes = sizes
    self.mode = mode
    self.events = events
    self.rounds = rounds
  }

  /// Returns the requested mode of a suite, or all modes if none is requested.
  func modes<Mode: RawRepresentable<String> & CaseIterable>(of suite: Mode.Type) -> [Mode] {
    Mode.allCases.filter { mode == nil || mode == $0.rawValue }
  }
}

/// The reason that a benchmark cannot run or has an invalid result.
package struct BenchError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// Whether the options are invalid, so that nothing has run.
  package private(set) var isMisuse = false

  package init(_ description: String) { self.description = description }

  static func misuse(_ description: String) -> BenchError {
    var error = BenchError(description)
    error.isMisuse = true
    return error
  }
}
