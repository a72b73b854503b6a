import ScenarioModel
import TextFormats
import TriggerModel

extension Format<AppPlan> {
  static var plan: Format {
    .object("What a plan allows; what is missing has no limit") { fields in
      let reminders = fields.optional(
        "reminders", .scalar(.count(0...100_000)), "how many reminders may wait at once", from: \.reminders)
      let triggers = fields.optional(
        "triggers", .list(of: .scalar(.triggerKind), minimum: 1), "the kinds of triggers that it allows",
        from: \.triggers)
      let isCompound = fields.optional(
        "compound", .scalar(.truth), "whether a reminder may have several triggers, or several conditions",
        from: { $0.isCompound ? nil : false })
      let products = fields.optional(
        "products", .table(of: .scalar(.billingPeriod), minimum: 1),
        "what the store sells of it, by name, each with the time from one payment to the next",
        from: \.products.unlessEmpty
      )
      let like = fields.optional(
        "as", .located(.scalar(.newName)), "makes it a trial of the plan with this name", from: \.trial?.like)
      let lasts = fields.optional(
        "lasts", .scalar(.duration), "of a trial: how long it lasts, such as 7 days", from: \.trial?.lasts)
      let ends = fields.optional(
        "ends", .scalar(.trialEnd),
        "of a trial: exactly so long after it began, or at the midnight with which its last local day ends where "
          + "the phone is; exactly if missing", from: \.trial?.ends)
      let then = fields.optional(
        "then", .located(.scalar(.newName)), "of a trial: the plan that follows unless it is cancelled",
        from: \.trial?.then)
      guard fields.reader != nil else { return nil }
      if let triggers, Set(triggers).count < triggers.count {
        fields.error("the same kind of triggers twice", at: "triggers", hint: "keep one of them")
      }
      var plan = AppPlan(
        reminders: reminders, triggers: triggers, isCompound: isCompound ?? true, products: products ?? [])
      guard fields.isPresent("as") else {
        for key in ["lasts", "ends", "then"] where fields.isPresent(key) {
          fields.error("'\(key)' is for a trial", at: key, hint: "say of which plan it is one: 'as: paid'")
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
        "how long the plan stays though a renewal has failed; 16 days if missing", from: \.gracePeriod)
      let retry = fields.optional(
        "billingRetry", .scalar(.duration),
        "how long the store tries to be paid, counted from the failure; 60 days if missing",
        from: \.billingRetry)
      guard let start else { return nil }
      var rules = SubscriptionRules(start: start)
      if let grace { rules.gracePeriod = grace }
      if let retry { rules.billingRetry = retry }
      if rules.billingRetry < rules.gracePeriod {
        fields.error("the store gives up before the grace period is over", at: "billingRetry")
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

extension Atom<BillingPeriod> {
  fileprivate static var billingPeriod: Atom {
    .choice("PERIOD", "week, month or year", BillingPeriod.allCases.map { ($0.rawValue, $0) })
  }
}

extension Atom<TrialEnd> {
  fileprivate static var trialEnd: Atom {
    .choice("END", "exactly or midnight", TrialEnd.allCases.map { ($0.rawValue, $0) })
  }
}
