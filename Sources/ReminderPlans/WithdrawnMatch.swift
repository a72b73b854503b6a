package import TriggerModel

/// A match whose request waited for the end of quiet hours when its reason ended: it is asked for again if the reason
/// comes back before they end.
package struct WithdrawnMatch: Hashable, Sendable, BitwiseCopyable {
  /// The local day that it counts for.
  package var day: Int32
  /// Its text.
  package var copy: UInt8
  /// When quiet hours end for it.
  package var release: Instant

  package init(day: Int32, copy: UInt8, release: Instant) {
    self.day = day
    self.copy = copy
    self.release = release
  }
}

/// As `StoredState.md` describes it.
extension WithdrawnMatch {
  func write(to writer: inout StateWriter) {
    writer.day(day)
    writer.byte(copy)
    writer.instant(release)
  }

  init(from reader: inout StateReader) throws(StoreProblem) {
    self.init(day: try reader.day(), copy: try reader.byte(), release: try reader.instant())
  }
}
