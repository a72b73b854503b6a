package import Foundation
package import TriggerModel

/// Reads GPX 1.0 and 1.1 as a time line of fixes.
///
/// **What is read.** UTF-8, UTF-16, US-ASCII, ISO-8859-x and Windows-125x, with or without a byte
/// order mark. Tracks, waypoints or routes, whichever is the first of these in which a point has
/// valid coordinates and a usable time (so that Xcode's location files, which are waypoints with
/// times, work); the points of the other kinds are left out. Each `trkseg`, each `rte` and the
/// waypoints as a whole are a segment.
///
/// **Times** are ISO 8601 (see ``Timestamp``); without a zone they are UTC, as GPX has it. A time
/// before 1980-01-06 comes from an instrument that did not know the time, and the point is left out.
/// When no point of the file has a time, a ``Schedule`` can give them times, as Xcode does.
///
/// **Accuracy** in metres is the first readable one of an element `accuracy`, `hacc`, `hAcc`,
/// `horizontalAccuracy` or `horizontal_accuracy` anywhere inside the point, under any prefix; else
/// `hdop` × ``Options/metresPerDilution``; else it is not known.
///
/// **What then happens to the fixes** (out of order, repeated, far off, too inaccurate) is said at
/// ``FixRules``. A file in which no point is left is refused, and so is one that is not well-formed
/// (the first error decides), ends early, has a document type definition, another root than `gpx`,
/// or a version that is neither 1.0 nor 1.1.
package enum GPXReader {
  package struct Options: Hashable, Sendable {
    package var rules: FixRules
    /// Metres of 68 % accuracy that one unit of horizontal dilution of precision stands for. Assumed:
    /// GPX does not say; 5 m is a usual range error of a consumer receiver. nil takes no accuracy
    /// from `hdop`.
    package var metresPerDilution: Double?
    package var schedule: Schedule?
    /// Only this track of the file, counted from 1; nil takes all of them.
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

  /// Times for a file that has none: from `start`, along its points in the order of the file.
  package struct Schedule: Hashable, Sendable {
    package var start: Instant
    /// Greater than zero.
    package var metresPerSecond: Double

    package init(start: Instant, metresPerSecond: Double) {
      precondition(metresPerSecond > 0, "a schedule needs a speed above zero")
      self.start = start
      self.metresPerSecond = metresPerSecond
    }
  }

  /// The kinds of point that GPX has, in the order of preference.
  package enum PointKind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case track, waypoint, route
  }

  package struct Recording: Hashable, Sendable {
    package var trace: FixTrace
    /// What the trace was made of.
    package var kind: PointKind
    /// `1.0` or `1.1`.
    package var version: String
    package var summary: ImportSummary
  }

  /// Reads a file's bytes; `file` is its name for messages.
  ///
  /// - Parameter path: Where these bytes lie, if they are a file's. They are read from there in pieces then, and of
  ///   `data`, which should be mapped, only the beginning is looked at: so the memory that a file of any size takes
  ///   is that of its fixes.
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
