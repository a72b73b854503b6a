import CivilTime
import DeviceSimulation
package import ScenarioModel
package import TextFormats
import TriggerModel

extension Format<[TimelineAction]> {
  /// What happens: a sentence, or a mapping with one key for what is done.
  package static var actions: Format<[TimelineAction]> {
    let long = Format<TimelineAction>.longAction
    return Format.short(
      sentence, orLong: long.map({ action, _, _ in [action] }, back: { actions, _ in actions[0] })
    ).named("action")
  }

  private static var sentence: Format {
    let grammar = Grammar<[TimelineAction]>.actions
    return .readOnly(
      schema: { _ in grammar.schema },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected \(grammar.meaning), not \(node.kindName)", at: node.position)
          return nil
        }
        return grammar.parse(Words(text, of: node).joiningReminders(reader), reader)
      })
  }
}

extension Format<TimelineAction> {
  fileprivate static var longAction: Format {
    .object("Something that happens to the phone, or that its user does") { fields in
      let choices =
        ownAppActions(fields) + phoneActions(fields) + switches(fields) + readingActions(fields)
        + systemSettings(fields) + reminderActions(fields) + settingsActions(fields) + AppActions.read(fields)
        + SubscriptionActions.read(fields) + SyncActions.read(fields) + PermissionActions.read(fields)
      fields.exactlyOne(of: choices.map(\.key))
      return choices.lazy.compactMap(\.action).first
    }
  }

  private static func phoneActions(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    let place = fields.optional(
      "fix", .scalar(.position), "a position [latitude, longitude], or a place's centre",
      from: { if case .fix(let place, _) = $0 { place } else { nil } })
    let accuracy = fields.optional(
      "accuracy", .scalar(.distance), "with 'fix': radius of the 68 % circle",
      from: { if case .fix(_, let accuracy) = $0, accuracy >= 0 { accuracy } else { nil } })
    if accuracy != nil, !fields.isPresent("fix") { fields.error("'accuracy' needs 'fix'", at: "accuracy") }
    return [
      (
        "event",
        fields.optional(
          "event", .scalar(.plainAction), "something that needs no name", from: { $0.isPlain ? $0 : nil })
      ),
      fields.event("travel", .zone, "the phone's new time zone", { .travel($0) }) {
        if case .travel(let zone) = $0 { zone } else { nil }
      },
      fields.event(
        "setClock", .signedDuration, "how far the wall clock is ahead from now on", { .setClock(ahead: $0) }
      ) { if case .setClock(let span) = $0 { span } else { nil } },
      fields.event("enter", .region, "a place, by decree", { .enterRegion($0) }) {
        if case .enterRegion(let place) = $0 { place } else { nil }
      },
      fields.event("exit", .region, "a place, by decree", { .exitRegion($0) }) {
        if case .exitRegion(let place) = $0 { place } else { nil }
      },
      ("fix", place.map { .fix($0, accuracy: accuracy ?? -1) }),
      fields.event("battery", .batteryLevel, "a level that is imposed", { .batteryLevel($0) }) {
        if case .batteryLevel(let level) = $0 { level } else { nil }
      },
    ]
  }

  /// What is on or off, or allowed.
  private static func switches(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    [
      fields.event("focus", .toggle, "whether a Focus is on", { .focus($0) }) {
        if case .focus(let isOn) = $0 { isOn } else { nil }
      },
      fields.event(
        "summary", .toggle, "whether the scheduled summary collects notifications", { .summary($0) }
      ) { if case .summary(let isOn) = $0 { isOn } else { nil } },
      fields.event("airplaneMode", .toggle, "whether airplane mode is on", { .airplaneMode($0) }) {
        if case .airplaneMode(let isOn) = $0 { isOn } else { nil }
      },
      fields.event(
        "backgroundRefresh", .toggle, "whether background refresh is on", { .backgroundRefresh($0) }
      ) { if case .backgroundRefresh(let isOn) = $0 { isOn } else { nil } },
      fields.event("lowPowerMode", .toggle, "whether low power mode is on", { .lowPowerMode($0) }) {
        if case .lowPowerMode(let isOn) = $0 { isOn } else { nil }
      },
      fields.event(
        "preciseLocation", .toggle, "whether our app may know the precise location", { .preciseLocation($0) }
      ) { if case .preciseLocation(let isOn) = $0 { isOn } else { nil } },
      fields.event(
        "notifications", .notificationPermission, "what the user allows our app to show",
        { .notificationPermission($0) }
      ) { if case .notificationPermission(let permission) = $0 { permission } else { nil } },
      fields.event(
        "location", .locationPermission, "what the user lets our app know of the place",
        { .locationPermission($0) }
      ) { if case .locationPermission(let permission) = $0 { permission } else { nil } },
    ]
  }

