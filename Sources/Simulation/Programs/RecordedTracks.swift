import Recordings
import TextFormats
import TriggerModel

/// Collects the recorded tracks of a program's devices and combines them into routes.
struct RecordedTracks {
  /// A recorded track of a device.
  private struct Track {
    var device: UInt8
    var part: RouteReader.Part
    /// The instants of the first and the last fix.
    var range: ClosedRange<Instant>
    var order: Int
  }

  /// The fixes of one recording that were omitted because another recording determines the device's position.
  struct OmittedFixes {
    /// The line of the scenario that names their recording.
    var position: SourcePosition
    var count: Int
    fileprivate var order: Int
  }

  private var tracks: [Track] = []
  /// The omitted fixes, in the order of their recordings.
  private(set) var omitted: [OmittedFixes] = []

  /// The instant of the last fix in any track.
  var last: Instant? { tracks.map(\.range.upperBound).max() }

  mutating func add(
    _ trace: consuming FixTrace, of device: UInt8, movedBy shift: TimeSpan, _ position: SourcePosition
  ) {
    let route = Route(trace, movedBy: shift, position)
    guard let first = route.fixes.first, let last = route.fixes.last else { return }
    add(.held(route), device, first.instant...last.instant)
  }

  /// - Parameter range: The instants of the first and the last fix, before the shift.
  mutating func add(
    _ fixes: FixStream, of device: UInt8, from range: ClosedRange<Instant>, movedBy shift: TimeSpan,
    _ position: SourcePosition
  ) {
    add(.long(fixes, movedBy: shift, position), device, range.lowerBound + shift...range.upperBound + shift)
  }

  private mutating func add(_ part: RouteReader.Part, _ device: UInt8, _ range: ClosedRange<Instant>) {
    tracks.append(Track(device: device, part: part, range: range, order: tracks.count))
  }

  /// Removes all tracks and returns each device's route within a time range.
  ///
  /// - Complexity: O(n log n) in the number of recordings, and O(n) in the number of fixes that are in
  ///   memory.
  mutating func takeRoutes(deviceCount: Int, in range: Range<Instant>) throws(RecordingError) -> [Route] {
    var routes: [Route] = []
    for device in 0..<deviceCount {
      let own = tracks.filter { $0.device == device }
      tracks.removeAll { $0.device == device }
      routes.append(try route(of: own, in: range))
    }
    omitted.sort { ($0.order, $0.position) < ($1.order, $1.position) }
    return routes
  }

  private mutating func route(of tracks: [Track], in range: Range<Instant>) throws(RecordingError) -> Route {
    var groups: [(tracks: [Track], end: Instant)] = []
    for track in tracks.sorted(by: { ($0.range.lowerBound, $0.order) < ($1.range.lowerBound, $1.order) }) {
      if let end = groups.last?.end, track.range.lowerBound <= end {
        groups[groups.count - 1].tracks.append(track)
        groups[groups.count - 1].end = max(end, track.range.upperBound)
      } else {
        groups.append(([track], track.range.upperBound))
      }
    }
    var parts: [RouteReader.Part] = []
    for (group, _) in groups {
      let part = group.count == 1 ? group[0].part : .held(try merged(group, range))
      if case .held(let route) = part, case .held(var before)? = parts.last {
        parts.removeLast()
        _ = before.add(route)
        parts.append(.held(before))
      } else {
        parts.append(part)
      }
    }
    guard case .held(var route)? = parts.first, parts.count == 1 else {
      return parts.isEmpty ? Route() : Route(RouteReader(parts, clippedTo: range))
    }
    parts = []
    route.clip(to: range)
    return route
  }

  /// Merges overlapping tracks, which requires loading them into memory.
  private mutating func merged(
    _ tracks: [Track], _ range: Range<Instant>
  ) throws(RecordingError) -> Route {
    var route = Route()
    for track in tracks.sorted(by: { $0.order < $1.order }) {
      let next =
        switch track.part {
        case .held(let held): held
        case .long(let fixes, let shift, let position): try Route(fixes.held(), movedBy: shift, position)
        }
      omitted += route.add(next, counting: range).map {
        OmittedFixes(position: $0.key, count: $0.value, order: track.order)
      }
    }
    return route
  }
}
