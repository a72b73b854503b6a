import RandomScenarios
import Recordings
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation
@testable import TestBench

@Suite struct RouteTests {
  private static let position = SourcePosition(line: 7, column: 5)

  /// Returns a track that has one leg per segment, with fixes at the given seconds. The longitude identifies
  /// the recording.
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

  /// Formats a route as the seconds of its fixes, with a bar before each leg.
  private static func text(_ route: Route) -> String {
    route.fixes.enumerated().map { index, fix in
      let bar = route.legs.contains { $0.start == index } ? "|" : ""
      return "\(bar)\(fix.instant.millisecondsSince1970 / 1_000)\(fix.coordinate.longitude > 0 ? "b" : "")"
    }.joined(separator: " ")
  }

  @Test func `a recording keeps its segments and is moved as a whole`() {
    var route = Route()
    _ = route.add(Route(Self.trace([[1, 2], [5, 6]]), movedBy: .seconds(10), Self.position))
    #expect(Self.text(route) == "|11 12 |15 16")
  }

  @Test func `where recordings overlap, the leg that began first is kept`() {
    var route = Route()
    #expect(route.add(Route(Self.trace([[1, 2], [5, 6]]), movedBy: .zero, Self.position)).isEmpty)
    #expect(route.add(Route(Self.trace([[7, 8]], longitude: 1), movedBy: .zero, Self.position)).isEmpty)
    #expect(Self.text(route) == "|1 2 |5 6 |7b 8b")
    route = Route()
    _ = route.add(Route(Self.trace([[3, 5, 6, 9]], longitude: 1), movedBy: .zero, Self.position))
    let omitted = route.add(
      Route(Self.trace([[1, 2], [5, 7]]), movedBy: .zero, SourcePosition(line: 8, column: 5)))
    #expect(Self.text(route) == "|1 2 |3b 5b 6b 9b")
    #expect(omitted == [SourcePosition(line: 8, column: 5): 2])
  }

  /// At every instant, the reference keeps the current leg that began first.
  @Test func `overlapping recordings keep and omit the same fixes as the reference`() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<500 {
      // Two recordings never have fixes at the same instant.
      let all = (0..<2).map { index in
        Self.randomSegments(&random).map { $0.map { $0 * 2 + Int64(index) } }
      }
      var route = Route()
      _ = route.add(Route(Self.trace(all[0]), movedBy: .zero, Self.position))
      let omitted = route.add(Route(Self.trace(all[1], longitude: 1), movedBy: .zero, Self.position))
      var expected: [(second: Int64, isSecond: Bool)] = []
      let legs = all.enumerated().flatMap { index, segments in
        segments.map { (index: index, start: $0[0], end: $0[$0.count - 1], seconds: $0) }
      }
      var holder: (index: Int, start: Int64, end: Int64, seconds: [Int64])?
      for second in Int64(0)...400 {
        if let end = holder?.end, end < second { holder = nil }
        let current = legs.filter { $0.start <= second && second <= $0.end }
        // A leg can be selected only at one of its fixes.
        if holder == nil, current.contains(where: { $0.seconds.contains(second) }) {
          holder = current.min { ($0.start, $0.index) < ($1.start, $1.index) }
        }
        if let holder, holder.seconds.contains(second) { expected.append((second, holder.index == 1)) }
      }
      let fixes = route.fixes.map { ($0.instant.millisecondsSince1970 / 1_000, $0.coordinate.longitude > 0) }
      #expect(fixes.map(\.0) == expected.map(\.second), "\(all)")
      #expect(fixes.map(\.1) == expected.map(\.isSecond), "\(all)")
      let count = all.joined().joined().count
      #expect(fixes.count + omitted.values.reduce(0, +) == count)
    }
  }

  private static func randomSegments(_ random: inout SplitMix64) -> [[Int64]] {
    var second = Int64(random.int(0...10))
    return (0..<random.int(1...4)).map { _ in
      (0..<random.int(1...5)).map { _ in
        second += Int64(random.int(1...6))
        return second
      }
    }
  }

  @Test func `fixes outside the scenario are omitted, unless their leg crosses its start or end`() {
    for (range, expected) in [
      (0..<100, "|1 2 |5 6"), (2..<6, "|2 |5 6"), (3..<100, "|5 6"), (6..<7, "|6"), (7..<100, ""),
      (0..<1, ""),
    ] {
      var route = Route()
      _ = route.add(Route(Self.trace([[1, 2], [5, 6]]), movedBy: .zero, Self.position))
      route.clip(to: Self.instant(Int64(range.lowerBound))..<Self.instant(Int64(range.upperBound)))
      #expect(Self.text(route) == expected, "\(range)")
    }
    var trace = Self.trace([[0, 8], [20, 30]])
    trace.fixes[1].coordinate.longitude = 8
    var route = Route()
    _ = route.add(Route(trace, movedBy: .zero, Self.position))
    route.clip(to: Self.instant(2)..<Self.instant(25))
    #expect(route.fixes.map(\.instant) == [2, 8, 20, 30].map(Self.instant))
    #expect(route.legs.map(\.start) == [0, 2])
    #expect(abs(route.fixes[0].coordinate.longitude - 2) < 1e-9 && route.fixes[0].coordinate.latitude == 0)
  }

  @Test
  func `a fix is received when the previous one is reached, and the first fix of a leg at its own instant`() {
    var route = Route()
    _ = route.add(Route(Self.trace([[1, 2, 4], [5], [9, 10]]), movedBy: .zero, Self.position))
    var cursor = RouteCursor(route)
    var seconds: [Int64] = []
    while cursor.fix != nil {
      seconds.append(cursor.instant.millisecondsSince1970 / 1_000)
      cursor.advance()
    }
    #expect(seconds == [1, 1, 2, 5, 9, 9])
    #expect(cursor.instant == .distantFuture)
  }
}