  private static func ownAppActions(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    let fact = fields.optional(
      "set", .scalar(.fact), "a fact that takes the value 'to'",
      from: { action in fields.writer.flatMap { Assignment.fact(of: action, $0) } })
    let value = fields.optional(
      "to", .word, "with 'set': the new value; with 'edit': the edit's name",
      from: { action in
        fields.writer.flatMap { Assignment.value(of: action, $0) ?? Edits.name(of: action, $0) }
      })
    let assignment = value.flatMap { value in
      fact.flatMap { fact in fields.reader.flatMap { Assignment.action(fact, value, $0) } }
    }
    if fact != nil, !fields.isPresent("to") { fields.error("'set' needs 'to'", at: "set") }
    return [
      ("set", assignment),
      fields.event(
        "forget", .factID, "a fact whose value is no longer known", { .fact($0, .missing) }
      ) { if case .fact(let fact, .missing) = $0 { fact } else { nil } },
      fields.event("openLink", .link, "a link into our app, not from a notification", { .openLink($0) }) {
        if case .openLink(let link) = $0 { link } else { nil }
      },
      fields.event(
        "delayNextTap", .duration, "how late the link of the next tap comes", { .linkFault(.late(by: $0)) }
      ) { if case .linkFault(.late(let span)) = $0 { span } else { nil } },
      fields.event(
        "repeatNextTap", .duration,
        "so long after it the link of the next tap comes again, as an opened URL",
        { .linkFault(.again(after: $0)) }
      ) { if case .linkFault(.again(let span)) = $0 { span } else { nil } },
      fields.event("openApp", .appID, "another app", { .openApp($0) }) {
        if case .openApp(let app) = $0 { app } else { nil }
      },
      ("edit", edit(to: value, fields)),
    ]
  }

  private static func edit(to value: Word?, _ fields: Fields<TimelineAction>) -> TimelineAction? {
    let reminder = fields.optional(
      "edit", .scalar(.reminder), "a reminder that is replaced by the edit 'to'",
      from: { action in fields.writer.flatMap { Edits.reminder(of: action, $0) } })
    return reminder.flatMap { name in
      guard let value, let reader = fields.reader else {
        fields.error("'edit' needs 'to'", at: "edit")
        return nil
      }
      return Edits.action(Word(name, at: fields.position(of: "edit")), value, reader)
    }
  }

  private static func reminderActions(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    [
      ("snooze", snooze(fields)),
      (
        "complete",
        fields.optional(
          "complete", .scalar(.completed),
          "a reminder that was done: the instant from which it counts its days is set to now",
          from: { if case .complete = $0 { $0 } else { nil } })
      ),
      fields.event(
        "batch", .batch, "what is done to several things at once, in the words of the short form",
        { .inApp(.batch($0)) }
      ) { if case .inApp(.batch(let batch)) = $0 { batch } else { nil } },
      fields.event(
        "create", .reminderID, "a reminder that is made: before it does not exist", { .create($0) }
      ) {
        if case .create(let reminder) = $0 { reminder } else { nil }
      },
      (
        "delete",
        fields.optional(
          "delete", .scalar(.reminderID), "a reminder that exists no longer",
          from: { if case .delete(let reminder) = $0 { reminder } else { nil } }
        ).map { .delete($0) }
      ),
      fields.event("cancel", .reminderID, "a reminder that is taken back", { .cancel($0) }) {
        if case .cancel(let reminder) = $0 { reminder } else { nil }
      },
      fields.event(
        "tap", .reminderID, "the newest visible notification of this reminder is tapped", { .tap($0) }
      ) { if case .tap(let reminder) = $0 { reminder } else { nil } },
      fields.event(
        "dismiss", .reminderID, "the newest visible notification of this reminder is dismissed",
        { .dismiss($0) }
      ) { if case .dismiss(let reminder) = $0 { reminder } else { nil } },
      NotificationActs.read(fields),
      fields.event(
        "ignore", .reminderID, "what of this reminder is neither tapped nor dismissed is ignored, all along",
        { .ignore($0) }
      ) { if case .ignore(let reminder) = $0 { reminder } else { nil } },
      fields.event(
        "failNextAdds", .count(1...1_000_000), "so many requests are refused by the operating system",
        { .failNextAdd(UInt32($0)) }
      ) { if case .failNextAdd(let count) = $0 { Int(count) } else { nil } },
    ]
  }

