import Foundation
import TriggerModel

/// The points of a GPX file as they stand there, before any of them is chosen.
struct GPXDocument {
  struct Point: BitwiseCopyable {
    enum Time: BitwiseCopyable {
      case absent, unreadable
      case known(Instant)
    }

    var kind: GPXReader.PointKind
    /// Counted over the whole file.
    var segment: Int32
    /// Of a track's point: which `trk` of the file, counted from 1.
    var track: Int32 = 0
    /// The line on which the element starts.
    var line: Int32
    var coordinate: Coordinate?
    var time: Time = .absent
    /// Metres; negative when not known.
    var accuracy: Double = -1
  }

  var points: [Point] = []
  /// How many `trk` the file has.
  var trackCount: Int32 = 0
  var version = "1.1"
  var summary: ImportSummary

  /// 1980-01-06T00:00:00Z, when GPS time begins.
  private static let firstPlausible = Instant(millisecondsSince1970: 315_964_800_000)

  /// The first kind, in the order of preference, that has a point with coordinates and time.
  var timelineKind: GPXReader.PointKind? {
    GPXReader.PointKind.allCases.first { kind in
      points.contains { $0.kind == kind && Self.omission($0) == nil }
    }
  }

  /// The usable points of a kind; all others are counted.
  mutating func takeFixes(of kind: GPXReader.PointKind) -> [RecordedFix] {
    var fixes: [RecordedFix] = []
    fixes.reserveCapacity(points.count)
    for point in points {
      if point.kind != kind {
        summary.note(.otherKind, line: Int(point.line))
      } else if let omission = Self.omission(point) {
        summary.note(omission, line: Int(point.line))
      } else if let coordinate = point.coordinate, case .known(let instant) = point.time {
        let fix = Fix(instant: instant, coordinate: coordinate, accuracy: point.accuracy)
        let track = kind == .route ? point.segment : point.track
        fixes.append(RecordedFix(fix: fix, track: track, segment: point.segment, line: point.line))
      }
    }
    return fixes
  }

  /// Why a point cannot be part of a time line; nil if it can.
  private static func omission(_ point: Point) -> ImportSummary.Finding.Kind? {
    guard point.coordinate != nil else { return .invalidCoordinate }
    switch point.time {
    case .absent: return .untimed
    case .unreadable: return .unreadableTime
    case .known(let instant): return instant < firstPlausible ? .implausibleTime : nil
    }
  }

  /// Leaves out everything but one track, counted from 1.
  mutating func keep(track: Int) throws(RecordingError) {
    guard 1...max(1, Int(trackCount)) ~= track, trackCount > 0 else {
      throw RecordingError(
        .value, file: summary.file, "there is no track \(track): the file has \(trackCount)",
        remedy: trackCount == 0 ? "leave 'track' out" : "choose one from 1 to \(trackCount)")
    }
    for point in points where point.track != track {
      summary.note(point.kind == .track ? .otherTrack : .otherKind, line: Int(point.line))
    }
    points.removeAll { $0.track != track }
  }

  /// Gives times to the first kind of point that has valid coordinates, if no point has a time.
  mutating func apply(_ schedule: GPXReader.Schedule) {
    let isUntimed = points.allSatisfy { if case .absent = $0.time { true } else { false } }
    let kind = GPXReader.PointKind.allCases.first { kind in
      points.contains { $0.kind == kind && $0.coordinate != nil }
    }
    guard isUntimed, let kind else { return }
    var metres = 0.0
    var last: Coordinate?
    for index in points.indices where points[index].kind == kind {
      guard let coordinate = points[index].coordinate else { continue }
      if let last { metres += Sphere.chord(last, coordinate) }
      last = coordinate
      let milliseconds = (metres / schedule.metresPerSecond * 1_000).rounded()
      points[index].time = .known(schedule.start + TimeSpan(milliseconds: Int64(min(milliseconds, 1e15))))
      summary.note(.scheduled, line: Int(points[index].line))
    }
  }

  /// The error for a file from which no fix can be had, with what is the matter with its points.
  func nothingUsable() -> RecordingError {
    guard let first = points.first else {
      return RecordingError(
        .nothingUsable, file: summary.file, "the file has no track, waypoint or route point",
        remedy: "record a track, or leave the file out")
    }
    var reasons = ImportSummary(file: summary.file)
    for point in points {
      if let omission = Self.omission(point) { reasons.note(omission, line: Int(point.line)) }
    }
    let findings = (reasons.findings + summary.findings.filter(\.kind.isOmission))
      .map { "\($0.count) \($0.kind.explanation) (first at line \($0.firstLine))" }
    let isUntimed = reasons.count(.untimed) > 0
    return RecordingError(
      .nothingUsable, file: summary.file, line: Int(first.line),
      "no point can be used: \(findings.joined(separator: ", "))",
      remedy: isUntimed
        ? "give the points times, or the entry a start and a speed, such as 'at: 08:10' and 'speed: 5 km/h'"
        : "mend these points")
  }
}
