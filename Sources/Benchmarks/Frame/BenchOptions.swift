/// What a user may say about a benchmark. What is nil is the suite's to choose.
package struct BenchOptions: Hashable, Sendable {
  /// Reminders, pending events, requests, fixes: whatever the suite counts.
  package var sizes: [Int]?
  package var mode: String?
  /// How many events are played at each size.
  package var events: Int?
  /// How often each contestant has its turn; the median counts.
  package var rounds: Int
  /// The file that the suite scenario plays.
  package var file: String?
  /// Leaves out the obvious way and the timing of single events: what two builds are compared by.
  package var alone = false
  /// Per cent of the events that matching plays a second time, within the time measured: a slow-down of a
  /// known size, to try the comparison with.
  package var replayed = 0.0

  package init(sizes: [Int]? = nil, mode: String? = nil, events: Int? = nil, rounds: Int = 3) {
    self.sizes = sizes
    self.mode = mode
    self.events = events
    self.rounds = rounds
  }

  /// The modes of a suite that are asked for: the one that is named, or all.
  func modes<Mode: RawRepresentable<String> & CaseIterable>(of suite: Mode.Type) -> [Mode] {
    Mode.allCases.filter { mode == nil || mode == $0.rawValue }
  }
}

/// Why a benchmark cannot be run, or means nothing.
package struct BenchError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// What was asked for makes no sense, and nothing has run.
  package private(set) var isMisuse = false

  package init(_ description: String) { self.description = description }

  static func misuse(_ description: String) -> BenchError {
    var error = BenchError(description)
    error.isMisuse = true
    return error
  }
}