  private static func snooze(_ fields: Fields<TimelineAction>) -> TimelineAction? {
    let snoozed = fields.optional(
      "snooze", .scalar(.reminderID), "a reminder that is put off",
      from: { action -> ReminderID? in
        if case .event(.snooze(let reminder, _)) = action { return reminder }
        if case .snoozeUntil(let reminder, _, _) = action { return reminder }
        if case .snoozeMonths(let reminder, _) = action { return reminder }
        return nil
      })
    let span = fields.optional(
      "for", .scalar(.snoozeLength), "with 'snooze': for how long",
      from: {
        switch $0 {
        case .event(.snooze(_, let span)): .span(span)
        case .snoozeMonths(_, let months): .calendarMonths(months)
        default: nil
        }
      })
    let until = fields.optional(
      "until", .scalar(.until), "with 'snooze': until when",
      from: {
        if case .snoozeUntil(_, let date, let time) = $0 {
          Until(date: date, millisecondOfDay: time)
        } else {
          nil
        }
      })
    if fields.isPresent("snooze"), span == nil, until == nil {
      fields.error("'snooze' needs 'for' or 'until'", at: "snooze")
    }
    return snoozed.flatMap { id -> TimelineAction? in
      span.map { $0.action(for: id) }
        ?? until.map { .snoozeUntil(id, date: $0.date, millisecondOfDay: $0.millisecondOfDay) }
    }
  }
}

extension TimelineAction {
  /// One of the keys under which an action stands, and the action if that key is there.
  typealias Choice = (key: String, action: TimelineAction?)

  /// What needs no name: the event of the long form, the words of the short one, and the action.
  fileprivate static let plain: [(name: String, words: String, action: TimelineAction)] =
    [
      ("unlock", "unlock", .event(.unlock)),
      ("lock", "lock", .event(.lock)),
      ("plugIn", "plug in", .event(.plugIn)),
      ("unplug", "unplug", .event(.unplug)),
      ("open", "open", .event(.openOwnApp)),
      ("leave", "leave", .event(.leaveOwnApp)),
      ("forceQuit", "force quit", .event(.forceQuit)),
      ("forceStop", "force stop", .event(.forceStop)),
      ("updateApp", "update app", .event(.updateApp)),
      ("terminate", "terminate", .event(.terminate)),
      ("powerOff", "power off", .event(.powerOff)),
      ("powerOn", "power on", .event(.powerOn)),
      ("reboot", "reboot", .reboot),
      ("reinstall", "reinstall", .event(.reinstall)),
      ("pullNotificationCentre", "pull notification centre", .event(.pullNotificationCentre)),
      ("systemSheet", "system sheet", .event(.systemSheet)),
      ("clearNotifications", "clear notifications", .event(.clearNotifications)),
      ("cancelAll", "cancel all", .event(.cancelAll)),
      ("failNextAdd", "next add fails", .event(.failNextAdd(1))),
      ("loseStore", "store lost", .event(.storeFault(.lost))),
      ("freezeStore", "store stale", .event(.storeFault(.stale))),
      ("tearStore", "store torn", .event(.storeFault(.torn))),
      ("loseNextTap", "next tap lost", .event(.linkFault(.lost))),
      ("grantNotifications", "grant notifications", .event(.notificationPermission(.authorized))),
      ("denyNotifications", "deny notifications", .event(.notificationPermission(.denied))),
    ] + AppActions.plain + SubscriptionActions.plain + SyncActions.plain

  fileprivate var isPlain: Bool { Self.plain.contains { $0.action == self } }
}

