import CivilTime
package import ScenarioModel
package import TextFormats
import TriggerModel

/// One item of a time line as it is written: when, and what.
package struct TimelineItem {
  enum Content {
    case actions([TimelineAction])
    case recording(RecordingReference)
  }

  /// nil only for recordings: at the times that they themselves give.
  var when: When?
  var content: Content
  /// On which device: the position of its name.
  var device: UInt8 = 0

  /// What happens; nothing where a recording says it.
  package var actions: [TimelineAction] { if case .actions(let actions) = content { actions } else { [] } }
}

extension Format<TimelineItem> {
  /// `08:10 unlock`, or a mapping.
  package static var timelineItem: Format<TimelineItem> {
    Format.short(sentence, orLong: long).named("timelineEntry")
  }

  private static var sentence: Format {
    let actions = Grammar<[TimelineAction]>.actions
    return .readOnly(
      schema: { _ in
        [
          "type": "string",
          "description": .string(
            "When and what: '08:10 unlock', 'next day 07:00 unplug', 'day 3 18:30 enter shop', '+1h30m lock', "
              + "'every weekday 17:30 plug in', 'every 15 min from 08:00 until 20:00 unlock', "
              + "'on tablet 10:00 open' for another device than the phone. "
              + actions.waysToSayIt),
          "pattern": .string(
            "^(?:on +(?:\(Atom<UInt8>.device.pattern)) +)?\(When.pattern) +(?:\(actions.pattern))$"),
        ]
      },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected an entry such as '08:10 unlock', not \(node.kindName)", at: node.position)
          return nil
        }
        var words = Words(text, of: node).joiningReminders(reader)
        var device: UInt8 = 0
        if words.take("on"), let name = words.next() {
          guard let named = Atom<UInt8>.device.parse(name, reader) else { return nil }
          device = named
        }
        guard let when = When.take(from: &words, reader) else { return nil }
        if let half = words.first, ["am", "pm"].contains(half.text.lowercased()) {
          reader.error(
            "'\(half.text)' follows a time", at: half.position, hint: "times have 24 hours, such as 17:40")
          return nil
        }
        guard !words.isEmpty else {
          reader.error(
            "an action is missing behind the time", at: node.position, hint: "such as '08:10 unlock'")
          return nil
        }
        return actions.parse(words, reader).map {
          TimelineItem(when: when, content: .actions($0), device: device)
        }
      })
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
  /// The long form's keys for it; nil when they are missing or wrong.
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
      "until", .scalar(.date), "the first date that no longer belongs to it",
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
    /// No file can say it.
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
        // In the long form a duration may have spaces, since nothing follows it.
        let spaced = text.hasPrefix("+") ? text.filter { $0 != " " } : text
        var words = Words(spaced, of: node)
        guard let when = When.take(from: &words, reader) else { return nil }
        guard words.isEmpty else {
          reader.error(
            "unexpected '\(words.joined.text)'", at: words.position, hint: "actions stand under 'do'")
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
