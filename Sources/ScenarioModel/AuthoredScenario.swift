package import TextFormats

/// What a file says of plans, and how many of the facts it declares itself.
package struct PlanSections: Equatable, Sendable {
  /// Empty: only the number of reminders that may wait is limited.
  package var plans: [TableRow<AppPlan>]
  package var subscription: SubscriptionRules?
  /// The first so many facts of a scenario; the plans make those behind them.
  package var declaredFacts: Int

  package init(plans: [TableRow<AppPlan>], subscription: SubscriptionRules?, declaredFacts: Int) {
    self.plans = plans
    self.subscription = subscription
    self.declaredFacts = declaredFacts
  }

  /// What the store sells, in the order of the file.
  package var products: [String] { plans.flatMap { $0.value?.products ?? [] }.map(\.name) }
}

/// What takes the place of what plans made of a file, for the scenario as its author wrote it.
package struct AuthoredParts: Equatable, Sendable {
  package var sections: PlanSections
  /// With their own conditions alone.
  package var reminders: [DeclaredReminder]
  package var edits: [ReminderEdit]
  /// With the steps of the subscription.
  package var timeline: Timeline

  package init(
    sections: PlanSections, reminders: [DeclaredReminder], edits: [ReminderEdit], timeline: Timeline
  ) {
    self.sections = sections
    self.reminders = reminders
    self.edits = edits
    self.timeline = timeline
  }
}

extension Scenario {
  /// The scenario as its author wrote it, to be written and read again, and not to be run: plans and steps of a
  /// subscription stand in it, and nothing that is made of them but facts by their numbers.
  package var asAuthored: Scenario {
    guard let authored else { return self }
    var scenario = self
    scenario.plans = authored.sections
    scenario.reminders = authored.reminders
    scenario.edits = authored.edits
    scenario.timeline = authored.timeline
    // Each plan says it.
    if !authored.sections.plans.isEmpty { scenario.app.room = nil }
    scenario.authored = nil
    return scenario
  }
}
