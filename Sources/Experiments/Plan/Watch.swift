package import TriggerModel

/// For how long everybody of an experiment is watched.
///
/// What is shown in the days counts, and of its answers those that come within the follow-up. Whoever is shown
/// something on the last evening is followed for just as long as everybody else: life goes on for so long after the
/// days, and nothing that begins then is counted. So trials do that take in nobody any more, and still follow those
/// who came last. Cut off at the end, the same notification would seem to be tapped less the shorter the experiment is.
package struct Watch: Hashable, Sendable {
  package var days: Int
  /// How long after it was shown an answer to a notification counts.
  package var followUp: TimeSpan

  /// For which answers are counted where an experiment does not say: as long as a person of tap-v1 may answer. Others
  /// chose 2 h (Duolingo, KDD 2020) or 1 h (Drink Less, Bell 2023); 24 h is the window of Bidargaddi 2018.
  package static let standardFollowUp = TimeSpan.hours(24)

  package init(days: Int, followUp: TimeSpan = standardFollowUp) {
    self.days = days
    self.followUp = followUp
  }
}
