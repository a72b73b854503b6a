package import TextFormats
package import TriggerModel

/// A recording on the time line. Its files are known to exist, and the program compiler loads them.
package struct RecordingReference: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// A GPX track.
    case gpx(String)
    /// One JSON object per line.
    case ndjson(String)
    /// A battery table and a screen table of the AWARE framework. One of them may be missing.
    case aware(battery: String?, screen: String?)
  }

  /// The column of an AWARE battery table that determines charging.
  package enum ChargingColumn: String, Hashable, Sendable, CaseIterable {
    /// `battery_adaptor`: charging starts when it changes from 0 to another value.
    case adaptor
    /// `battery_status`: charging starts when it changes to charging or full.
    case status
  }

  /// The file names as written, relative to the scenario's folder.
  package var source: Source
  /// The instant to which the first sample is moved, or `nil` to keep the recorded times.
  package var startsAt: Instant?
  /// The largest accepted accuracy radius of fixes in metres, or `nil` to accept all fixes.
  package var accuracyLimit: Double?
  /// The maximum time between two fixes of a known route, or `nil` for the default value.
  package var longestGap: TimeSpan?
  /// The speed along a GPX track without times, which starts at ``startsAt``, or `nil` if the track has
  /// times.
  package var speed: Speed?
  /// The track of a GPX file, counted from 1, or `nil` for all tracks.
  package var track: Int?
  package var chargingColumn: ChargingColumn
  /// The device to select from an AWARE table of several devices, or `nil` if the table has only one.
  package var recordedDevice: String?
  /// The scenario's device: 0 for the phone, otherwise its index among the other devices plus one.
  package var device: UInt8 = 0
  package var position: SourcePosition

  package init(
    source: Source, startsAt: Instant? = nil, accuracyLimit: Double? = nil, longestGap: TimeSpan? = nil,
    speed: Speed? = nil, track: Int? = nil, chargingColumn: ChargingColumn, recordedDevice: String? = nil,
    device: UInt8 = 0, position: SourcePosition
  ) {
    self.source = source
    self.startsAt = startsAt
    self.accuracyLimit = accuracyLimit
    self.longestGap = longestGap
    self.speed = speed
    self.track = track
    self.chargingColumn = chargingColumn
    self.recordedDevice = recordedDevice
    self.device = device
    self.position = position
  }
}

/// A speed, exactly as written.
package struct Speed: Hashable, Sendable {
  /// The speed in millimetres per hour, greater than 0.
  package var millimetresPerHour: Int64

  package init(millimetresPerHour: Int64) {
    self.millimetresPerHour = millimetresPerHour
  }

  package var metresPerSecond: Double { Double(millimetresPerHour) / 3_600_000 }
}
