package import TriggerModel

/// A match whose request was withdrawn while quiet hours deferred it.
///
/// The request was withdrawn because its conditions failed or notifications were forbidden. It is made again
/// if that changes before quiet hours end.
package struct WithdrawnMatch: Hashable, Sendable, BitwiseCopyable {
  /// The local day for which the match counts.
  package var day: Int32
  /// The index of the request's text.
  package var copy: UInt8
  /// The instant of the match, or the distant past if an earlier version of the app stored the match.
  package var scheduledFor: Instant
  /// The end of the quiet hours that deferred the request.
  package var release: Instant
  /// Whether the system or the app's settings forbade notifications.
  package var isForbidden: Bool

  package init(day: Int32, copy: UInt8, scheduledFor: Instant, release: Instant, isForbidden: Bool) {
    self.day = day
    self.copy = copy
    self.scheduledFor = scheduledFor
    self.release = release
    self.isForbidden = isForbidden
  }
}

/// The stored form of a withdrawn match. See `StoredState.md`.
extension WithdrawnMatch {
  func write(to writer: inout StateWriter) {
    writer.day(day)
    writer.byte(copy)
    writer.instant(release)
    writer.flag(isForbidden)
  }

  init(from reader: inout StateReader) throws(StoreProblem) {
    self.init(
      day: try reader.day(), copy: try reader.byte(), scheduledFor: .distantPast,
      release: try reader.instant(), isForbidden: try reader.flag())
  }
}
