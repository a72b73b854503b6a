import CivilTime
import ReminderEngine
import ReminderMatching
import ScenarioModel
package import TextFormats
package import TriggerModel

extension ReminderDeclaration {
  /// Returns the declaration with its name, which is the key in the file. By default, the template part of
  /// the name is the notification type.
  func named(_ id: String) -> ReminderDeclaration {
    var named = self
    named.id = id
    if notification.type.isEmpty { named.notification.type = ReminderName.template(of: id) }
    return named
  }
}

extension Format<ReminderDeclaration> {
  /// A reminder as a sentence or a mapping.
  static var reminder: Format {
    let long = long
    let sentence = Format.readOnly(
      schema: { _ in ReminderSentences.schema },
      read: { node, reader in
        ReminderSentences.mapping(node, reader).flatMap { long.read($0, reader) }
      })
    return Format.short(sentence, orLong: long).named("reminder")
  }

  private static var long: Format {
    Format.object(
      "A reminder: any of its triggers makes the engine evaluate it, and all of its conditions must hold",
      keepsFormats: true
    ) {
      fields in
      _ = fields.optional(
        "for", .eachItem,
        "each KIND: a template that makes one reminder for each item of that kind, named 'water for basil'; "
          + "it uses 'plant.watered' in conditions and '{plant}' in texts; an entry 'water for basil' "
          + "changes only that one", from: { _ in nil })
      let located = fields.required(
        "when", .oneOrMore(of: .located(.trigger)),
        "what makes the engine evaluate it: a trigger, or a list of alternatives",
        from: { $0.triggers.map { Located($0, at: .start) } })
      let conditions = fields.optional(
        "if", .oneOrMore(of: .condition),
        "what must hold at that moment: a condition, or a list of conditions that must all hold",
        from: { $0.conditions.unlessEmpty })
      let withdrawals = fields.optional(
        "withdraw", .oneOrMore(of: .factSentence),
        "comparisons of facts: as soon as one holds, deferred and pending requests are withdrawn",
        from: { $0.withdrawals.unlessEmpty })
      let repeats = fields.optional(
        "repeat",
        .scalar(
          .choice(
            "REPEAT", "once, daily, weekly, monthly or always",
            [
              ("once", .once), ("daily", .daily), ("weekly", .weekly), ("monthly", .monthly),
              ("always", .always),
            ])),
        "how often it may fire: once, always, or at most once per calendar day, calendar week or calendar month "
          + "(daily, weekly, monthly); if missing, always for recurring schedules and once for everything else",
        from: \.repeats)
      let expires = fields.optional(
        "expires", .scalar(.dateTime), "the local date and time at which it expires",
        from: { reminder in
          reminder.expires == .distantFuture ? nil : fields.writer.map { $0.local(reminder.expires) }
        })
      let isCreatedLater = fields.optional(
        "exists", .scalar(.choice("EXISTS", "later", [("later", true)])),
        "later: it exists only after 'create NAME' in the time line; from the start if missing",
        from: { $0.isCreatedLater ? true : nil })
      let notification = fields.required(
        "notify", .notification, "what it shows: a title, or a mapping", from: \.notification)
      if let located { refuseSecondTime(located, fields.reader) }
      let triggers = located.map { $0.map(\.value) }
      if let triggers, triggers.count > 1, Set(triggers).count < triggers.count {
        fields.error("the same trigger twice", at: "when", hint: "keep one of them")
      }
      guard let triggers, let notification else { return nil }
      check(triggers, repeats, hasEnd: expires != nil, isConditional: conditions != nil, fields)
      let implied = missingPlaces(triggers, conditions ?? [], fields)
      let end = expires.flatMap { local in fields.reader?.scenario.startZone?.instant(of: local.localTime) }
      return ReminderDeclaration(
        id: "", triggers: triggers,
        conditions: implied.isEmpty ? conditions ?? [] : (conditions ?? []) + implied,
        withdrawals: withdrawals ?? [],
        repeats: repeats ?? .usual(for: triggers), expires: end ?? .distantFuture,
        isCreatedLater: isCreatedLater ?? false, notification: notification)
    }
  }

  /// Returns the conditions that a schedule after the fact `PLACE.entered` implies. The app watches only the
  /// places that triggers and conditions name.
  private static func missingPlaces(
    _ triggers: [Trigger], _ conditions: [Condition], _ fields: Fields<ReminderDeclaration>
  ) -> [Condition] {
    guard let fact = triggers.compactMap(\.countsFrom).first,
      let place = fields.reader?.names.places.all.first(where: { Place.entered($0) == fact }),
      !conditions.contains(.inside(place))
    else { return [] }
    if triggers.count > 1 {
      fields.error(
        "a stay and another trigger", at: "when", hint: "declare a reminder for each")
    }
    return [.inside(place)]
  }

