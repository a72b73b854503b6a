import Foundation
import TriggerModel

/// All points of a GPX file, before one kind is selected.
struct GPXDocument {
  struct Point: BitwiseCopyable {
    enum Time: BitwiseCopyable {
      case absent, unreadable
      case known(Instant)
    }

    var kind: GPXReader.PointKind
    /// The number of the segment within the whole file.
    var segment: Int32
    /// The number of the point's `trk` element, from 1.
    var track: Int32 = 0
    /// The line on which the point's element starts.
    var line: Int32
    var coordinate: Coordinate?
    var time: Time = .absent
    /// The accuracy in metres, negative if unknown.
    var accuracy: Double = -1
  }

  var points: [Point] = []
  /// The number of `trk` elements.
  var trackCount: Int32 = 0
  var version = "1.1"
  var summary: ImportSummary

  /// 1980-01-06T00:00:00Z, the start of GPS time.
  private static let firstPlausible = Instant(millisecondsSince1970: 315_964_800_000)

  /// The kind of point to use: the most preferred kind that has a point with coordinates and a time. `nil` if
  /// no kind has one.
  var timelineKind: GPXReader.PointKind? {
    GPXReader.PointKind.allCases.first { kind in
      points.contains { $0.kind == kind && Self.omission($0) == nil }
    }
  }

  /// Returns the usable points of a kind. Counts all other points as omitted.
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

  /// Returns the reason that a point is unusable, or `nil` if it is usable.
  private static func omission(_ point: Point) -> ImportSummary.Finding.Kind? {
    guard point.coordinate != nil else { return .invalidCoordinate }
    switch point.time {
    case .absent: return .untimed
    case .unreadable: return .unreadableTime
    case .known(let instant): return instant < firstPlausible ? .implausibleTime : nil
    }
  }

  /// Removes the points of all tracks but one. Tracks count from 1.
  mutating func keep(track: Int) throws(RecordingError) {
    guard 1...max(1, Int(trackCount)) ~= track, trackCount > 0 else {
      throw RecordingError(
        .value, file: summary.file, "there is no track \(track): the file has \(trackCount)",
        remedy: trackCount == 0 ? "remove 'track'" : "choose one from 1 to \(trackCount)")
    }
    for point in points where point.track != track {
      summary.note(point.kind == .track ? .otherTrack : .otherKind, line: Int(point.line))
    }
    points.removeAll { $0.track != track }
  }

  /// Assigns times to the most preferred kind of point that has valid coordinates, unless any point of the
  /// file has a time.
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

  /// Returns the error for a file without usable points. Its message lists the problems of the points.
  func nothingUsable() -> RecordingError {
    guard let first = points.first else {
      return RecordingError(
        .nothingUsable, file: summary.file, "the file has no track, waypoint or route point",
        remedy: "record a track, or remove the file")
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
        : "correct these points")
  }
}

extension GPXDocument {
  /// Parses the XML, or throws its first error.
  static func parse(
    _ data: Data, file: String, at path: String?, metresPerDilution: Double?
  ) throws(RecordingError) -> GPXDocument {
    try refuseProlog(of: data, file: file)
    let builder = GPXBuilder(file: file, metresPerDilution: metresPerDilution)
    let stream = { path.flatMap { InputStream(fileAtPath: $0) } ?? InputStream(data: data) }
    if let whole = PlainXML.read(stream(), into: builder) { return whole.document }
    return try FoundationXMLReader.read(stream(), into: builder, file: file).document
  }

  private static func refuseProlog(of data: Data, file: String) throws(RecordingError) {
    let (isBlank, objection, undefined) = data.withUnsafeBytes { raw in
      let bytes = raw.assumingMemoryBound(to: UInt8.self)
      let isBlank = bytes.allSatisfy { $0 <= 0x20 }
      let prolog = XMLProlog(bytes)
      let undefined = prolog.singleByteEncoding.flatMap { TextEncoding.firstUndefinedByte(in: raw, $0) }
      return (isBlank, prolog.objection, undefined)
    }
    guard !isBlank else {
      throw RecordingError(.empty, file: file, "the file is empty", remedy: "record it again")
    }
    switch objection {
    case nil:
      guard let undefined else { return }
      let (message, remedy) = XMLProblem.explain(XMLProblem.undefinedByte, rootIsClosed: false)
      throw RecordingError(.syntax, file: file, line: undefined, message, remedy: remedy)
    case .documentType(let line):
      throw RecordingError(
        .documentType, file: file, line: line, "a document type definition (<!DOCTYPE …>) is not accepted",
        remedy: "remove it; GPX needs none")
    case .encoding(let name, let line):
      throw RecordingError(
        .encoding, file: file, line: line, "the encoding \(name) is not supported",
        remedy: "save the file as UTF-8")
    }
  }
}
