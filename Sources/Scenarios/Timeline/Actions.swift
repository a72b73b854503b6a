import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// The actions on the time line. This is the only declaration of each action.
extension ActionForm {
  /// All forms. The reader uses the first matching sentence, so longer sentences precede shorter ones. For
  /// example, 'create account from SURFACE' precedes 'create REMINDER'.
  static var all: [ActionForm] {
    [unnamed] + settings + systemSettings + inApp + store + server + permissions + ownApp + phone + reminders
      + [items] + readings
  }

  // MARK: Actions without a value

  /// The key of the long form, the words of the short form, and the action.
  private static let unnamedActions: [(name: String, words: String, action: TimelineAction)] = [
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
    ("skipPriming", "skip priming", .event(.inApp(.skipPriming))),
    ("maybeLater", "maybe later", .event(.inApp(.maybeLater))),
    ("notNow", "not now", .event(.inApp(.maybeLater))),
    ("giveConsent", "give consent", .event(.inApp(.consent(true)))),
    ("withdrawConsent", "withdraw consent", .event(.inApp(.consent(false)))),
    ("startTrial", "start trial", .subscription(.startTrial)),
    ("cancelSubscription", "cancel subscription", .subscription(.cancel)),
    ("renewalFails", "renewal fails", .subscription(.renewalFails)),
    ("renewalRecovers", "renewal recovers", .subscription(.renewalRecovers)),
    ("refund", "refund", .subscription(.refund)),
    ("subscriptionExpires", "subscription expires", .subscription(.expire)),
    ("syncRepeats", "sync repeats next write", .event(.syncRepeats)),
  ]

  private static var unnamed: ActionForm {
    let rows = unnamedActions
    return ActionForm(
      rows.map { row in Phrase(row.words) { [row.action] } },
      ask: { fields in
        let event = fields.optional(
          "event", .scalar(.choice("EVENT", "an event without a name", rows.map { ($0.name, $0.action) })),
          "an event without a value",
          from: { action in rows.contains { $0.action == action } ? action : nil })
        return [("event", event)]
      })
  }

  // MARK: Settings and permissions

  /// Changes of the app's own settings. The forms for all types precede those for a named type.
  private static var settings: [ActionForm] {
    func type(_ key: String, _ verb: String, isOn: Bool) -> ActionForm {
      event(
        key, .typeID,
        "a notification type that the person switches \(isOn ? "on" : "off") in the app's settings",
        says: ["\(verb) _"], make: { .preference(.type($0, isOn: isOn)) },
        from: { if case .preference(.type(let type, isOn)) = $0 { type } else { nil } })
    }
    return [
      ActionForm(
        [false, true].map { isOn in
          Phrase("turn \(isOn ? "on" : "off") all notifications") { [.event(.preference(.all(isOn: isOn)))] }
        }),
      type("turnOff", "turn off", isOn: false),
      type("turnOn", "turn on", isOn: true),
      toggle(
        "allNotifications", "the app's own master switch; 'notifications' is the system's permission",
        says: []
      ) { .preference(.all(isOn: $0)) },
      event(
        "ownDailyCap", .ownDailyCap,
        "the person's own maximum of standard notifications per local day, or none",
        says: ["own daily cap _"],
        make: { .preference(.dailyCap($0)) },
        from: { if case .preference(.dailyCap(let cap)) = $0 { .some(cap) } else { nil } }),
    ]
  }

  /// Changes that the user makes in the system's settings.
  private static var systemSettings: [ActionForm] {
    [
      toggle("locationServices", "the system's own switch for location", says: ["location services _"]) {
        .locationServices($0)
      },
      toggle("exactAlarms", "whether the app may use exact alarms", says: ["exact alarms _"]) {
        .exactAlarms($0)
      },
      ActionForm(
        [("off", .off), ("silent", .silent), ("alerting", .alerting)].map {
          (word: String, importance: ChannelImportance) in
          Phrase("channel", .typeID, word) { [.event(.channel($0, importance))] }
        },
        ask: { fields in
          let type = fields.optional(
            "channel", .scalar(.typeID),
            "a notification type whose channel takes the importance 'importance'",
            from: { if case .event(.channel(let type, _)) = $0 { type } else { nil } })
          let importance = fields.optional(
            "importance", .scalar(.oneCase("IMPORTANCE", "an importance: off, silent or alerting")),
            "with 'channel': the importance of its notifications",
            from: { if case .event(.channel(_, let importance)) = $0 { importance } else { nil } })
          if type != nil, !fields.isPresent("importance") {
            fields.error("'channel' needs 'importance'", at: "channel")
          }
          return [("channel", type.flatMap { type in importance.map { .event(.channel(type, $0)) } })]
        }),
      // 'do not disturb' is Android's name for a Focus.
      toggle("focus", "whether a Focus is on", says: ["do not disturb _", "focus _"]) { .focus($0) },
      toggle(
        "summary", "whether the scheduled summary collects notifications", says: ["summary _"]
      ) { .summary($0) },
      toggle("airplaneMode", "whether airplane mode is on", says: ["airplane mode _"]) { .airplaneMode($0) },
      toggle("backgroundRefresh", "whether background refresh is on", says: ["background refresh _"]) {
        .backgroundRefresh($0)
      },
      toggle("lowPowerMode", "whether low power mode is on", says: ["low power mode _"]) {
        .lowPowerMode($0)
      },
    ]
  }

