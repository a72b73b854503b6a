import ScenarioModel
import TextFormats
import TriggerModel

extension Format<AppPlan> {
  static var plan: Format {
    .object("What a plan allows; missing keys set no limit") { fields in
      let reminders = fields.optional(
        "reminders", .scalar(.count(0...100_000)), "how many reminders can be active at the same time",
        from: \.reminders)
      let triggers = fields.optional(
        "triggers", .list(of: .scalar(.triggerKind), minimum: 1), "the kinds of triggers that it allows",
        from: \.triggers)
      let isCompound = fields.optional(
        "compound", .scalar(.truth), "whether a reminder may have several triggers, or several conditions",
        from: { $0.isCompound ? nil : false })
      let products = fields.optional(
        "products", .table(of: .scalar(.oneCase("PERIOD", "week, month or year", \.rawValue)), minimum: 1),
        "the products that the store sells, by name, each with the time from one payment to the next",
        from: \.products.unlessEmpty
      )
      let like = fields.optional(
        "as", .located(.scalar(.newName)), "makes it a trial of the plan with this name", from: \.trial?.like)
      let lasts = fields.optional(
        "lasts", .scalar(.duration), "for a trial: how long it lasts, such as 7 days", from: \.trial?.lasts)
      let ends = fields.optional(
        "ends", .scalar(.oneCase("END", "exactly or midnight", \.rawValue)),
        "for a trial: exactly that long after it began, or at the midnight that ends its last local day where "
          + "the phone is; exactly if missing", from: \.trial?.ends)
      let then = fields.optional(
        "then", .located(.scalar(.newName)), "for a trial: the plan that follows unless it is cancelled",
        from: \.trial?.then)
      guard fields.reader != nil else { return nil }
      if let triggers, Set(triggers).count < triggers.count {
        fields.error("the same kind of triggers twice", at: "triggers", hint: "keep one of them")
      }
      var plan = AppPlan(
        reminders: reminders, triggers: triggers, isCompound: isCompound ?? true, products: products ?? [])
      guard fields.isPresent("as") else {
        for key in ["lasts", "ends", "then"] where fields.isPresent(key) {
          fields.error("'\(key)' is for a trial", at: key, hint: "name the plan of the trial: 'as: paid'")
        }
        return plan
      }
      for key in ["reminders", "triggers", "compound", "products"] where fields.isPresent(key) {
        fields.error("a trial allows what its plan does", at: key, hint: "leave out '\(key)'")
      }
      for key in ["lasts", "then"] where !fields.isPresent(key) {
        fields.error("a trial needs '\(key)'")
      }
      guard let like, let lasts, let then else { return plan }
      if ends == .midnight, lasts.milliseconds % TimeSpan.days(1).milliseconds != 0 {
        fields.error("a trial that ends at midnight lasts whole days", at: "lasts", hint: "such as 7 days")
      }
      plan.trial = AppPlan.Trial(like: like, lasts: lasts, ends: ends ?? .exactly, then: then)
      return plan
    }.named("plan")
  }
}

extension Format<SubscriptionRules> {
  static var subscription: Format {
    .object("What the store does, whatever the plan") { fields in
      let start = fields.required(
        "start", .located(.scalar(.newName)),
        "the plan without a subscription: at the start, and when one has ended", from: \.start)
      let grace = fields.optional(
        "gracePeriod", .scalar(.duration),
        "how long the plan remains after a failed renewal; 16 days if missing", from: \.gracePeriod)
      let retry = fields.optional(
        "billingRetry", .scalar(.duration),
        "how long the store retries a payment, counted from the failure; 60 days if missing",
        from: \.billingRetry)
      guard let start else { return nil }
      var rules = SubscriptionRules(start: start)
      if let grace { rules.gracePeriod = grace }
      if let retry { rules.billingRetry = retry }
      if rules.billingRetry < rules.gracePeriod {
        fields.error("'billingRetry' is shorter than the grace period", at: "billingRetry")
      }
      return rules
    }
  }
}

extension Atom<TriggerKind> {
  fileprivate static var triggerKind: Atom {
    .choice(
      "TRIGGER", "a kind of triggers: \(TriggerKind.allCases.map(\.rawValue).joined(separator: ", "))",
      TriggerKind.allCases.map { ($0.rawValue, $0) })
  }
}

/// The limit on active reminders, as declared in the file.
struct ActiveReminders {
  var fact: FactID
  var limits: [TableRow<Int>]
}

extension Format<ActiveReminders> {
  static var activeReminders: Format {
    .object("How many reminders can be active at the same time, by the value of a fact with names") {
      fields in
      let fact = fields.required(
        "by", .scalar(.factID), "a fact with names, such as the plan", from: \.fact)
      let limits = fields.required(
        "atMost", .table(of: .scalar(.count(0...100_000))),
        "how many, by the fact's value; unlimited for missing values", from: \.limits)
      guard let fact, let limits, let reader = fields.reader else { return nil }
      guard let declaration = reader.names.factDeclarations[fact.index] else { return nil }
      guard declaration.kind == .name, !declaration.initial.isMissing else {
        fields.error("this needs a fact with names and a first value", at: "by")
        return nil
      }
      let names = Set(declaration.names)
      for row in limits where !names.contains(row.name) {
        reader.error(
          "'\(declaration.name)' is never '\(row.name)'", at: row.position,
          hint: NearestNames.hint(for: row.name, among: declaration.names))
      }
      return ActiveReminders(fact: fact, limits: limits)
    }
  }
}

extension ActiveReminders {
  init(_ room: ReminderLimit, _ scenario: Scenario) {
    fact = room.fact
    limits = zip(scenario.facts[room.fact.index].names, room.limits).compactMap { name, limit in
      limit.map { TableRow(name: name, position: .start, value: $0) }
    }
  }

  func room(_ reader: Reader) -> ReminderLimit {
    let names = reader.names.factDeclarations[fact.index]?.names ?? []
    let byName = Dictionary(limits.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    return ReminderLimit(fact: fact, limits: names.map { byName[$0] ?? nil })
  }
}
