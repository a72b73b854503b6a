import DeviceSimulation
import ReminderEngine
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

extension Declarations {
  /// Reads the sections about the app under test, except those about its notifications.
  static func app(_ fields: Fields<Scenario>) -> AppSetup {
    var app = AppSetup()
    let milestones = fields.table(
      "milestones", of: .milestone, minimum: 1,
      "moments in the use of the app, by name, each reached once per install", from: \.app.milestones)
    let surfaces = fields.table(
      "surfaces", of: .surface, minimum: 1,
      "parts of the app, by name, that are locked until facts unlock them", from: \.app.surfaces)
    app.analytics = fields.optional(
      "analytics", .analytics, "analytics events; none are emitted if missing", from: \.app.analytics)
    let batches = fields.optional(
      "batches", .batches, "how batch actions work in a list of the app",
      from: { scenario in
        let app = scenario.app
        return app.batches.isEmpty && app.confirmsAbove == nil
          ? nil : BatchSetup(confirmsAbove: app.confirmsAbove, named: app.batches.indices.map { BatchID($0) })
      })
    app.confirmsAbove = batches?.confirmsAbove
    for row in milestones { fields.reader?.names.milestones.append(row.name) }
    for row in surfaces { fields.reader?.names.surfaces.append(row.name) }
    app.milestones = milestones.compactMap(\.declaration)
    app.surfaces = surfaces.compactMap(\.declaration)
    return app
  }

  /// Reports consent actions in a scenario without `analytics`.
  static func refuseConsent(_ timeline: Timeline, _ reader: Reader) {
    for entry in timeline.entries {
      for case .event(.inApp(.consent)) in entry.actions {
        reader.error(
          "this scenario has no analytics, so there is no consent to change", at: entry.position,
          hint: "declare them: 'analytics: {consent: denied}'")
      }
    }
  }
}

extension Format<Milestone> {
  fileprivate static var milestone: Format {
    .object(
      "A moment in the use of the app: any of its triggers makes the app check it, and all conditions must hold"
    ) {
      fields in
      let triggers = fields.required(
        "when", .oneOrMore(of: .trigger), "what makes the app check it: an event in the app or on the phone",
        from: \.triggers)
      let conditions = fields.optional(
        "if", .oneOrMore(of: .condition), "the conditions that must all hold at that moment",
        from: { $0.conditions.unlessEmpty })
      let priming = fields.optional(
        "prime", .scalar(.newPriming),
        "the context of the priming that it causes while the permission is undecided",
        from: \.priming)
      // Milestones do not support these triggers, which require waking the app or monitoring a region.
      if triggers?.contains(where: { $0.isTime || $0.region != nil }) == true {
        fields.error(
          "a milestone needs an event", at: "when",
          hint: "schedules, days since the last opening, and places are for reminders")
      }
      if conditions?.contains(where: { $0.region != nil }) == true {
        fields.error("a condition of a milestone cannot name a place", at: "if")
      }
      return triggers.map {
        Milestone(
          name: "", triggers: $0, conditions: conditions ?? [], priming: priming, position: fields.position)
      }
    }
  }
}

extension Format<Surface> {
  fileprivate static var surface: Format {
    .object("A part of the app that an overlay covers until facts unlock it") { fields in
      let unlockedBy = fields.required(
        "unlockedBy", .oneOrMore(of: .factSentence), "comparisons of facts: it is unlocked while all hold",
        from: \.unlockedBy)
      let benefit = fields.optional(
        "benefit", .constantText, "what the overlay promises", from: { $0.benefit.unlessEmpty })
      let remindedBy = fields.optional(
        "remindedBy", .oneOrMore(of: .scalar(.notificationType), minimum: 0),
        "the notification types that count as reminding a guest of it; every type if missing",
        from: \.remindedBy)
      let isOffer = fields.optional(
        "shownWhen", .scalar(.choice("OCCASION", "refused", [("refused", true)])),
        "refused: it offers a plan, and the app shows it when it refuses a reminder that the plan does not allow",
        from: { $0.isOffer ? true : nil })
      return unlockedBy.map {
        Surface(
          name: "", unlockedBy: $0, benefit: benefit ?? "", remindedBy: remindedBy, isOffer: isOffer ?? false,
          position: fields.position)
      }
    }
  }
}

extension Format<AnalyticsSetup> {
  fileprivate static var analytics: Format {
    .object("Analytics events, which a run writes to events.ndjson") { fields in
      let consent = fields.required(
        "consent", .scalar(.choice("CONSENT", "granted or denied", [("granted", true), ("denied", false)])),
        "whether the person has agreed before the story begins: granted or denied", from: \.hasConsent)
      return consent.map { AnalyticsSetup(hasConsent: $0, position: fields.position) }
    }
  }
}

/// The settings of batches.
struct BatchSetup {
  var confirmsAbove: Int?
  var named: [BatchID]
}

extension Format<BatchSetup> {
  static var batches: Format {
    .object("How batch actions work in a list of the app") { fields in
      let confirmsAbove = fields.optional(
        "confirmAbove", .scalar(.count(0...100_000)),
        "the number of items above which the app asks for confirmation; it never asks if missing",
        from: \.confirmsAbove)
      let named = fields.optional(
        "named", .list(of: .scalar(.batch), minimum: 1),
        "the batch actions of a recording, in the words of a time line; a time line needs no such list",
        from: { $0.named.unlessEmpty })
      return BatchSetup(confirmsAbove: confirmsAbove, named: named ?? [])
    }
  }
}