  /// Permissions, permission prompts, and the selection of other apps.
  private static var permissions: [ActionForm] {
    func appChoice(_ key: String, _ doc: String, isChosen: Bool) -> ActionForm {
      event(
        key, .appID, doc, says: [], make: { .appChoice($0, isChosen: isChosen) },
        from: { if case .appChoice(let app, isChosen) = $0 { app } else { nil } })
    }
    return [
      event(
        "promptLocation", .oneCase("ANSWER", "an answer to the location prompt"),
        "the answer when the app requests the location permission",
        says: ["prompt location _"], of: LocationAnswer.allCases
      ) { .answerPrompt(.location($0)) },
      event(
        "promptScreenTime", .screenTimePermission,
        "the answer when the app requests the Screen Time permission", says: ["prompt screen time _"],
        of: ScreenTimePermission.allCases
      ) { .answerPrompt(.screenTime($0)) },
      event(
        "prompt", .notificationPermission, "the answer when the app requests the notification permission",
        says: ["prompt _"], of: NotificationPermission.allCases
      ) { .answerPrompt(.notifications($0)) },
      event(
        "screenTime", .screenTimePermission, "the Screen Time permission that the user gives the app",
        says: ["screen time _"], of: ScreenTimePermission.allCases
      ) { .screenTimePermission($0) },
      event(
        "notifications", .notificationPermission, "the notification permission that the user gives the app",
        says: ["notifications _"], of: NotificationPermission.allCases
      ) { .notificationPermission($0) },
      event(
        "location", .locationPermission, "the location permission that the user gives the app",
        says: ["location _"], of: LocationPermission.allCases
      ) { .locationPermission($0) },
      toggle(
        "preciseLocation", "whether the app may know the precise location", says: ["precise location _"]
      ) { .preciseLocation($0) },
      appChoice("chooseApp", "another app whose use the app may observe", isChosen: true),
      appChoice("dropApp", "another app whose use the app may no longer observe", isChosen: false),
      ActionForm([Phrase("choose apps", .appSelection) { $0 }]),
    ]
  }

  /// Actions that deny or allow the app access to a source of facts.
  private static var readings: [ActionForm] {
    [("deny", "may no longer read", false), ("allow", "may read again", true)].map { verb, may, isAllowed in
      event(
        "\(verb)Reading", .factSourceID, "a source of facts that the app \(may)", says: ["\(verb) reading _"],
        make: { .reading($0, isAllowed: isAllowed) },
        from: { if case .reading(let source, isAllowed) = $0 { source } else { nil } })
    }
  }

  // MARK: The app, the store and the sync server

  /// Actions of the person in the app, and content that the app shows unasked.
  private static var inApp: [ActionForm] {
    [
      event(
        "prime", .newPriming,
        "the app explains why it wants to notify: the context, such as first_workout", says: ["prime _"],
        make: { .inApp(.prime($0)) },
        from: { if case .inApp(.prime(let context)) = $0 { context } else { nil } }),
      event(
        "visit", .surfaceID, "a surface that the person opens", says: ["visit _"],
        make: { .inApp(.visit($0)) },
        from: { if case .inApp(.visit(let surface)) = $0 { surface } else { nil } }),
      event(
        "show", .surfaceID, "a locked surface that the app shows itself", says: ["show _"],
        make: { .inApp(.show($0)) },
        from: { if case .inApp(.show(let surface)) = $0 { surface } else { nil } }),
      event(
        "createAccountFrom", .surfaceID, "a locked surface whose call to action the person follows",
        says: ["follow _", "create account from _"], make: { .inApp(.callToAction($0)) },
        from: { if case .inApp(.callToAction(let surface)) = $0 { surface } else { nil } }),
    ]
  }

  private static var store: [ActionForm] {
    [
      ActionForm(
        "buy", .product, "a product of a plan that the person buys", says: ["buy _"],
        make: { .subscription(.buy($0)) },
        from: { if case .subscription(.buy(let product)) = $0 { product } else { nil } })
    ]
  }