  /// Reports a second schedule. A reminder may have several event triggers, but only one schedule.
  private static func refuseSecondTime(_ triggers: [Located<Trigger>], _ reader: Reader?) {
    let times = triggers.filter(\.value.isTime)
    guard let first = times.first, let second = times.first(where: { $0.value != first.value }) else {
      return
    }
    reader?.error(
      "a second schedule, after the one in line \(first.position.line)", at: second.position,
      hint: "declare a reminder for each, or list the times of a day in one: 'every day 08:00, 20:00'")
  }

  /// Reports keys that contradict a repeating request, which the system fires at every occurrence without
  /// evaluating conditions.
  private static func check(
    _ triggers: [Trigger], _ repeats: Repeat?, hasEnd: Bool, isConditional: Bool,
    _ fields: Fields<ReminderDeclaration>
  ) {
    guard triggers.contains(where: { if case .repeating = $0 { true } else { false } }) else { return }
    if let repeats, repeats != .always {
      fields.error(
        "'repeat' cannot limit this schedule: the system repeats it, so it fires at every occurrence",
        at: "repeat",
        hint: "leave out 'repeat', or write 'repeat: always'")
    }
    if triggers.contains(where: { !$0.isTime }), repeats != .always {
      fields.error(
        "a schedule repeated by the system cannot be limited: it fires at every occurrence",
        at: "when",
        hint: "write 'repeat: always', or declare a reminder for each trigger")
    }
    if hasEnd {
      fields.error(
        "a schedule that the system repeats cannot expire", at: "expires",
        hint: "leave it out, or schedule single occurrences in advance, for example 'ahead 5'")
    }
    if isConditional {
      fields.reader?.warning(
        "conditions are evaluated when the app observes a change, and not for each occurrence",
        at: fields.position(of: "if"), hint: "'ahead 5' evaluates each occurrence")
    }
  }
}

extension NotificationDeclaration {
  /// The texts of the notification if it has only one stage; otherwise, `nil`.
  fileprivate var onlyCopy: NotificationDeclaration.Copy? { copy.count == 1 ? copy[0] : nil }
}

extension Format<NotificationDeclaration> {
  /// A notification as a title or a mapping.
  fileprivate static var notification: Format {
    let title = Format<String>.shownText
    return Format.short(
      .readOnly(
        schema: title.schema,
        read: { node, reader in
          title.read(node, reader).map { NotificationDeclaration(type: "", copy: [.init(title: $0)]) }
        }),
      orLong: long)
  }

  private static var long: Format {
    .object("What a reminder shows, and how caps count it", keepsFormats: true) { fields in
      let title = fields.optional(
        "title", .shownText, "the first line; {FACT} shows a fact", from: { $0.onlyCopy?.title })
      let body = fields.optional(
        "body", .shownText, "the text below it; {FACT} shows a fact", from: { $0.onlyCopy?.body.unlessEmpty })
      let copy = fields.optional(
        "stages", .list(of: .copy, minimum: 1),
        "texts by stage: the n-th request shows the n-th, later ones the last",
        from: { $0.onlyCopy == nil ? $0.copy : nil })
      let link = fields.optional(
        "link", .constantText, "where a tap leads, such as app://action/list",
        from: { $0.link.unlessEmpty })
      let bucket = fields.optional(
        "bucket",
        .scalar(
          .choice(
            "BUCKET", "standard, critical or user",
            [("standard", .standard), ("critical", .critical), ("user", .user)])),
        "the bucket, which determines its caps; standard if missing",
        from: \.bucket)
      let criticalConditions = fields.optional(
        "criticalIf", .oneOrMore(of: .factSentence),
        "comparisons of facts: when all of them hold, its bucket is critical instead",
        from: { $0.criticalConditions.unlessEmpty })
      let type = fields.optional(
        "type", .scalar(.newName),
        "the type, which the caps per type count; the reminder's own name if missing",
        from: \.type)
      let priority = fields.optional(
        "priority", .scalar(.count(0...255)),
        "the order among requests of one instant: 0 is first, equal ones are in the alphabetical order of types; 100 if "
          + "missing", from: { Int($0.priority) })
      let usefulFor = fields.optional(
        "usefulFor", .scalar(.duration), "how long after the match it is useful; always if missing",
        from: \.usefulFor)
      let event = fields.optional(
        "event", .scalar(.eventName),
        "its name in analytics events, such as nutrition_gap; the type in snake case if missing",
        from: \.event)
      let actions = fields.optional(
        "actions", .oneOrMore(of: .scalar(.notificationAction)),
        "what the person can do on it without opening the app: done, or snooze and a length",
        from: { $0.actions.unlessEmpty })
      let attachment = fields.optional(
        "attachment", .scalar(.attachment),
        "a file that it shows, and its size; a system may refuse files that are too large", from: \.attachment
      )
      fields.exactlyOne(of: ["title", "stages"])
      if criticalConditions != nil, bucket == .critical {
        fields.error(
          "'criticalIf' has no effect: the bucket is critical already", at: "criticalIf",
          hint: "leave out one of the two")
      }
      if body != nil, title == nil { fields.error("'body' needs 'title'", at: "body") }
      let texts = copy ?? title.map { [.init(title: $0, body: body ?? "")] }
      guard let texts else { return nil }
      return NotificationDeclaration(
        type: type ?? "", bucket: bucket ?? .standard, criticalConditions: criticalConditions ?? [],
        priority: UInt8(priority ?? 100), copy: texts, link: link ?? "", usefulFor: usefulFor,
        event: event, actions: actions ?? [], attachment: attachment)
    }
  }
}

