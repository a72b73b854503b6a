package import TextFormats
import TriggerModel

/// The JSON Schemas for lines of the wire form, derived from the rows that read and write those lines.
///
/// A schema accepts any string as a name, because the names depend on the scenario.
package enum JournalSchema {
  /// A line of a journal file, including its header and its end.
  package static var journal: JSONValue {
    document(
      "A line of a journal of TriggerBench", [header, end] + Track.allCases.flatMap { rows($0, .journal) })
  }

  /// A line of a time line or of a recording.
  package static var timeLine: JSONValue {
    document("A line of a time line of TriggerBench", [position] + rows(.happened, .timeLine))
  }

  /// A line with an effect, which an engine in another process writes.
  package static var effects: JSONValue {
    document("An effect of an engine under TriggerBench", rows(.effect, .effects))
  }

  private typealias Track = JournalRecord.Body.Track

  private enum Form {
    case journal, timeLine, effects
  }

  private static func document(_ title: String, _ lines: [JSONValue]) -> JSONValue {
    [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title),
      "anyOf": .array(lines), "$defs": definitions,
    ]
  }

  // MARK: Lines

  private static var header: JSONValue {
    object([
      .init(key: "form", schema: ["const": .string(JournalHeader.form)], isRequired: true),
      .init(key: "version", schema: ["const": .integer(JournalHeader.version)], isRequired: true),
      text("tool"), text("scenario"), text("file"), whole("seed"), text("profile"), text("engine"),
    ])
  }

  private static var end: JSONValue {
    object([
      .init(key: "form", schema: ["const": .string(JournalEnd.form)], isRequired: true), whole("records"),
    ])
  }

  /// The short form of a fix.
  private static var position: JSONValue {
    func degrees(_ limit: Int) -> JSONValue {
      ["type": "number", "minimum": .integer(-limit), "maximum": .integer(limit)]
    }
    return object([
      time("t", true), .init(key: "lat", schema: degrees(90), isRequired: true),
      .init(key: "lon", schema: degrees(180), isRequired: true),
      .init(key: "accuracy", schema: ["type": "number", "minimum": 0], isRequired: false),
    ])
  }

  /// Returns the schemas of a track's rows, one for each variant of each row.
  private static func rows(_ track: Track, _ form: Form) -> [JSONValue] {
    let coder = SchemaCoder.stamp
    return track.words.names.indices.flatMap { word -> [JSONValue] in
      guard let row = JournalRecord.Body(track, row: UInt8(word), at: coder) else { return [] }
      return SchemaCoder.variants(of: row).map { fields in
        object(
          [
            .init(key: "track", schema: ["const": .string("\(track)")], isRequired: form == .journal),
            event(track.words.names[word]),
          ] + stamp(form) + fields
            + (form == .timeLine ? [whole("line", isRequired: false)] : []))
      }
    }
  }

  private static func event(_ word: String) -> SchemaCoder.Field {
    .init(key: "event", schema: ["const": .string(word)], isRequired: true)
  }

  private static func stamp(_ form: Form) -> [SchemaCoder.Field] {
    let isWhole = form == .journal
    return [
      time("t", form != .effects), time("wall", isWhole), text("zone", isRequired: isWhole),
      whole("boot", isRequired: isWhole), whole("uptime", isRequired: isWhole),
      whole("person", isRequired: isWhole), text("device", isRequired: isWhole),
    ]
  }

  /// Returns all keys that a row may have.
  static func keys(_ track: JournalRecord.Body.Track, _ word: UInt8) -> [String] {
    guard let row = JournalRecord.Body(track, row: word, at: SchemaCoder.stamp) else { return [] }
    return ["track", "event", "line"] + stamp(.journal).map(\.key)
      + SchemaCoder.variants(of: row).flatMap { $0.map(\.key) }
  }

  // MARK: Parts

  private static var definitions: JSONValue {
    let pattern =
      #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)$"#
    let iso: JSONValue = ["type": "string", "pattern": .string(pattern)]
    let milliseconds: JSONValue = ["type": "integer"]
    let rows = ObservedEvent.Kind.allCases.flatMap { kind in
      SchemaCoder.variants { coder in
        _ = ObservedEvent(row: kind, at: SchemaCoder.stamp).coded(by: &coder)
      }.map { fields in
        object(
          [event("\(kind)")] + fields + [
            time("wall", false), text("zone", isRequired: false), whole("boot", isRequired: false),
            whole("uptime", isRequired: false),
          ])
      }
    }
    return [
      "cause": ["anyOf": .array(rows)], "instant": ["anyOf": [iso, milliseconds]],
      "instantOrNull": ["anyOf": [iso, milliseconds, ["type": "null"]]],
    ]
  }

  private static func time(_ key: String, _ isRequired: Bool) -> SchemaCoder.Field {
    .init(key: key, schema: .reference("instant"), isRequired: isRequired)
  }

  private static func text(_ key: String, isRequired: Bool = true) -> SchemaCoder.Field {
    .init(key: key, schema: ["type": "string"], isRequired: isRequired)
  }

  private static func whole(_ key: String, isRequired: Bool = true) -> SchemaCoder.Field {
    .init(key: key, schema: ["type": "integer", "minimum": 0], isRequired: isRequired)
  }

  private static func object(_ fields: [SchemaCoder.Field]) -> JSONValue {
    [
      "type": "object",
      "properties": .object(fields.map { .init($0.key, $0.schema) }),
      "required": .array(fields.filter(\.isRequired).map { .string($0.key) }),
      "additionalProperties": false,
    ]
  }
}

extension SchemaCoder {
  /// A placeholder stamp, for creating rows.
  static let stamp = Moment(
    wall: Instant(millisecondsSince1970: 0), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
}

extension SchemaCoder.Field {
  fileprivate init(key: String, schema: JSONValue, isRequired: Bool) {
    self.init(key: key, schema: schema, isRequired: isRequired, variant: nil)
  }
}