  private static var server: [ActionForm] {
    [
      event(
        "syncRefuses", .count(1...1_000_000),
        "the number of further changes of the device that the server refuses",
        says: ["sync refuses next _ writes"], make: { .syncRefuses(UInt32($0)) },
        from: { if case .syncRefuses(let count) = $0 { Int(count) } else { nil } })
    ]
  }

  /// Changes of facts, opened links, other apps, and edits of reminders.
  private static var ownApp: [ActionForm] {
    [
      event(
        "openLink", .link, "a link into the app, not from a notification", says: ["open link _"],
        make: { .openLink($0) }, from: { if case .openLink(let link) = $0 { link } else { nil } }),
      event(
        "delayNextTap", .duration, "the delay of the link of the next tap", says: ["next tap late by _"],
        make: { .linkFault(.late(by: $0)) },
        from: { if case .linkFault(.late(let span)) = $0 { span } else { nil } }),
      event(
        "repeatNextTap", .duration, "how long after the next tap its link is opened again, as a URL",
        says: ["next tap again after _"], make: { .linkFault(.again(after: $0)) },
        from: { if case .linkFault(.again(let span)) = $0 { span } else { nil } }),
      event(
        "openApp", .appID, "another app", says: ["open app _"], make: { .openApp($0) },
        from: { if case .openApp(let app) = $0 { app } else { nil } }),
    ]
  }

  // MARK: The phone

  private static var phone: [ActionForm] {
    [
      event(
        "travel", .zone, "the phone's new time zone", says: ["travel to _"], make: { .travel($0) },
        from: { if case .travel(let zone) = $0 { zone } else { nil } }),
      event(
        "setClock", .signedDuration,
        "how far the wall clock is ahead of the real time from then on, whatever it showed before",
        says: ["set clock _"],
        make: { .setClock(ahead: $0) }, from: { if case .setClock(let span) = $0 { span } else { nil } }),
      event(
        "battery", .batteryLevel, "the battery level to set", says: ["battery _"],
        make: { .batteryLevel($0) },
        from: { if case .batteryLevel(let level) = $0 { level } else { nil } }),
      event(
        "enter", .region, "a place that the phone enters, without coordinates", says: ["enter _"],
        make: { .enterRegion($0) }, from: { if case .enterRegion(let place) = $0 { place } else { nil } }),
      event(
        "exit", .region, "a place that the phone leaves, without coordinates", says: ["exit _"],
        make: { .exitRegion($0) }, from: { if case .exitRegion(let place) = $0 { place } else { nil } }),
      fix, factsAndEdits,
      event(
        "forget", .factID, "a fact whose value becomes unknown", says: ["forget _"],
        make: { .fact($0, .missing) },
        from: { if case .fact(let fact, .missing) = $0 { fact } else { nil } }),
    ]
  }

  private static var fix: ActionForm {
    ActionForm(
      [
        Phrase("at", .position, "accuracy", .distance) { [.fix($0, accuracy: $1)] },
        Phrase("at", .position) { [.fix($0, accuracy: -1)] },
      ],
      ask: { fields in
        let place = fields.optional(
          "fix", .scalar(.position), "a position [latitude, longitude], or a place's centre",
          from: { if case .fix(let place, _) = $0 { place } else { nil } })
        let accuracy = fields.optional(
          "accuracy", .scalar(.distance), "with 'fix': radius of the 68 % circle",
          from: { if case .fix(_, let accuracy) = $0, accuracy >= 0 { accuracy } else { nil } })
        if accuracy != nil, !fields.isPresent("fix") {
          fields.error("'accuracy' needs 'fix'", at: "accuracy")
        }
        return [("fix", place.map { .fix($0, accuracy: accuracy ?? -1) })]
      })
  }

  /// Setting a fact and editing a reminder. A single form declares both, because both use the key 'to'.
  private static var factsAndEdits: ActionForm {
    ActionForm(
      [Phrase("set", .assignment) { [$0] }, Phrase("edit", .edit) { [$0] }],
      ask: { fields in
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
        let reminder = fields.optional(
          "edit", .scalar(.reminder), "a reminder that is replaced by the edit 'to'",
          from: { action in fields.writer.flatMap { Edits.reminder(of: action, $0) } })
        let edit = reminder.flatMap { name -> TimelineAction? in
          guard let value, let reader = fields.reader else {
            fields.error("'edit' needs 'to'", at: "edit")
            return nil
          }
          return Edits.action(Word(name, at: fields.position(of: "edit")), value, reader)
        }
        return [("set", assignment), ("edit", edit)]
      })
  }

  // MARK: Reminders, notifications and items