extension Atom<String> {
  fileprivate static var eventName: Atom {
    .simple(
      "EVENT", "a name in snake case such as nutrition_gap", pattern: "[a-z][a-z0-9]*(?:_[a-z0-9]+)*",
      write: { name, _ in .string(name) }
    ) { text in
      let parts = text.split(separator: "_", omittingEmptySubsequences: false)
      let isPlain = text.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "_")
      }
      return isPlain && text.first?.isLetter == true && !parts.contains("") ? text : nil
    }
  }
}

extension Format<NotificationDeclaration.Copy> {
  fileprivate static var copy: Format {
    .object("The texts of one stage", keepsFormats: true) { fields in
      let title = fields.required("title", .shownText, "the first line; {FACT} shows a fact", from: \.title)
      let body = fields.optional(
        "body", .shownText, "the text below it; {FACT} shows a fact", from: { $0.body.unlessEmpty })
      return title.map { NotificationDeclaration.Copy(title: $0, body: body ?? "") }
    }
  }
}

extension Atom<NotificationAttachment> {
  /// The kind and the size of an attachment, such as `image 800 KB` or `movie 60 MB`.
  package static var attachment: Atom<NotificationAttachment> {
    .simple(
      "ATTACHMENT", "image, audio or movie and a size, such as image 800 KB or movie 60 MB",
      pattern: #"(?:image|audio|movie) +\d+ +(?:KB|MB)"#,
      write: { attachment, _ in .string(attachment.words) }
    ) { text in
      let words = text.split(separator: " ")
      guard words.count == 3, words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let size = Int(words[1]), (1...1_000_000).contains(size),
        let kind = NotificationAttachment.Kind.allCases.first(where: { $0.name == words[0] })
      else { return nil }
      switch words[2] {
      case "KB": return NotificationAttachment(kind: kind, kilobytes: size)
      case "MB": return NotificationAttachment(kind: kind, kilobytes: size * 1_024)
      default: return nil
      }
    }
  }
}

extension Declarations {
  /// Warns about schedules whose last date is before the scenario's start, because they never fire. Does not
  /// warn if an expectation is about a list, where single dates are probably meant to be overdue.
  static func warnOfPastDates(
    _ reminders: [DeclaredReminder], startingAt start: CivilDate, _ expectations: [Expectation],
    _ reader: Reader
  ) {
    for case .view in expectations.map(\.claim) { return }
    for reminder in reminders {
      for case .scheduled(let schedule) in reminder.declaration.triggers {
        guard case .recurring(let dates) = schedule.dates,
          let last = dates.frequency == .once ? dates.start : dates.until, last < start
        else {
          continue
        }
        let isScheduled = dates.frequency == .once ? "is scheduled for" : "ends on"
        reader.warning(
          "'\(reminder.declaration.id)' \(isScheduled) \(last.iso8601), before the story begins, so it never fires",
          at: reminder.position,
          hint: "write a later date, or expect what a list shows of it, such as 'upcoming … shows "
            + "\(reminder.declaration.id) overdue'")
      }
    }
  }
}
