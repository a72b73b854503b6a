package import TriggerModel

/// A recorded track: fixes in chronological order, divided into segments.
///
/// The route between two segments is unknown, so the phone crosses no region there.
package struct FixTrace: Hashable, Sendable {
  /// Strictly ascending by time.
  package var fixes: [Fix] = []
  /// The indices in `fixes` at which segments start, ascending. The first one is 0, unless `fixes` is empty.
  package var segmentStarts: [Int] = []

  package init() {}
}

/// The rules for the fixes of a recording.
///
/// The rules apply in this order. The ``ImportSummary`` counts the cases of each rule.
/// 1. The reader of the format omits a fix without valid coordinates or a usable time.
/// 2. If ``maximumAccuracy`` is set, a fix with a worse accuracy is omitted. A fix with an unknown accuracy
///    is kept.
/// 3. Fixes are sorted by time. Fixes with equal times stay in the order of the file. A fix that is earlier
///    than the previous fix of the file counts as a *step back*.
/// 4. A phone is in only one place. If tracks overlap in time, the track that started first is kept until it
///    ends. If they started at the same time, the first one in the file is kept. The fixes of the other
///    tracks are *overlapping* and are omitted. For this rule, a gap splits a track in two.
/// 5. If several fixes have the same time, the first one in the file is kept. Each of the others counts as
///    *repeated* if it is at the same place, and as *same time* otherwise.
/// 6. If ``maximumSpeed`` is set, a fix that is unreachable from the previous one is *far off* and is
///    omitted. The available time is extended by one second, because many instruments write whole seconds. If
///    the next fix is reachable from the far-off fix but not from the previous one, the phone really moved.
///    The far-off fix is then kept and starts a new segment (a *jump*).
/// 7. A new segment also starts where the file starts one, where sorting joins two segments, and after a
///    *gap* longer than ``longestGap``.
package struct FixRules: Hashable, Sendable {
  /// The worst accepted accuracy in metres, or `nil` to accept all fixes. Fixes with an unknown accuracy are
  /// always accepted.
  package var maximumAccuracy: Double?
  /// The maximum speed in metres per second, or `nil` for no limit. The default of 400 m/s exceeds the speed
  /// of an airliner in a jet stream (about 360 m/s over the ground).
  package var maximumSpeed: Double?
  /// The longest time between two fixes of a segment. The route in a longer gap is unknown, so the phone
  /// crosses no region there.
  package var longestGap: TimeSpan

  package init(
    maximumAccuracy: Double? = nil, maximumSpeed: Double? = 400,
    longestGap: TimeSpan = Fix.defaultMaximumGap
  ) {
    self.maximumAccuracy = maximumAccuracy
    self.maximumSpeed = maximumSpeed
    self.longestGap = longestGap
  }
}

/// A fix as it was read, with its position in the file.
struct RecordedFix: BitwiseCopyable {
  var fix: Fix
  /// The track or route in the file. Fixes of one track never overlap, even if its segments do.
  var track: Int32 = 0
  /// The segment in the file, from 0.
  var segment: Int32
  /// The line in the file, from 1.
  var line: Int32
}

extension FixRules {
  /// Applies rules 2 to 7 to the fixes of a file, which must be in the order of the file.
  ///
  /// - Complexity: O(n) if the fixes are in chronological order, O(n log n) otherwise.
  func trace(_ recorded: consuming [RecordedFix], _ summary: inout ImportSummary) -> FixTrace {
    if maximumAccuracy != nil { recorded.removeAll { !isAccurate($0, &summary) } }
    if !isStrictlyAscending(recorded) {
      sort(&recorded, &summary)
      dropOverlapping(&recorded, &summary)
    }
    var trace = FixTrace()
    trace.fixes.reserveCapacity(recorded.count)
    var ordered = OrderedFixFilter(self)
    for fix in recorded { ordered.take(fix, into: &trace, &summary) }
    ordered.finish(into: &trace, &summary)
    summary.taken = trace.fixes.count
    return trace
  }

