import CivilTime
package import ScenarioModel
package import TextFormats
import TriggerModel

/// An entry of a time line, as declared in the file.
package struct TimelineItem {
  enum Content {
    case actions([TimelineAction])
    case recording(RecordingReference)
  }

  /// The time of the entry, or `nil` for a recording that keeps its own times.
  var when: When?
  var content: Content
  /// The index of the device. The phone has index 0.
  var device: UInt8 = 0

  /// The actions, or an empty array if the entry plays a recording.
  package var actions: [TimelineAction] { if case .actions(let actions) = content { actions } else { [] } }
}

extension Format<TimelineItem> {
  /// An entry of the time line: a sentence such as `08:10 unlock`, or a mapping.
  package static var timelineItem: Format<TimelineItem> {
    Format.short(sentence, orLong: long).named("timelineEntry")
  }

  private static var sentence: Format {
    let actions = Grammar<[TimelineAction]>.actions
    return .shortForm(
      "an entry such as '08:10 unlock'",
      schema: [
        "type": "string",
        "description": .string(
          "When and what: '08:10 unlock', 'next day 07:00 unplug', 'day 3 18:30 enter shop', '+1h30m lock', "
            + "'every weekday 17:30 plug in', 'every 15 min from 08:00 until 20:00 unlock', "
            + "'on tablet 10:00 open' for another device than the phone. "
            + actions.waysToSayIt),
        "pattern": .string(
          "^(?:on +(?:\(Atom<UInt8>.device.pattern)) +)?\(When.pattern) +(?:\(actions.pattern))$"),
      ]
    ) { words, node, reader in
      var words = words.joiningReminders(reader)
      var device: UInt8 = 0
      if words.take("on"), let name = words.next() {
        guard let named = Atom<UInt8>.device.parse(name, reader) else { return nil }
        device = named
      }
      guard let when = When.take(from: &words, reader) else { return nil }
      if let half = words.first, ["am", "pm"].contains(half.text.lowercased()) {
        reader.error(
          "times take no '\(half.text)'", at: half.position, hint: "use 24-hour times, such as 17:40")
        return nil
      }
      guard !words.isEmpty else {
        reader.error("an action is missing after the time", at: node.position, hint: "such as '08:10 unlock'")
        return nil
      }
      let read = reader.read(words, as: actions.meaning, in: .timeline) {
        actions.parse($0.joiningReminders(reader), reader)
      }
      return read.map {
        TimelineItem(when: when, content: .actions($0), device: device)
      }
    }
  }

  private static var long: Format {
    .object("An entry of the time line: when, and what happens or which recording is played") { fields in
      let device = fields.optional(
        "on", .scalar(.device), "the device; the phone if missing", from: { $0.device == 0 ? nil : $0.device }
      )
      let when = When.read(fields)
      let actions = fields.optional(
        "do", .oneOrMore(of: .actions), "what happens, one after the other",
        from: { if case .actions(let actions) = $0.content { actions.map { [$0] } } else { nil } })
      let recording = RecordingReference.read(fields)
      let kind = fields.exactlyOne(of: ["do"] + RecordingReference.kinds)
      if kind == "do", when == nil, !fields.isPresent("at"), !fields.isPresent("every") {
        fields.error("'at' or 'every' is missing", hint: "such as 'at: 08:10'")
      }
      if let actions {
        return when.map {
          TimelineItem(when: $0, content: .actions(actions.flatMap(\.self)), device: device ?? 0)
        }
      }
      return recording.map {
        TimelineItem(when: when, content: .recording($0), device: device ?? 0)
      }
    }
  }
}

extension When {
  /// Reads the keys for the time. Returns `nil` if they are missing or invalid.
  fileprivate static func read(_ fields: Fields<TimelineItem>) -> When? {
    let at = fields.optional(
      "at", .when, "when: a time, a date and a time, 'next day 07:00', or an offset such as +1h30m",
      from: { item in item.when.flatMap { $0.text == nil ? nil : $0 } })
    let every = fields.optional(
      "every", .every, "how often: days, or a duration", from: { $0.repetition.map(Every.init) })
    let window = fields.optional(
      "during", .repetitionWindow, "with a duration: the part of the day, such as 08:00-20:00",
      from: { $0.repetition?.spread?.window })
    let weekdays = fields.optional(
      "weekdays", .scalar(.days), "with a duration: on which days",
      from: { $0.repetition.flatMap { $0.onlyTime == nil && $0.weekdays != .all ? $0.weekdays : nil } })
    let from = fields.optional(
      "from", .scalar(.date), "the first date of a repetition", from: { $0.repetition?.from })
    let until = fields.optional(
      "until", .scalar(.date), "the first date after the repetition",
      from: { $0.repetition?.until })
    guard let every else {
      for key in ["during", "weekdays", "from", "until"]
      where fields.isPresent(key) && !fields.isPresent("every") {
        fields.error("'\(key)' needs 'every'", at: key)
      }
      return at
    }
    guard let reader = fields.reader else { return nil }
    var draft = RepetitionDraft(position: fields.position(of: "every"), from: from, until: until)
    switch every {
    case .days(let days):
      guard case .time(let time)? = at else {
        fields.error("'every' with days needs 'at' with a time of day", at: "every")
        return nil
      }
      draft.weekdays = days
      draft.time = time
    case .uneven: return nil
    case .step(let step):
      draft.step = step
      draft.weekdays = weekdays ?? .all
      draft.windowStart = window?.from
      draft.windowEnd = window?.to
    }
    return draft.repetition(reader).map { .repeated($0) }
  }

