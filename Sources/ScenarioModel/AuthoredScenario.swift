package import TextFormats

/// The plans of a file, and the number of facts that the file itself declares.
package struct PlanSections: Equatable, Sendable {
  /// The plans. Empty if the file contains only a limit on active reminders.
  package var plans: [TableRow<AppPlan>]
  package var subscription: SubscriptionRules?
  /// The number of facts that the file declares. The facts that plans create follow them.
  package var declaredFacts: Int

  package init(plans: [TableRow<AppPlan>], subscription: SubscriptionRules?, declaredFacts: Int) {
    self.plans = plans
    self.subscription = subscription
    self.declaredFacts = declaredFacts
  }

  /// The store products in the order of the file.
  package var products: [String] { plans.flatMap { $0.value?.products ?? [] }.map(\.name) }
}

/// The original parts of a scenario, as they were before plans changed them.
package struct AuthoredParts: Equatable, Sendable {
  package var sections: PlanSections
  /// The reminders, without the conditions that plans have added.
  package var reminders: [DeclaredReminder]
  package var edits: [ReminderEdit]
  /// The time line, including the steps of the subscription.
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
  /// The scenario as its author wrote it. It can be written to a file and parsed again.
  ///
  /// It cannot be run, because it contains plans and steps of a subscription. Of everything that plans
  /// create, it keeps only the facts, so that the numbers of facts remain valid.
  package var asAuthored: Scenario {
    guard let authored else { return self }
    var scenario = self
    scenario.plans = authored.sections
    scenario.reminders = authored.reminders
    scenario.edits = authored.edits
    scenario.timeline = authored.timeline
    // Omit the limit, because the plans already declare it.
    if !authored.sections.plans.isEmpty { scenario.app.reminderLimit = nil }
    scenario.authored = nil
    return scenario
  }
}

extension Scenario {
  /// The scenario without its original plans and without information about its source: positions, file names
  /// and pack names. Two scenarios with the same meaning are equal in this form.
  package var withoutSources: Scenario {
    var scenario = self
    scenario.file = ""
    scenario.sources = SourceFiles(SourceText(file: "", text: ""))
    scenario.packs = []
    scenario.authored = nil
    scenario.profile.position = .start
    for index in intendedWarnings.indices { scenario.intendedWarnings[index].position = .start }
    for index in knobs.indices { scenario.knobs[index].position = .start }
    for index in devices.indices {
      scenario.devices[index].position = .start
      scenario.devices[index].profile.position = .start
      for knob in devices[index].knobs.indices { scenario.devices[index].knobs[knob].position = .start }
    }
    scenario.sync?.position = .start
    scenario.person?.position = .start
    for index in facts.indices { scenario.facts[index].position = .start }
    for index in places.indices { scenario.places[index].position = .start }
    for index in reminders.indices { scenario.reminders[index].position = .start }
    for index in edits.indices { scenario.edits[index].position = .start }
    if let links {
      for index in links.consumers.indices { scenario.links?.consumers[index].position = .start }
    }
    for index in app.milestones.indices { scenario.app.milestones[index].position = .start }
    for index in app.surfaces.indices { scenario.app.surfaces[index].position = .start }
    scenario.app.analytics?.position = .start
    for index in gates.indices { scenario.gates[index].position = .start }
    for index in timeline.entries.indices { scenario.timeline.entries[index].position = .start }
    for index in recordings.indices { scenario.recordings[index].position = .start }
    for index in expectations.indices { scenario.expectations[index].position = .start }
    return scenario
  }
}
