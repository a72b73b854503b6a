import Recordings
import TextFormats
import TriggerModel

/// Reads a way of any length piece by piece. A value: a copy reads on from the same place.
struct RouteReader: Sendable {
  /// What the way is made of, one after the other in time.
  enum Part: Sendable {
    case held(Route)
    /// A recording, moved in time.
    case long(FixStream, movedBy: TimeSpan, SourcePosition)
  }

  private var parts: ArraySlice<Part>
  private var clip: RouteClip
  /// The last fix that was handed over, and the recording that it is of.
  private var last: (fix: Fix, position: SourcePosition)?

  /// - Parameter range: What lies outside is left out.
  init(_ parts: [Part], clippedTo range: Range<Instant>) {
    self.parts = parts[...]
    clip = RouteClip(range)
  }

  /// The next piece and the position in it of the first fix that is new; nil at the end.
  ///
  /// - Complexity: O(fixes of the piece)
  consuming func following() throws(RecordingError) -> (route: Route, begin: Int)? {
    var route = Route(after: last)
    let begin = route.fixes.count
    while route.fixes.count == begin, !clip.isOver, let part = parts.first {
      switch part {
      case .held(let held):
        parts.removeFirst()
        take(held, into: &route)
      case .long(var fixes, let shift, let position):
        if let trace = try fixes.next() {
          parts[parts.startIndex] = .long(fixes, movedBy: shift, position)
          take(trace, movedBy: shift, position, into: &route)
        } else {
          parts.removeFirst()
        }
      }
    }
    if route.fixes.count == begin { return nil }
    last = (route.fixes[route.fixes.count - 1], route.legs[route.legs.count - 1].position)
    route.readOn(with: self)
    return (route, begin)
  }

  private mutating func take(_ held: Route, into route: inout Route) {
    for (index, leg) in held.legs.enumerated() {
      let end = index + 1 < held.legs.count ? held.legs[index + 1].start : held.fixes.count
      for position in leg.start..<end {
        clip.take(held.fixes[position], startsLeg: position == leg.start, leg.position, into: &route)
      }
    }
  }

  private mutating func take(
    _ trace: FixTrace, movedBy shift: TimeSpan, _ position: SourcePosition, into route: inout Route
  ) {
    var starts = trace.segmentStarts[...]
    for (index, fix) in trace.fixes.enumerated() {
      let startsLeg = starts.first == index
      if startsLeg { starts.removeFirst() }
      var fix = fix
      fix.instant = fix.instant + shift
      clip.take(fix, startsLeg: startsLeg, position, into: &route)
    }
  }
}
