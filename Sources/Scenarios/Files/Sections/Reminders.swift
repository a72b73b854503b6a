import CivilTime
import ReminderEngine
import ReminderMatching
import TextFormats
import TriggerModel

/// A reminder before its name is known: the name is the key under which it stands.
struct ReminderBody {
  var triggers: [Trigger]
  var conditions: [Condition]
  var withdrawals: [FactCondition] = []
  var repeats: Repeat
  var expires: Instant
  var isMadeLater = false
  var notification: NotificationBody

  /// The fact from which its schedule counts its days.
  var countsFrom: String? { triggers.lazy.compactMap(\.countsFrom).first }

  func declaration(id: String) -> ReminderDeclaration {
    ReminderDeclaration(
      id: id, triggers: triggers, conditions: conditions, withdrawals: withdrawals, repeats: repeats,
      expires: expires, isMadeLater: isMadeLater,
      notification: NotificationDeclaration(
        type: notification.type ?? ReminderName.template(of: id), bucket: notification.bucket,
        criticalConditions: notification.criticalConditions, priority: notification.priority,
        copy: notification.copy, link: notification.link, usefulFor: notification.usefulFor,
        event: notification.event, actions: notification.actions, attachment: notification.attachment))
  }
}

extension ReminderBody {
  init(_ declaration: ReminderDeclaration) {
    let notification = declaration.notification
    self.init(
      triggers: declaration.triggers, conditions: declaration.conditions,
      withdrawals: declaration.withdrawals, repeats: declaration.repeats, expires: declaration.expires,
      isMadeLater: declaration.isMadeLater,
      notification: NotificationBody(
        type: notification.type, bucket: notification.bucket,
        criticalConditions: notification.criticalConditions, priority: notification.priority,
        copy: notification.copy, link: notification.link, usefulFor: notification.usefulFor,
        event: notification.event, actions: notification.actions, attachment: notification.attachment))
  }
}

struct NotificationBody {
  var type: String?
  var bucket = Bucket.standard
  var criticalConditions: [FactCondition] = []
  var priority: UInt8 = 100
  var copy: [NotificationDeclaration.Copy] = []
  var link = ""
  var usefulFor: TimeSpan?
  var event: String?
  var actions: [NotificationAction] = []
  var attachment: NotificationAttachment?
}

extension Format<ReminderBody> {
  /// A sentence, or a mapping.
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
      "A reminder: any of its triggers makes the engine look, all of its conditions must hold then",
      keepsFormats: true
    ) {
      fields in
      _ = fields.optional(
        "for", .eachItem,
        "each KIND: a template, of which there is one reminder for each item of that kind, named 'water for basil'; "
          + "it speaks of 'plant.watered' in conditions and of '{plant}' in texts; what stands under 'water for basil' "
          + "itself changes that one", from: { _ in nil })
      let located = fields.required(
        "when", .oneOrMore(of: .located(.trigger)),
        "what makes the engine look: a trigger, or a list of which any suffices",
        from: { $0.triggers.map { Located($0, at: .start) } })
      let conditions = fields.optional(
        "if", .oneOrMore(of: .condition),
        "what must hold at that moment: a condition, or a list of which all must hold",
        from: { $0.conditions.unlessEmpty })
      let withdrawals = fields.optional(
        "withdraw", .oneOrMore(of: .factSentence),
        "comparisons of facts: as soon as one holds, what is held or pending is taken back",
        from: { $0.withdrawals.unlessEmpty })
      let repeats = fields.optional(
        "repeat", .scalar(.repeats),
        "how often it may fire: once, daily, weekly, monthly or always; if missing, always for recurring schedules "
          + "and once for everything else", from: \.repeats)
      let expires = fields.optional(
        "expires", .scalar(.dateTime), "from this local date and time on it is expired",
        from: { reminder in
          reminder.expires == .distantFuture ? nil : fields.writer.map { $0.local(reminder.expires) }
        })
      let isMadeLater = fields.optional(
        "exists", .scalar(.choice("EXISTS", "later", [("later", true)])),
        "later: it exists only from 'create NAME' on, which the time line says; from the start if missing",
        from: { $0.isMadeLater ? true : nil })
      let notification = fields.required(
        "notify", .notification, "what it shows: a title, or a mapping", from: \.notification)
      if let located { refuseSecondTime(located, fields.reader) }
      let triggers = located.map { $0.map(\.value) }
      if let triggers, triggers.count > 1, Set(triggers).count < triggers.count {
        fields.error("the same trigger twice", at: "when", hint: "keep one of them")
      }
      guard let triggers, let notification else { return nil }
      check(triggers, repeats, hasEnd: expires != nil, isConditional: conditions != nil, fields)
      let end = expires.flatMap { local in fields.reader?.startZone?.instant(of: local.localTime) }
      return ReminderBody(
        triggers: triggers, conditions: conditions ?? [], withdrawals: withdrawals ?? [],
        repeats: repeats ?? .usual(for: triggers),
        expires: end ?? .distantFuture, isMadeLater: isMadeLater ?? false, notification: notification)
    }
  }

  /// A reminder has one schedule, and events beside it.
  private static func refuseSecondTime(_ triggers: [Located<Trigger>], _ reader: Reader?) {
    let times = triggers.filter(\.value.isTime)
    guard let first = times.first, let second = times.first(where: { $0.value != first.value }) else {
      return
    }
    reader?.error(
      "a second schedule beside that in line \(first.position.line)", at: second.position,
      hint: "declare a reminder for each, or list the times of a day in one: 'every day 08:00, 20:00'")
  }

  /// What the system repeats by itself it repeats always, and whatever becomes of conditions.
  private static func check(
    _ triggers: [Trigger], _ repeats: Repeat?, hasEnd: Bool, isConditional: Bool,
    _ fields: Fields<ReminderBody>
  ) {
    guard triggers.contains(where: { if case .repeating = $0 { true } else { false } }) else { return }
    if let repeats, repeats != .always {
      fields.error(
        "what the system repeats fires at every occurrence", at: "repeat",
        hint: "leave out 'repeat', or write 'repeat: always'")
    }
    if triggers.contains(where: { !$0.isTime }), repeats != .always {
      fields.error(
        "what the system repeats fires at every occurrence", at: "when",
        hint: "write 'repeat: always', or declare a reminder for each trigger")
    }
    if hasEnd {
      fields.error(
        "what the system repeats has no end: it knows of no expiry", at: "expires",
        hint: "leave it out, or hand occurrences over one by one, such as 'ahead 5'")
    }
    if isConditional {
      fields.reader?.warning(
        "conditions are asked once, when the request is handed over: they keep no single occurrence back",
        at: fields.position(of: "if"),
        hint: "'withdraw' takes the whole request back for as long as it holds; 'ahead 5' asks for each")
    }
  }
}

