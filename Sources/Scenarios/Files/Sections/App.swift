import DeviceSimulation
import ReminderEngine
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

extension Declarations {
  /// What our app does beside its notifications.
  static func app(_ fields: Fields<Scenario>) -> AppSetup {
    var app = AppSetup()
    let milestones = fields.optional(
      "milestones", .table(of: .milestone, minimum: 1),
      "moments in the app's life, by name, each once per install",
      from: { scenario in
        scenario.app.milestones.rows {
          TableRow(
            name: $0.name, position: $0.position,
            value: MilestoneBody(triggers: $0.triggers, conditions: $0.conditions, priming: $0.priming))
        }
      })
    let surfaces = fields.optional(
      "surfaces", .table(of: .surface, minimum: 1),
      "parts of the app, by name, that stay locked until facts say otherwise",
      from: { scenario in
        scenario.app.surfaces.rows {
          TableRow(
            name: $0.name, position: $0.position,
            value: SurfaceBody(
              unlockedBy: $0.unlockedBy, benefit: $0.benefit, remindedBy: $0.remindedBy,
              isOffer: $0.isOffer))
        }
      })
    app.analytics = fields.optional(
      "analytics", .analytics, "analytics events; none are emitted if missing", from: \.app.analytics)
    let batches = fields.optional(
      "batches", .batches, "how several things are done at once in a list of the app",
      from: { scenario in
        let app = scenario.app
        return app.batches.isEmpty && app.confirmsAbove == nil
          ? nil : BatchSetup(confirmsAbove: app.confirmsAbove, named: app.batches.indices.map { BatchID($0) })
      })
    app.confirmsAbove = batches?.confirmsAbove
    for row in milestones ?? [] { fields.reader?.names.milestones.append(row.name) }
    for row in surfaces ?? [] { fields.reader?.names.surfaces.append(row.name) }
    app.milestones = (milestones ?? []).compactMap { row in
      row.value.map {
        Milestone(
          name: row.name, triggers: $0.triggers, conditions: $0.conditions, priming: $0.priming,
          position: row.position)
      }
    }
    app.surfaces = (surfaces ?? []).compactMap { row in
      row.value.map {
        Surface(
          name: row.name, unlockedBy: $0.unlockedBy, benefit: $0.benefit, remindedBy: $0.remindedBy,
          isOffer: $0.isOffer, position: row.position)
      }
    }
    return app
  }

  /// Consent to nothing says nothing.
  static func refuseConsent(_ timeline: Timeline, _ reader: Reader) {
    for entry in timeline.entries {
      for case .event(.inApp(.consent)) in entry.actions {
        reader.error(
          "this scenario has no analytics to agree to", at: entry.position,
          hint: "declare them: 'analytics: {consent: denied}'")
      }
    }
  }
}

/// A milestone before its name is known.
struct MilestoneBody {
  var triggers: [Trigger]
  var conditions: [Condition]
  var priming: PrimingID?
}

extension Format<MilestoneBody> {
  fileprivate static var milestone: Format {
    .object("A moment in the app's life: any of its triggers makes the app look, all conditions must hold") {
      fields in
      let triggers = fields.required(
        "when", .oneOrMore(of: .trigger), "what makes the app look: an event in the app or on the phone",
        from: \.triggers)
      let conditions = fields.optional(
        "if", .oneOrMore(of: .condition), "what must hold at that moment: all of it",
        from: { $0.conditions.unlessEmpty })
      let priming = fields.optional(
        "prime", .scalar(.newPriming),
        "the context of the priming that it gives rise to, while the permission is not decided",
        from: \.priming)
      // The app would have to be woken, or to watch a region.
      if triggers?.contains(where: { $0.isTime || $0.region != nil }) == true {
        fields.error(
          "a milestone comes with an event", at: "when",
          hint: "schedules, days since the last opening, and places are for reminders")
      }
      if conditions?.contains(where: { $0.region != nil }) == true {
        fields.error("a milestone cannot ask for a place", at: "if")
      }
      return triggers.map {
        MilestoneBody(triggers: $0, conditions: conditions ?? [], priming: priming)
      }
    }
  }
}

/// A surface before its name is known.
struct SurfaceBody {
  var unlockedBy: [FactCondition]
  var benefit: String
  var remindedBy: [String]?
  var isOffer: Bool
}

extension Format<SurfaceBody> {
  fileprivate static var surface: Format {
    .object("A part of the app that an overlay covers until facts say otherwise") { fields in
      let unlockedBy = fields.required(
        "unlockedBy", .oneOrMore(of: .factSentence), "comparisons of facts: it is unlocked while all hold",
        from: \.unlockedBy)
      let benefit = fields.optional(
        "benefit", .scalar(.text), "what the overlay promises", from: { $0.benefit.unlessEmpty })
      let remindedBy = fields.optional(
        "remindedBy", .oneOrMore(of: .scalar(.notificationType), minimum: 0),
        "the notification types that count as reminding a guest of it; every type if missing",
        from: \.remindedBy)
      let isOffer = fields.optional(
        "shownWhen", .scalar(.choice("OCCASION", "refused", [("refused", true)])),
        "refused: it offers a plan, and the app shows it when it refuses a reminder that the plan does not allow",
        from: { $0.isOffer ? true : nil })
      return unlockedBy.map {
        SurfaceBody(
          unlockedBy: $0, benefit: benefit ?? "", remindedBy: remindedBy, isOffer: isOffer ?? false)
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

/// How several things are done at once.
struct BatchSetup {
  var confirmsAbove: Int?
  var named: [BatchID]
}

extension Format<BatchSetup> {
  static var batches: Format {
    .object("How several things are done at once in a list of the app") { fields in
      let confirmsAbove = fields.optional(
        "confirmAbove", .scalar(.count(0...100_000)),
        "of more things than this the app asks before it does something to all of them; it never asks if missing",
        from: \.confirmsAbove)
      let named = fields.optional(
        "named", .list(of: .scalar(.batch), minimum: 1),
        "what is done to several things at once in a recording, in the words of a time line, which needs no list",
        from: { $0.named.unlessEmpty })
      return BatchSetup(confirmsAbove: confirmsAbove, named: named ?? [])
    }
  }
}
