/// A decision that turned out otherwise.
package struct DecisionChange: Hashable, Sendable {
  package struct Move: Hashable, Sendable {
    /// In the first run.
    package var before: Fate
    /// In the second run.
    package var after: Fate
  }

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It fires in the second run only.
    case gained
    /// It fires in the first run only.
    case lost
    /// It fires in both, at another time.
    case moved
    /// It fires in neither, or is shown otherwise.
    case otherwise
  }

  package var kind: Kind
  /// The occasion; of what moved, the one of the first run.
  package var occasion: RecordedDecision.Occasion
  package var first: Fate
  package var second: Fate
  /// Of what moved from one occasion to another: what became of the later run's occasion in the first run, and of
  /// the first run's in the second.
  package var move: Move?
  /// When it was asked for first, in UTC.
  package var askedAt: String
}
