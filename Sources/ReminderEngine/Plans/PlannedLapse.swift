package import CivilTime

/// The stages of one reminder's lapse that are requested in advance.
package struct PlannedLapse: Hashable, Sendable, BitwiseCopyable {
  /// The local date from which the stages are counted.
  package var since: CivilDate
  /// Whether a stage was not requested or will not be delivered.
  package var isIncomplete: Bool

  package init(since: CivilDate, isIncomplete: Bool = false) {
    self.since = since
    self.isIncomplete = isIncomplete
  }
}
