package import TriggerModel

/// A match whose request waited for the end of quiet hours when it was taken away: its reason had ended, or notifications
/// were forbidden. It is asked for again if that is over before they end.
package struct WithdrawnMatch: Hashable, Sendable, BitwiseCopyable {
  /// The local day that it counts for.
  package var day: Int32
  /// Its text.
  package var copy: UInt8
  /// When quiet hours end for it.
  package var release: Instant
  /// Notifications were forbidden: by the system, or in the app's settings.
  package var isForbidden: Bool

  package init(day: Int32, copy: UInt8, release: Instant, isForbidden: Bool) {
    self.day = day
    self.copy = copy
    self.release = release
    self.isForbidden = isForbidden
  }
}

/// As `StoredState.md` describes it.
extension WithdrawnMatch {
  func write(to writer: inout StateWriter) {
    writer.day(day)
    writer.byte(copy)
    writer.instant(release)
    writer.flag(isForbidden)
  }

  init(from reader: inout StateReader) throws(StoreProblem) {
    self.init(
      day: try reader.day(), copy: try reader.byte(), release: try reader.instant(),
      isForbidden: try reader.flag())
  }
}