  /// Applies rule 2.
  func isAccurate(_ recorded: RecordedFix, _ summary: inout ImportSummary) -> Bool {
    guard let maximumAccuracy else { return true }
    if recorded.fix.accuracy < 0 { summary.note(.accuracyUnknown, line: Int(recorded.line)) }
    guard recorded.fix.accuracy > maximumAccuracy else { return true }
    summary.note(.inaccurate, line: Int(recorded.line))
    return false
  }

  private func isStrictlyAscending(_ fixes: [RecordedFix]) -> Bool {
    fixes.indices.dropFirst().allSatisfy { fixes[$0 - 1].fix.instant < fixes[$0].fix.instant }
  }

  private func sort(_ fixes: inout [RecordedFix], _ summary: inout ImportSummary) {
    for index in fixes.indices.dropFirst() where fixes[index].fix.instant < fixes[index - 1].fix.instant {
      summary.note(.stepBack, line: Int(fixes[index].line))
    }
    // The standard library does not guarantee a stable sort, so the index orders fixes with equal instants.
    let order = fixes.indices.sorted {
      (fixes[$0].fix.instant, $0) < (fixes[$1].fix.instant, $1)
    }
    fixes = order.map { fixes[$0] }
  }

  func isReachable(_ fix: Fix, from last: Fix) -> Bool {
    guard let maximumSpeed else { return true }
    let seconds = Double((fix.instant - last.instant).milliseconds) / 1_000
    return Sphere.isWithin(maximumSpeed * (seconds + 1), last.coordinate, fix.coordinate)
  }
}

/// Applies rules 5 to 7 of ``FixRules`` to fixes in chronological order, with at most three fixes in memory.
struct OrderedFixFilter: Sendable {
  private let rules: FixRules
  /// The previous fix with another time: the first fix of that time.
  private var previous: RecordedFix?
  /// The last accepted fix.
  private var last: RecordedFix?
  /// A fix that is unreachable from the last accepted one, or `nil` if there is none. The next fix decides
  /// whether it is far off or a jump.
  private var doubtful: RecordedFix?

  init(_ rules: FixRules) {
    self.rules = rules
  }

  /// Adds a fix. Appends the fixes that can now be accepted to a trace.
  mutating func take(_ recorded: RecordedFix, into trace: inout FixTrace, _ summary: inout ImportSummary) {
    if let previous, previous.fix.instant == recorded.fix.instant {
      let isSamePlace = previous.fix.coordinate == recorded.fix.coordinate
      summary.note(isSamePlace ? .repeated : .sameTime, line: Int(recorded.line))
      return
    }
    previous = recorded
    settleDoubt(next: recorded, into: &trace, &summary)
    var startsSegment = last?.segment != recorded.segment
    if let last, !startsSegment, recorded.fix.isAfterGap(since: last.fix, longerThan: rules.longestGap) {
      summary.note(.gap, line: Int(recorded.line))
      startsSegment = true
    }
    if let last, !startsSegment, !rules.isReachable(recorded.fix, from: last.fix) {
      doubtful = recorded
    } else {
      add(recorded, startsSegment: startsSegment, to: &trace)
    }
  }

  /// Decides on the remaining doubtful fix after the last fix was added.
  mutating func finish(into trace: inout FixTrace, _ summary: inout ImportSummary) {
    settleDoubt(next: nil, into: &trace, &summary)
  }

  private mutating func settleDoubt(
    next: RecordedFix?, into trace: inout FixTrace, _ summary: inout ImportSummary
  ) {
    guard let recorded = doubtful, let last else { return }
    doubtful = nil
    if let next, next.segment == recorded.segment, !rules.isReachable(next.fix, from: last.fix),
      rules.isReachable(next.fix, from: recorded.fix)
    {
      summary.note(.jump, line: Int(recorded.line))
      add(recorded, startsSegment: true, to: &trace)
    } else {
      summary.note(.farOff, line: Int(recorded.line))
    }
  }

