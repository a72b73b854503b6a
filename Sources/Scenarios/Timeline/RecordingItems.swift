import ScenarioModel
import TextFormats
import TriggerModel

/// The keys of an entry that plays a recording.
extension RecordingReference {
  /// Of an entry that plays a recording exactly one is there.
  static let kinds = ["gpx", "ndjson", "aware"]

  /// What the keys say, but for `at` and `on`; nil when there is no recording, or a key is wrong.
  static func read(_ fields: Fields<TimelineItem>) -> RecordingReference? {
    let gpx = fields.optional(
      "gpx", .scalar(.file), "a GPX track that is played; 'at' moves its first fix",
      from: { if case .gpx(let file) = $0.recording?.source { file } else { nil } })
    let ndjson = fields.optional(
      "ndjson", .scalar(.file),
      "a file with one JSON object for each fix, or event such as an unlock, a charger or an app; 'at' moves "
        + "the first",
      from: { if case .ndjson(let file) = $0.recording?.source { file } else { nil } })
    let aware = fields.optional(
      "aware", .aware, "tables of the AWARE framework; 'at' moves them together",
      from: { $0.recording.flatMap(AwareTables.init) })
    let limit = fields.optional(
      "accuracyLimit", .scalar(.distance),
      "with 'gpx' and 'ndjson': fixes with a worse accuracy are left out",
      from: { $0.recording?.accuracyLimit })
    let gap = fields.optional(
      "longestGap", .scalar(.duration),
      "with 'gpx' and 'ndjson': between fixes farther apart in time nothing is crossed; 12 h if missing",
      from: { $0.recording?.longestGap })
    let speed = fields.optional(
      "speed", .scalar(.speed),
      "with 'gpx' and 'at': how fast a track without times is followed, such as 5 km/h",
      from: { $0.recording?.speed })
    let track = fields.optional(
      "track", .scalar(.count(1...1_000_000)),
      "with 'gpx': only this track of the file, counted from 1; all of them if missing",
      from: { $0.recording?.track })
    for key in ["accuracyLimit", "longestGap"] where fields.isPresent(key) {
      if !fields.isPresent("gpx"), !fields.isPresent("ndjson") {
        fields.error("'\(key)' belongs to 'gpx' and 'ndjson'", at: key)
      }
    }
    for key in ["speed", "track"] where fields.isPresent(key) && !fields.isPresent("gpx") {
      fields.error("'\(key)' belongs to 'gpx'", at: key)
    }
    if fields.isPresent("speed"), !fields.isPresent("at") {
      fields.error("'speed' needs 'at'", at: "speed", hint: "when the track begins, such as 'at: 08:10'")
    }
    let source = gpx.map { .gpx($0) } ?? ndjson.map { .ndjson($0) } ?? aware?.source
    return source.map {
      RecordingReference(
        source: $0, accuracyLimit: limit, longestGap: gap, speed: speed, track: track,
        chargingColumn: aware?.chargingColumn ?? .adaptor, recordedDevice: aware?.device,
        position: fields.position)
    }
  }
}

/// The AWARE tables of one phone.
private struct AwareTables {
  var source: RecordingReference.Source
  var chargingColumn: RecordingReference.ChargingColumn
  var device: String?
}

extension AwareTables {
  fileprivate var battery: String? { if case .aware(let battery, _) = source { battery } else { nil } }
  fileprivate var screen: String? { if case .aware(_, let screen) = source { screen } else { nil } }

  /// Nil for a recording of another kind.
  fileprivate init?(_ recording: RecordingReference) {
    guard case .aware = recording.source else { return nil }
    self.init(
      source: recording.source, chargingColumn: recording.chargingColumn, device: recording.recordedDevice)
  }
}

extension Format<AwareTables> {
  fileprivate static var aware: Format {
    .object("Tables of the AWARE framework, as CSV files; one of the two may be missing") { fields in
      let battery = fields.optional("battery", .scalar(.file), "the battery table", from: \.battery)
      let screen = fields.optional("screen", .scalar(.file), "the screen table", from: \.screen)
      let column = fields.optional(
        "charging", .scalar(.chargingColumn), "which column tells that charging starts; adaptor if missing",
        from: \.chargingColumn)
      let device = fields.optional(
        "device", .scalar(.text), "of tables with several phones the one whose rows count", from: \.device)
      guard battery != nil || screen != nil else {
        if !fields.isPresent("battery"), !fields.isPresent("screen") {
          fields.error("'battery' or 'screen' is missing")
        }
        return nil
      }
      return AwareTables(
        source: .aware(battery: battery, screen: screen), chargingColumn: column ?? .adaptor, device: device)
    }
  }
}

extension Atom<RecordingReference.ChargingColumn> {
  fileprivate static var chargingColumn: Atom {
    .choice(
      "COLUMN", "adaptor or status", RecordingReference.ChargingColumn.allCases.map { ($0.rawValue, $0) })
  }
}