  fileprivate enum Every {
    case days(WeekdaySet)
    case step(TimeSpan)
    /// Times of day at uneven intervals, which a file cannot express.
    case uneven

    init(_ repetition: Repetition) {
      if case .elapsed(let step) = repetition.step {
        self = .step(step)
      } else if repetition.onlyTime != nil {
        self = .days(repetition.weekdays)
      } else {
        self = repetition.spread.map { .step($0.step) } ?? .uneven
      }
    }
  }
}

extension TimelineItem {
  fileprivate var repetition: Repetition? {
    if case .repeated(let repetition) = when { repetition } else { nil }
  }

  var recording: RecordingReference? {
    if case .recording(let recording) = content { recording } else { nil }
  }
}

extension Format<When> {
  fileprivate static var when: Format {
    Format(
      schema: { _ in ["not": ["type": ["object", "array"]], "pattern": .string("^\(When.instantPattern)$")] },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected a time, not \(node.kindName)", at: node.position)
          return nil
        }
        // The long form allows spaces in a duration. The short form does not, because other words follow the
        // duration.
        let spaced = text.hasPrefix("+") ? text.filter { $0 != " " } : text
        var words = Words(spaced, of: node)
        guard let when = When.take(from: &words, reader) else { return nil }
        guard words.isEmpty else {
          reader.error(
            "unexpected '\(words.joined.text)'", at: words.position, hint: "actions belong under 'do'")
          return nil
        }
        return when
      },
      write: { when, writer in
        if case .offset(let span) = when, span < .zero {
          return writer.problem("this is before the start of the scenario")
        }
        return .string(when.text ?? "")
      })
  }
}

extension Format<When.Every> {
  fileprivate static var every: Format {
    let days = Atom<WeekdaySet>.days
    let step = Atom<TimeSpan>.duration
    return Format(
      schema: { _ in ["type": "string", "pattern": .string("^(?:\(days.pattern)|\(step.pattern))$")] },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected days or a duration, not \(node.kindName)", at: node.position)
          return nil
        }
        let word = Word(text, at: node.position(ofScalar: 0))
        if text.first?.isNumber == true { return step.parse(word, reader).map { .step($0) } }
        return days.parse(word, reader).map { .days($0) }
      },
      write: { every, writer in
        switch every {
        case .days(let value): days.write(value, writer)
        case .step(let value): step.write(value, writer)
        case .uneven: writer.problem("the times of day are not evenly spread")
        }
      })
  }
}

/// Reads and writes an entry that plays a recording.
extension RecordingReference {
  /// The keys of the kinds of recordings. An entry that plays a recording has exactly one of them.
  static let kinds = ["gpx", "ndjson", "aware"]

  /// Reads all keys except `at` and `on`. Returns `nil` if there is no recording or a key is invalid.
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
      "with 'gpx' and 'ndjson': the maximum time between fixes that cross places; 12 h if missing",
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

/// The tables that AWARE recorded on one phone.
private struct AwareTables {
  var source: RecordingReference.Source
  var chargingColumn: RecordingReference.ChargingColumn
  var device: String?
}

extension AwareTables {
  fileprivate var battery: String? { if case .aware(let battery, _) = source { battery } else { nil } }
  fileprivate var screen: String? { if case .aware(_, let screen) = source { screen } else { nil } }

  /// Creates the tables of a recording, or returns `nil` for other kinds of recordings.
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
        "charging", .scalar(.oneCase("COLUMN", "adaptor or status", \.rawValue)),
        "the column that shows when charging starts; adaptor if missing",
        from: \.chargingColumn)
      let device = fields.optional(
        "device", .scalar(.text),
        "the ID of the phone whose rows are used, if the tables contain several phones",
        from: \.device)
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

/// The part of the day that contains the repetitions, in milliseconds after midnight.
struct RepetitionWindow {
  var from: Int32
  /// The end, or `nil` for midnight.
  var to: Int32?
}

extension Format<RepetitionWindow> {
  /// The part of the day: `08:00-20:00`, or a mapping with `from` and `to`.
  static var repetitionWindow: Format {
    .window(
      { RepetitionWindow(from: $0, to: $1) },
      orLong: .object("A part of every chosen day, half-open") { fields in
        let from = fields.required("from", .scalar(.timeOfDay), "the first time", from: \.from)
        let to = fields.optional(
          "to", .scalar(.timeOfDay), "the first time after the window; midnight if missing",
          from: \.to)
        return from.map { RepetitionWindow(from: $0, to: to) }
      })
  }
}
