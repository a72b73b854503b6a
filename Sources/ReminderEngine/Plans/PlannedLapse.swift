package import CivilTime

/// The stages of one reminder, handed over beforehand.
package struct PlannedLapse: Hashable, Sendable, BitwiseCopyable {
  /// The local date from which they count.
  package var since: CivilDate
  /// A stage of it was not handed over, or will not be delivered.
  package var isIncomplete: Bool

  package init(since: CivilDate, isIncomplete: Bool = false) {
    self.since = since
    self.isIncomplete = isIncomplete
  }
}