  private static var reminders: [ActionForm] {
    func reminder(
      _ key: String, _ doc: String, _ make: @escaping (ReminderID) -> PhoneEvent,
      from part: @escaping (PhoneEvent) -> ReminderID?
    ) -> ActionForm { event(key, .reminderID, doc, says: ["\(key) _"], make: make, from: part) }
    return [
      snooze,
      ActionForm(
        [
          Phrase("complete all", .completeAll) { [.event(.inApp(.batch($0)))] },
          Phrase("move all in", .moveAll) { [.event(.inApp(.batch($0)))] },
        ]),
      ActionForm(
        "complete", .completed, "a completed reminder: the instant from which it counts becomes now",
        says: ["complete _"], make: { $0 }, from: { if case .complete = $0 { $0 } else { nil } }),
      event(
        "batch", .batch, "a batch action in the words of the short form", says: [],
        make: { .inApp(.batch($0)) },
        from: { if case .inApp(.batch(let batch)) = $0 { batch } else { nil } }),
      reminder("create", "a reminder that the person creates; it does not exist before", { .create($0) }) {
        if case .create(let reminder) = $0 { reminder } else { nil }
      },
      ActionForm(
        [Phrase("delete", .deleted) { [$0] }],
        ask: { fields in
          let deleted = fields.optional(
            "delete", .scalar(.reminderID), "a reminder that the person deletes",
            from: { if case .delete(let reminder) = $0 { reminder } else { nil } })
          return [("delete", deleted.map { .delete($0) })]
        }),
      reminder("cancel", "a reminder that the person cancels", { .cancel($0) }) {
        if case .cancel(let reminder) = $0 { reminder } else { nil }
      },
      reminder("tap", "the newest visible notification of this reminder is tapped", { .tap($0) }) {
        if case .tap(let reminder) = $0 { reminder } else { nil }
      },
      reminder("dismiss", "the newest visible notification of this reminder is dismissed", { .dismiss($0) }) {
        if case .dismiss(let reminder) = $0 { reminder } else { nil }
      },
      press,
      reminder(
        "ignore", "a reminder whose notifications are ignored unless they are tapped or dismissed",
        { .ignore($0) }
      ) { if case .ignore(let reminder) = $0 { reminder } else { nil } },
      event(
        "failNextAdds", .count(1...1_000_000),
        "the number of further requests that the operating system refuses",
        says: ["next _ adds fail"], make: { .failNextAdd(UInt32($0)) },
        from: { if case .failNextAdd(let count) = $0 { Int(count) } else { nil } }),
    ]
  }

  private static var snooze: ActionForm {
    ActionForm(
      [
        Phrase("snooze", .reminderID, "until", .until) {
          [.snoozeUntil($0, date: $1.date, millisecondOfDay: $1.millisecondOfDay)]
        },
        Phrase("snooze", .reminderID, "for", .snoozeLength) { [$1.action(for: $0)] },
      ],
      ask: { fields in
        let snoozed = fields.optional(
          "snooze", .scalar(.reminderID), "a reminder that the person snoozes",
          from: {
            switch $0 {
            case .event(.snooze(let reminder, _)), .snoozeUntil(let reminder, _, _),
              .snoozeMonths(let reminder, _):
              reminder
            default: nil
            }
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
              SnoozeEnd(date: date, millisecondOfDay: time)
            } else {
              nil
            }
          })
        if fields.isPresent("snooze"), span == nil, until == nil {
          fields.error("'snooze' needs 'for' or 'until'", at: "snooze")
        }
        let action = snoozed.flatMap { id -> TimelineAction? in
          span.map { $0.action(for: id) }
            ?? until.map { .snoozeUntil(id, date: $0.date, millisecondOfDay: $0.millisecondOfDay) }
        }
        return [("snooze", action)]
      })
  }

  /// Pressing an action button on a notification.
  private static var press: ActionForm {
    ActionForm(
      [Phrase("press", .pressed) { [$0] }],
      ask: { fields in
        let action = fields.optional(
          "press", .scalar(.notificationAction), "an action of the newest visible notification of a reminder",
          from: { if case .event(.act(_, let action)) = $0 { action } else { nil } })
        let reminder = fields.optional(
          "of", .scalar(.reminderID), "with 'press': the reminder",
          from: { if case .event(.act(let reminder, _)) = $0 { reminder } else { nil } })
        if fields.isPresent("press"), !fields.isPresent("of") {
          fields.error("'press' needs 'of'", at: "press", hint: "the reminder")
        }
        guard let action, let reminder, let reader = fields.reader else { return [("press", nil)] }
        let position = fields.position(of: "press")
        return [("press", action.timelineAction(on: reminder, at: position, reader))]
      })
  }

  /// Adding and removing items. Each sentence represents several actions, so it has no key in the long form.
  private static var items: ActionForm {
    ActionForm([Phrase("add", .addition) { $0 }, Phrase("remove", .removal) { $0 }])
  }
}
