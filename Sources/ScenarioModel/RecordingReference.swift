package import TextFormats
package import TriggerModel

/// A recording that the time line names. Loading it is the program compiler's work; the files are known
/// to exist.
package struct RecordingReference: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// A GPX track.
    case gpx(String)
    /// One JSON object with a position a line.
    case ndjson(String)
    /// A battery table and a screen table of the AWARE framework; one of them may be missing.
    case aware(battery: String?, screen: String?)
  }

  /// Which column of an AWARE battery table says that the phone is being charged.
  package enum ChargingColumn: String, Hashable, Sendable, CaseIterable {
    /// `battery_adaptor`: 0 to another value.
    case adaptor
    /// `battery_status`: into charging or full.
    case status
  }

  /// File names relative to the scenario's folder, as written.
  package var source: Source
  /// Where the recording's first sample is put; nil: its own times count.
  package var startsAt: Instant?
  /// Fixes with a worse accuracy than this, in metres, are left out; nil: none are.
  package var accuracyLimit: Double?
  /// Nothing is known of the way between two fixes that are farther apart in time; nil: the default of
  /// recordings counts.
  package var longestGap: TimeSpan?
  /// How fast a GPX track without times is followed from ``startsAt`` on; nil: it has times.
  package var speed: Speed?
  /// Which track of a GPX file, counted from 1; nil: all of them.
  package var track: Int?
  package var chargingColumn: ChargingColumn
  /// Which device of an AWARE table of several; nil: the table has one.
  package var recordedDevice: String?
  /// Of which device: the phone, or the position in the scenario's devices plus one.
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
