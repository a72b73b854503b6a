import Recordings
import TextFormats
import TriggerModel

/// The recorded ways of a program's devices: gathered while recordings are read, and put together at the end.
struct RecordedWays {
  /// What a recording shows of a device's way.
  private struct Way {
    var device: UInt8
    var part: RouteReader.Part
    /// From its first fix to its last.
    var range: ClosedRange<Instant>
    var order: Int
  }

  /// Fixes that were left out because another recording says where the phone is.
  struct LeftOut {
    /// The line of the scenario that names their recording.
    var position: SourcePosition
    var count: Int
    fileprivate var order: Int
  }

  private var ways: [Way] = []
  /// What was left out when they were put together, in the order in which they were added.
  private(set) var leftOut: [LeftOut] = []

  /// When the last fix of all is.
  var last: Instant? { ways.map(\.range.upperBound).max() }

  mutating func add(
    _ trace: consuming FixTrace, of device: UInt8, movedBy shift: TimeSpan, _ position: SourcePosition
  ) {
    let route = Route(trace, movedBy: shift, position)
    guard let first = route.fixes.first, let last = route.fixes.last else { return }
    add(.held(route), device, first.instant...last.instant)
  }

  /// - Parameter range: From its first fix to its last, before it is moved.
  mutating func add(
    _ fixes: FixStream, of device: UInt8, from range: ClosedRange<Instant>, movedBy shift: TimeSpan,
    _ position: SourcePosition
  ) {
    add(.long(fixes, movedBy: shift, position), device, range.lowerBound + shift...range.upperBound + shift)
  }

  private mutating func add(_ part: RouteReader.Part, _ device: UInt8, _ range: ClosedRange<Instant>) {
    ways.append(Way(device: device, part: part, range: range, order: ways.count))
  }

  /// Hands over the routes of all devices, within a stretch of time.
  ///
  /// - Complexity: O(n log n) in the recordings, and for each O(n) in the fixes that are held
  mutating func takeRoutes(deviceCount: Int, in range: Range<Instant>) throws(RecordingError) -> [Route] {
    var routes: [Route] = []
    for device in 0..<deviceCount {
      let own = ways.filter { $0.device == device }
      ways.removeAll { $0.device == device }
      routes.append(try route(of: own, in: range))
    }
    leftOut.sort { ($0.order, $0.position) < ($1.order, $1.position) }
    return routes
  }

  private mutating func route(of ways: [Way], in range: Range<Instant>) throws(RecordingError) -> Route {
    var groups: [(ways: [Way], end: Instant)] = []
    for way in ways.sorted(by: { ($0.range.lowerBound, $0.order) < ($1.range.lowerBound, $1.order) }) {
      if let end = groups.last?.end, way.range.lowerBound <= end {
        groups[groups.count - 1].ways.append(way)
        groups[groups.count - 1].end = max(end, way.range.upperBound)
      } else {
        groups.append(([way], way.range.upperBound))
      }
    }
    var parts: [RouteReader.Part] = []
    for (group, _) in groups {
      let part = group.count == 1 ? group[0].part : .held(try together(group, range))
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

  /// Ways that overlap are held.
  private mutating func together(
    _ ways: [Way], _ range: Range<Instant>
  ) throws(RecordingError) -> Route {
    var route = Route()
    for way in ways.sorted(by: { $0.order < $1.order }) {
      let next =
        switch way.part {
        case .held(let held): held
        case .long(let fixes, let shift, let position): try Route(fixes.held(), movedBy: shift, position)
        }
      leftOut += route.add(next, counting: range).map {
        LeftOut(position: $0.key, count: $0.value, order: way.order)
      }
    }
    return route
  }
}
