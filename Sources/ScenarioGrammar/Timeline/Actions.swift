import ScenarioModel
import TextFormats
import CivilTime
import DeviceSimulation
import TriggerModel

extension Format<TimelineAction> {
  /// What happens: a sentence, or a mapping with one key for what is done.
  static var action: Format {
    Format.short(.sentence(.action), orLong: long).named("action")
  }

  private static var long: Format {
    .object("Something that happens to the phone, or that its user does") { fields in
      let choices: [(String, TimelineAction?)] =
        ownAppActions(fields) + phoneActions(fields) + readingActions(fields) + reminderActions(fields)
        + settingsActions(fields)
        + AppActions.read(fields)
      fields.exactlyOne(of: choices.map(\.0))
      return choices.lazy.compactMap(\.1).first
    }
  }

  private static func phoneActions(_ fields: Fields) -> [(String, TimelineAction?)] {
    func toggle(_ key: String, _ doc: String, _ event: (Bool) -> PhoneEvent) -> (String, TimelineAction?) {
      (key, fields.optional(key, .scalar(.toggle), doc).map { .event(event($0)) })
    }
    let place = fields.optional(
      "fix", .scalar(.position), "a position [latitude, longitude], or a place's centre")
    let accuracy = fields.optional("accuracy", .scalar(.distance), "with 'fix': radius of the 68 % circle")
    if accuracy != nil, !fields.isPresent("fix") { fields.error("'accuracy' needs 'fix'", at: "accuracy") }
    return [
      ("event", fields.optional("event", .scalar(.plainAction), "something that needs no name")),
      (
        "travel",
        fields.optional("travel", .scalar(.zone), "the phone's new time zone").map { .event(.travel($0)) }
      ),
      (
        "setClock",
        fields.optional("setClock", .scalar(.signedDuration), "how far the wall clock is ahead from now on")
          .map { .event(.setClock(ahead: $0)) }
      ),
      (
        "enter",
        fields.optional("enter", .scalar(.region), "a place, by decree").map { .event(.enterRegion($0)) }
      ),
      (
        "exit",
        fields.optional("exit", .scalar(.region), "a place, by decree").map { .event(.exitRegion($0)) }
      ),
      ("fix", place.map { .fix($0, accuracy: accuracy ?? -1) }),
      (
        "battery",
        fields.optional("battery", .scalar(.batteryLevel), "a level that is imposed").map {
          .event(.batteryLevel($0))
        }
      ),
      toggle("focus", "whether a Focus is on") { .focus($0) },
      toggle("summary", "whether the scheduled summary collects notifications") { .summary($0) },
      toggle("airplaneMode", "whether airplane mode is on") { .airplaneMode($0) },
      toggle("backgroundRefresh", "whether background refresh is on") { .backgroundRefresh($0) },
      toggle("lowPowerMode", "whether low power mode is on") { .lowPowerMode($0) },
      toggle("preciseLocation", "whether our app may know the precise location") { .preciseLocation($0) },
      (
        "notifications",
        fields.optional(
          "notifications", .scalar(.notificationPermission), "what the user allows our app to show"
        )
        .map { .event(.notificationPermission($0)) }
      ),
      (
        "prompt",
        fields.optional(
          "prompt", .scalar(.notificationPermission),
          "our app asks for leave to notify, and this is the answer"
        ).map { .event(.answerPrompt($0)) }
      ),
      (
        "location",
        fields.optional(
          "location", .scalar(.locationPermission), "what the user lets our app know of the place"
        )
        .map { .event(.locationPermission($0)) }
      ),
    ]
  }

  private static func ownAppActions(_ fields: Fields) -> [(String, TimelineAction?)] {
    let fact = fields.optional("set", .scalar(.fact), "a fact that takes the value 'to'")
    let value = fields.optional("to", .word, "with 'set': the new value; with 'edit': the edit's name")
    let assignment = value.flatMap { value in
      fact.flatMap { fact in fields.reader.flatMap { Assignment.action(fact, value, $0) } }
    }
    if fact != nil, !fields.isPresent("to") { fields.error("'set' needs 'to'", at: "set") }
    return [
      ("set", assignment),
      (
        "forget",
        fields.optional("forget", .scalar(.factID), "a fact whose value is no longer known")
          .map { .event(.fact($0, .missing)) }
      ),
      (
        "openLink",
        fields.optional("openLink", .scalar(.link), "a link into our app, not from a notification")
          .map { .event(.openLink($0)) }
      ),
      (
        "delayNextTap",
        fields.optional("delayNextTap", .scalar(.duration), "how late the link of the next tap comes")
          .map { .event(.linkFault(.late(by: $0))) }
      ),
      (
        "repeatNextTap",
        fields.optional(
          "repeatNextTap", .scalar(.duration),
          "so long after it the link of the next tap comes again, as an opened URL"
        ).map { .event(.linkFault(.again(after: $0))) }
      ),
      ("openApp", fields.optional("openApp", .scalar(.appID), "another app").map { .event(.openApp($0)) }),
      (
        "edit",
        fields.optional("edit", .scalar(.reminder), "a reminder that is replaced by the edit 'to'").flatMap {
          name in
          guard let value, let reader = fields.reader else {
            fields.error("'edit' needs 'to'", at: "edit")
            return nil
          }
          return Edits.action(Word(name, at: fields.position(of: "edit")), value, reader)
        }
      ),
    ]
  }

