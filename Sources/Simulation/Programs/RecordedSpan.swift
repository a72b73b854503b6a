import Recordings
import TriggerModel

/// When the samples of a recording are, as they are moved, and how many of them lie outside of the scenario.
struct RecordedSpan {
  /// When the scenario takes place.
  private let range: Range<Instant>
  /// How far its samples were moved.
  let shift: TimeSpan
  /// Of those that lie outside.
  private(set) var outside = 0
  private(set) var first: Instant?
  private(set) var last: Instant?

  init(_ range: Range<Instant>, movedBy shift: TimeSpan) {
    self.range = range
    self.shift = shift
  }

  /// - Parameter instant: As it was recorded.
  mutating func note(_ instant: Instant) {
    let instant = instant + shift
    first = min(first ?? instant, instant)
    last = max(last ?? instant, instant)
    if !range.contains(instant) { outside += 1 }
  }

  /// - Complexity: O(n) in the fixes
  mutating func note(_ trace: FixTrace) {
    for fix in trace.fixes { note(fix.instant) }
  }

  /// - Parameters:
  ///   - fixes: They are read only where some may lie outside.
  ///   - stretch: From the first to the last.
  mutating func note(_ fixes: FixStream, from stretch: ClosedRange<Instant>) throws(RecordingError) {
    let ends = [stretch.lowerBound, stretch.upperBound]
    if ends.allSatisfy({ range.contains($0 + shift) }) {
      for end in ends { note(end) }
      return
    }
    var rest = fixes
    while let trace = try rest.next() { note(trace) }
  }
}
