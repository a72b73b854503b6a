package import Recordings

/// What a scenario took from one recording, for its report.
package struct ImportReport: Hashable, Codable, Sendable {
  package var summary: ImportSummary
  /// Which rule turned rows into events, and what it and the other rules counted.
  package var derivations: [Derivation]

  /// One kind of event, counted by each rule that could be chosen.
  package struct Derivation: Hashable, Codable, Sendable {
    package var event: String
    package var chosen: String
    package var counts: [Count]

    package struct Count: Hashable, Codable, Sendable {
      package var rule: String
      package var count: Int
    }
  }
}