  private static func reminderActions(_ fields: Fields) -> [(String, TimelineAction?)] {
    let snoozed = fields.optional("snooze", .scalar(.reminderID), "a reminder that is put off")
    let span = fields.optional("for", .scalar(.duration), "with 'snooze': for how long")
    let until = fields.optional("until", .scalar(.until), "with 'snooze': until when")
    if fields.isPresent("snooze"), span == nil, until == nil {
      fields.error("'snooze' needs 'for' or 'until'", at: "snooze")
    }
    let snooze = snoozed.flatMap { id -> TimelineAction? in
      span.map { .event(.snooze(id, for: $0)) }
        ?? until.map { .snoozeUntil(id, date: $0.date, millisecondOfDay: $0.millisecondOfDay) }
    }
    func event(_ key: String, _ doc: String, _ make: (ReminderID) -> PhoneEvent) -> (String, TimelineAction?)
    {
      (key, fields.optional(key, .scalar(.reminderID), doc).map { .event(make($0)) })
    }
    return [
      ("snooze", snooze),
      event("cancel", "a reminder that is taken back") { .cancel($0) },
      event("tap", "the newest visible notification of this reminder is tapped") { .tap($0) },
      event("dismiss", "the newest visible notification of this reminder is dismissed") { .dismiss($0) },
      (
        "failNextAdds",
        fields.optional(
          "failNextAdds", .scalar(.count(1...1_000_000)),
          "so many requests are refused by the operating system"
        ).map { .event(.failNextAdd(UInt32($0))) }
      ),
    ]
  }
}

extension Grammar<TimelineAction> {
  static var action: Grammar {
    Grammar(
      meaning: "an action", phrases: plain.map(\.phrase) + settings + named + reading + AppActions.phrases)
  }

  /// What needs no name: the words of the short form, and the event of the long one.
  fileprivate static var plain: [(name: String, phrase: Phrase<TimelineAction>, action: TimelineAction)] {
    func row(
      _ name: String, _ words: String, _ action: TimelineAction
    ) -> (name: String, phrase: Phrase<TimelineAction>, action: TimelineAction) {
      (name, Phrase(words) { action }, action)
    }
    return [
      row("unlock", "unlock", .event(.unlock)), row("lock", "lock", .event(.lock)),
      row("plugIn", "plug in", .event(.plugIn)), row("unplug", "unplug", .event(.unplug)),
      row("open", "open", .event(.openOwnApp)), row("leave", "leave", .event(.leaveOwnApp)),
      row("forceQuit", "force quit", .event(.forceQuit)), row("terminate", "terminate", .event(.terminate)),
      row("powerOff", "power off", .event(.powerOff)), row("powerOn", "power on", .event(.powerOn)),
      row("reboot", "reboot", .reboot), row("reinstall", "reinstall", .event(.reinstall)),
      row("pullNotificationCentre", "pull notification centre", .event(.pullNotificationCentre)),
      row("systemSheet", "system sheet", .event(.systemSheet)),
      row("clearNotifications", "clear notifications", .event(.clearNotifications)),
      row("cancelAll", "cancel all", .event(.cancelAll)),
      row("failNextAdd", "next add fails", .event(.failNextAdd(1))),
      row("loseStore", "store lost", .event(.storeFault(.lost))),
      row("freezeStore", "store stale", .event(.storeFault(.stale))),
      row("tearStore", "store torn", .event(.storeFault(.torn))),
      row("loseNextTap", "next tap lost", .event(.linkFault(.lost))),
      row("grantNotifications", "grant notifications", .event(.notificationPermission(.authorized))),
      row("denyNotifications", "deny notifications", .event(.notificationPermission(.denied))),
    ] + AppActions.plain.map { row($0.name, $0.words, $0.action) }
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
      Phrase("prompt", .notificationPermission) { .event(.answerPrompt($0)) },
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
      Phrase("snooze", .reminderID, "for", .duration) { .event(.snooze($0, for: $1)) },
      Phrase("edit", .edit) { $0 },
      Phrase("cancel", .reminderID) { .event(.cancel($0)) },
      Phrase("tap", .reminderID) { .event(.tap($0)) },
      Phrase("dismiss", .reminderID) { .event(.dismiss($0)) },
      Phrase("next", .count(1...1_000_000), "adds fail") { .event(.failNextAdd(UInt32($0))) },
    ]
  }
}

extension Atom<TimelineAction> {
  fileprivate static var plainAction: Atom {
    .choice("EVENT", "an event without a name", Grammar<TimelineAction>.plain.map { ($0.name, $0.action) })
  }
}
