package import TriggerModel

/// Where a quantity stands among the constants of its series.
package struct SeriesState: Sendable, BitwiseCopyable {
  package var ordered = Range32(start: 0, end: 0)
  package var equal = Range32(start: 0, end: 0)
  package var isMeasured = false
  package var isKnown = false
  /// What it was when it was looked at last, if it was known.
  package var measured = Measured.bits(0)
  /// When it may stand elsewhere, if nobody says anything.
  package var next = Instant.distantPast
}