  private mutating func add(_ recorded: RecordedFix, startsSegment: Bool, to trace: inout FixTrace) {
    if startsSegment { trace.segmentStarts.append(trace.fixes.count) }
    trace.fixes.append(recorded.fix)
    last = recorded
  }
}

extension FixRules {
  /// A part of a track without gaps.
  private struct Piece {
    var start: Instant
    var end: Instant
  }

  /// Applies rule 4: keeps the track that started first until it ends, and omits the fixes of other tracks.
  ///
  /// - Parameter fixes: The fixes in chronological order.
  func dropOverlapping(_ fixes: inout [RecordedFix], _ summary: inout ImportSummary) {
    guard fixes.contains(where: { $0.track != fixes[0].track }) else { return }
    let (pieces, pieceOf) = pieces(of: fixes)
    // Pieces are in the order of their starts. All pieces before `first` have ended.
    var first = 0
    var holder = 0
    var kept: [RecordedFix] = []
    kept.reserveCapacity(fixes.count)
    for (index, recorded) in fixes.enumerated() {
      let instant = recorded.fix.instant
      if instant > pieces[holder].end {
        while pieces[first].end < instant { first += 1 }
        holder = first
      }
      // Rule 5 handles a fix exactly at the end of the kept track.
      if pieceOf[index] == holder || instant == pieces[holder].end {
        kept.append(recorded)
      } else {
        summary.note(.overlapping, line: Int(recorded.line))
      }
    }
    fixes = kept
  }

  /// Returns the pieces in the order of their starts, and the index of the piece for each fix.
  private func pieces(of fixes: [RecordedFix]) -> (pieces: [Piece], pieceOf: [Int]) {
    var pieces: [Piece] = []
    var pieceOf: [Int] = []
    pieceOf.reserveCapacity(fixes.count)
    var latest: [Int32: Int] = [:]
    for recorded in fixes {
      let instant = recorded.fix.instant
      if let piece = latest[recorded.track], instant - pieces[piece].end <= longestGap {
        pieces[piece].end = instant
        pieceOf.append(piece)
      } else {
        latest[recorded.track] = pieces.count
        pieceOf.append(pieces.count)
        pieces.append(Piece(start: instant, end: instant))
      }
    }
    return (pieces, pieceOf)
  }
}

/// Computes distances on a sphere, which are accurate enough to find fixes that are far off.
///
/// Up to 3,000 km, the chord is less than 1 % shorter than the route on the ellipsoid. Regions use other,
/// more exact distances.
enum Sphere {
  /// Returns the length of the chord between two points, in metres.
  static func chord(_ a: Coordinate, _ b: Coordinate) -> Double {
    let (p, q) = (unitVector(a), unitVector(b))
    let (x, y, z) = (p.x - q.x, p.y - q.y, p.z - q.z)
    return Earth.meanRadius * (x * x + y * y + z * z).squareRoot()
  }

  /// Returns whether two points are at most `metres` apart. The test is fast for nearby points.
  static func isWithin(_ metres: Double, _ a: Coordinate, _ b: Coordinate) -> Bool {
    // For nearby points this upper bound suffices: no degree of latitude or longitude is longer than
    // `Earth.metresPerDegree`.
    let degrees = abs(a.latitude - b.latitude) + abs(a.longitude - b.longitude)
    return degrees * Earth.metresPerDegree <= metres || chord(a, b) <= metres
  }

  private static func unitVector(_ point: Coordinate) -> (x: Double, y: Double, z: Double) {
    let latitude = DeterministicMath.sinCosDegrees(point.latitude)
    let longitude = DeterministicMath.sinCosDegrees(point.longitude)
    return (latitude.cos * longitude.cos, latitude.cos * longitude.sin, latitude.sin)
  }
}
