@testable import Simulation
@testable import TestBench
import TextFormats
import Recordings
import Testing
import TriggerModel

@Suite("Routes")
struct RouteTests {
  private static let position = SourcePosition(line: 7, column: 5)

  /// Fixes at these seconds, each segment a leg; the longitude tells recordings apart.
  private static func trace(_ segments: [[Int64]], longitude: Double = 0) -> FixTrace {
    var trace = FixTrace()
    for segment in segments {
      trace.segmentStarts.append(trace.fixes.count)
      trace.fixes += segment.map {
        Fix(instant: instant($0), coordinate: Coordinate(latitude: 0, longitude: longitude))
      }
    }
    return trace
  }

  private static func instant(_ second: Int64) -> Instant { Instant(millisecondsSince1970: second * 1_000) }

  /// Seconds, with a bar before each leg.
  private static func text(_ route: Route) -> String {
    route.fixes.enumerated().map { index, fix in
      let bar = route.legs.contains { $0.start == index } ? "|" : ""
      return "\(bar)\(fix.instant.millisecondsSince1970 / 1_000)\(fix.coordinate.longitude > 0 ? "b" : "")"
    }.joined(separator: " ")
  }

  @Test("a recording keeps its segments, and is moved as a whole")
  func one() {
    var route = Route()
    route.add(Self.trace([[1, 2], [5, 6]]), movedBy: .seconds(10), Self.position)
    #expect(Self.text(route) == "|11 12 |15 16")
  }

  @Test("recordings follow each other, or are woven together by time")
  func two() {
    var route = Route()
    route.add(Self.trace([[1, 2], [5, 6]]), movedBy: .zero, Self.position)
    route.add(Self.trace([[7, 8]], longitude: 1), movedBy: .zero, Self.position)
    #expect(Self.text(route) == "|1 2 |5 6 |7b 8b")
    route = Route()
    route.add(Self.trace([[3, 5, 6, 9]], longitude: 1), movedBy: .zero, Self.position)
    route.add(Self.trace([[1, 2], [5, 7]]), movedBy: .zero, Self.position)
    #expect(Self.text(route) == "|1 2 |3b 5b |5 |6b |7 |9b")
  }

  @Test("what lies outside of the scenario is left out, and a leg cut in two starts anew")
  func clip() {
    for (range, expected) in [
      (0..<100, "|1 2 |5 6"), (2..<6, "|2 |5"), (3..<100, "|5 6"), (6..<7, "|6"), (7..<100, ""), (0..<1, ""),
    ] {
      var route = Route()
      route.add(Self.trace([[1, 2], [5, 6]]), movedBy: .zero, Self.position)
      route.clip(to: Self.instant(Int64(range.lowerBound))..<Self.instant(Int64(range.upperBound)))
      #expect(Self.text(route) == expected, "\(range)")
    }
  }

  @Test("the phone sets out for a fix when the one before is reached, and is found at the first of a leg")
  func cursor() {
    var route = Route()
    route.add(Self.trace([[1, 2, 4], [5], [9, 10]]), movedBy: .zero, Self.position)
    var cursor = RouteCursor()
    var seconds: [Int64] = []
    while cursor.fix(in: route) != nil {
      seconds.append(cursor.instant(in: route).millisecondsSince1970 / 1_000)
      cursor.advance(in: route)
    }
    #expect(seconds == [1, 1, 2, 5, 9, 9])
    #expect(cursor.instant(in: route) == .distantFuture)
  }
}
