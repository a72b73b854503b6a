package import Foundation
package import TriggerModel

/// Reads the fixes of GPX 1.0 and 1.1.
///
/// **Input.** UTF-8, UTF-16, US-ASCII, ISO-8859-x and Windows-125x, with or without a byte order mark. The
/// reader tries tracks, then waypoints, then routes. It uses the first kind that has a point with valid
/// coordinates and a usable time, and omits the other kinds. Location files of Xcode work too, because they
/// contain waypoints with times. Each `trkseg` and each `rte` is a segment. All waypoints together are one
/// segment.
///
/// **Times** are in ISO 8601 (see ``Timestamp``). A time without a zone is in UTC, as GPX specifies. A point
/// with a time before 1980-01-06 is omitted, because its instrument cannot have known the time. If no point
/// of the file has a time, a ``Schedule`` can assign times, as Xcode does.
///
/// **Accuracy** in metres is the value of an element `accuracy`, `hacc`, `hAcc`, `horizontalAccuracy` or
/// `horizontal_accuracy` with any prefix, anywhere in the point. The first readable value counts. If there is
/// none, the accuracy is `hdop` × ``Options/metresPerDilution``. Without `hdop`, it is unknown.
///
/// **Rules.** ``FixRules`` apply to fixes that are unsorted, repeated, far off or too inaccurate. The reader
/// rejects a file that has no usable point, is not well-formed (it reports the first error), is truncated, or
/// has a document type definition. It also rejects a file whose root is not `gpx`, or whose version is
/// neither 1.0 nor 1.1.
package enum GPXReader {
  package struct Options: Hashable, Sendable {
    package var rules: FixRules
    /// The accuracy in metres (68 %) per unit of horizontal dilution of precision, or `nil` to ignore `hdop`.
    /// GPX does not define this factor. The default of 5 m is an assumption: the typical range error of a
    /// consumer receiver.
    package var metresPerDilution: Double?
    package var schedule: Schedule?
    /// The number of the track to read, from 1, or `nil` for all tracks.
    package var track: Int?

    package init(
      rules: FixRules = FixRules(), metresPerDilution: Double? = 5, schedule: Schedule? = nil,
      track: Int? = nil
    ) {
      self.rules = rules
      self.metresPerDilution = metresPerDilution
      self.schedule = schedule
      self.track = track
    }
  }

  /// Times for a file that has none. The phone is at the first point at `start`, and then moves from point to
  /// point at constant speed.
  package struct Schedule: Hashable, Sendable {
    package var start: Instant
    /// The speed in metres per second, greater than zero.
    package var metresPerSecond: Double

    package init(start: Instant, metresPerSecond: Double) {
      precondition(metresPerSecond > 0, "a schedule needs a speed above zero")
      self.start = start
      self.metresPerSecond = metresPerSecond
    }
  }

  /// The kinds of point in GPX, in order of preference.
  package enum PointKind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case track, waypoint, route
  }

  package struct Recording: Hashable, Sendable {
    package var trace: FixTrace
    /// The kind of point that the trace consists of.
    package var kind: PointKind
    /// The GPX version, `1.0` or `1.1`.
    package var version: String
    package var summary: ImportSummary
  }

  /// Reads the bytes of a file. Messages state `file` as its name.
  ///
  /// - Parameter path: The path of the file that contains these bytes, or `nil`. With a path, the reader
  ///   reads the file in pieces and uses only the start of `data`, which should be memory-mapped. It then
  ///   needs memory only for the points.
  /// - Complexity: O(bytes)
  package static func read(
    _ data: Data, file: String, at path: String? = nil, options: Options = Options()
  ) throws(RecordingError) -> Recording {
    var document = try GPXDocument.parse(
      data, file: file, at: path, metresPerDilution: options.metresPerDilution)
    document.summary.read = document.points.count
    if let track = options.track { try document.keep(track: track) }
    if let schedule = options.schedule { document.apply(schedule) }
    guard let kind = document.timelineKind else { throw document.nothingUsable() }
    let recorded = document.takeFixes(of: kind)
    let trace = options.rules.trace(recorded, &document.summary)
    guard !trace.fixes.isEmpty else { throw document.nothingUsable() }
    return Recording(trace: trace, kind: kind, version: document.version, summary: document.summary)
  }
}