extension Fields<TimelineAction> {
  /// A key for one kind of phone event, with what it is about.
  func event<Part>(
    _ key: String, _ atom: @autoclosure () -> Atom<Part>, _ doc: String, _ event: (Part) -> PhoneEvent,
    from part: (PhoneEvent) -> Part?
  ) -> TimelineAction.Choice {
    let value = optional(
      key, .scalar(atom()), doc, from: { if case .event(let event) = $0 { part(event) } else { nil } })
    return (key, value.map { .event(event($0)) })
  }
}

extension Grammar<[TimelineAction]> {
  static var actions: Grammar {
    Grammar(
      meaning: "an action", topic: "timeline",
      phrases: Grammar<TimelineAction>.single.map { $0.map { [$0] } }
        + [
          Phrase("add", .addition) { $0 }, Phrase("remove", .removal) { $0 },
          Phrase("choose apps", .appSelection) { $0 },
        ])
  }
}

extension Grammar<TimelineAction> {
  fileprivate static var single: [Phrase<TimelineAction>] {
    // 'create account from SURFACE' before 'create REMINDER'.
    plain + settings + systemSettings + AppActions.phrases + SubscriptionActions.phrases
      + SyncActions.phrases + PermissionActions.phrases + named + reading
  }

  private static var plain: [Phrase<TimelineAction>] {
    TimelineAction.plain.map { row in Phrase(row.words) { row.action } }
  }

  private static var named: [Phrase<TimelineAction>] {
    [
      Phrase("open link", .link) { .event(.openLink($0)) },
      Phrase("next tap late by", .duration) { .event(.linkFault(.late(by: $0))) },
      Phrase("next tap again after", .duration) { .event(.linkFault(.again(after: $0))) },
      Phrase("open app", .appID) { .event(.openApp($0)) },
      Phrase("travel to", .zone) { .event(.travel($0)) },
      Phrase("set clock", .signedDuration) { .event(.setClock(ahead: $0)) },
      Phrase("notifications", .notificationPermission) { .event(.notificationPermission($0)) },
      Phrase("location", .locationPermission) { .event(.locationPermission($0)) },
      Phrase("precise location", .toggle) { .event(.preciseLocation($0)) },
      Phrase("focus", .toggle) { .event(.focus($0)) },
      Phrase("summary", .toggle) { .event(.summary($0)) },
      Phrase("airplane mode", .toggle) { .event(.airplaneMode($0)) },
      Phrase("background refresh", .toggle) { .event(.backgroundRefresh($0)) },
      Phrase("low power mode", .toggle) { .event(.lowPowerMode($0)) },
      Phrase("battery", .batteryLevel) { .event(.batteryLevel($0)) },
      Phrase("enter", .region) { .event(.enterRegion($0)) },
      Phrase("exit", .region) { .event(.exitRegion($0)) },
      Phrase("at", .position, "accuracy", .distance) { .fix($0, accuracy: $1) },
      Phrase("at", .position) { .fix($0, accuracy: -1) },
      Phrase("set", .assignment) { $0 },
      Phrase("forget", .factID) { .event(.fact($0, .missing)) },
      Phrase("snooze", .reminderID, "until", .until) {
        .snoozeUntil($0, date: $1.date, millisecondOfDay: $1.millisecondOfDay)
      },
      Phrase("snooze", .reminderID, "for", .snoozeLength) { $1.action(for: $0) },
      Phrase("complete all", .completeAll) { .event(.inApp(.batch($0))) },
      Phrase("complete", .completed) { $0 },
      Phrase("move all in", .moveAll) { .event(.inApp(.batch($0))) },
      Phrase("edit", .edit) { $0 },
      Phrase("create", .reminderID) { .event(.create($0)) },
      Phrase("delete", .deleted) { $0 },
      Phrase("cancel", .reminderID) { .event(.cancel($0)) },
      Phrase("tap", .reminderID) { .event(.tap($0)) },
      Phrase("dismiss", .reminderID) { .event(.dismiss($0)) },
      Phrase("press", .pressed) { $0 },
      Phrase("ignore", .reminderID) { .event(.ignore($0)) },
      Phrase("next", .count(1...1_000_000), "adds fail") { .event(.failNextAdd(UInt32($0))) },
    ]
  }
}

extension Atom<TimelineAction> {
  fileprivate static var plainAction: Atom {
    .choice(
      "EVENT", "an event without a name", TimelineAction.plain.map { ($0.name, $0.action) })
  }
}