extension Atom<Repeat> {
  fileprivate static var repeats: Atom {
    .choice(
      "REPEAT", "once, daily, weekly, monthly or always",
      [("once", .once), ("daily", .daily), ("weekly", .weekly), ("monthly", .monthly), ("always", .always)])
  }
}

extension NotificationBody {
  /// The texts when there is one stage alone.
  fileprivate var onlyCopy: NotificationDeclaration.Copy? { copy.count == 1 ? copy[0] : nil }
}

extension Format<NotificationBody> {
  /// A title, or a mapping.
  fileprivate static var notification: Format {
    Format.short(
      .readOnly(
        schema: Format<String>.scalar(.text).schema,
        read: { node, reader in
          Format<String>.scalar(.text).read(node, reader).map { NotificationBody(copy: [.init(title: $0)]) }
        }),
      orLong: long)
  }

  private static var long: Format {
    .object("What a reminder shows, and what its caps count it as", keepsFormats: true) { fields in
      let title = fields.optional(
        "title", .scalar(.text), "the first line", from: { $0.onlyCopy?.title })
      let body = fields.optional(
        "body", .scalar(.text), "the text below it", from: { $0.onlyCopy?.body.unlessEmpty })
      let copy = fields.optional(
        "stages", .list(of: .copy, minimum: 1),
        "texts by stage: the n-th request shows the n-th, later ones the last",
        from: { $0.onlyCopy == nil ? $0.copy : nil })
      let link = fields.optional(
        "link", .scalar(.text), "where a tap leads, such as app://action/list",
        from: { $0.link.unlessEmpty })
      let bucket = fields.optional(
        "bucket", .scalar(.bucket), "which caps it answers to; standard if missing", from: \.bucket)
      let criticalConditions = fields.optional(
        "criticalIf", .oneOrMore(of: .factSentence),
        "comparisons of facts: when all of them hold, its bucket is critical instead",
        from: { $0.criticalConditions.unlessEmpty })
      let type = fields.optional(
        "type", .scalar(.newName), "what the per-type caps count; the reminder's own name if missing",
        from: \.type)
      let priority = fields.optional(
        "priority", .scalar(.count(0...255)),
        "0 is served first among the requests of one instant, of equal ones the type first in the alphabet; 100 if "
          + "missing", from: { Int($0.priority) })
      let usefulFor = fields.optional(
        "usefulFor", .scalar(.duration), "for how long after the match it is of use; always if missing",
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
        "a file that it shows, and its size: a system may refuse what is too large", from: \.attachment)
      fields.exactlyOne(of: ["title", "stages"])
      if criticalConditions != nil, bucket == .critical {
        fields.error(
          "'criticalIf' says nothing: the bucket is critical already", at: "criticalIf",
          hint: "leave out one of the two")
      }
      if body != nil, title == nil { fields.error("'body' needs 'title'", at: "body") }
      let texts = copy ?? title.map { [.init(title: $0, body: body ?? "")] }
      guard let texts else { return nil }
      return NotificationBody(
        type: type, bucket: bucket ?? .standard, criticalConditions: criticalConditions ?? [],
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
      let title = fields.required("title", .scalar(.text), "the first line", from: \.title)
      let body = fields.optional(
        "body", .scalar(.text), "the text below it", from: { $0.body.unlessEmpty })
      return title.map { NotificationDeclaration.Copy(title: $0, body: body ?? "") }
    }
  }
}

extension Atom<Bucket> {
  static var bucket: Atom {
    .choice(
      "BUCKET", "standard, critical or user",
      [("standard", .standard), ("critical", .critical), ("user", .user)])
  }
}
