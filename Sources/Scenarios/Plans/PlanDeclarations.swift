import DeviceSimulation
import ReminderMatching
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// Reads plans and translates them to facts, conditions, and actions that set facts. The engine, the wire
/// format and the reports therefore need no concept of a plan.
///
/// A scenario that the tool has written contains this translation instead of the plans, unless the tool wrote
/// ``ScenarioModel/Scenario/asAuthored``.
package struct PlanDeclarations {
  /// The fact whose value is the person's plan.
  static let planFact = "plan"
  /// The fact whose value is the ``SubscriptionState``.
  static let stateFact = "subscription"
  /// The fact that states whether the subscription renews.
  static let renewsFact = "subscription.renews"

  let plans: [TableRow<AppPlan>]
  let rules: SubscriptionRules?
  /// The limit on active reminders, or `nil` if there is none.
  package private(set) var room: ReminderLimit?
  private let reader: Reader?

  /// Reads the sections and adds the facts of the plans, so that later sections can refer to them.
  package init(_ fields: Fields<Scenario>, _ facts: inout [FactDeclaration]) {
    reader = fields.reader
    let rows = fields.optional(
      "plans", .table(of: .plan, minimum: 1),
      "the plans of the app, by name: how many reminders they allow, and which kinds; they declare the fact 'plan'",
      from: { $0.plans?.plans.unlessEmpty })
    let rules = fields.optional(
      "subscription", .subscription,
      "the plan without a subscription, and how long the store retries a payment",
      from: { $0.plans?.subscription })
    plans = rows ?? []
    self.rules = rules
    if let reader, let rows {
      if !fields.isPresent("subscription") {
        fields.error(
          "plans need 'subscription'", at: "plans",
          hint: "name the first plan: 'subscription: {start: free}'")
      }
      checkNames(reader)
      declare(rows, at: fields.position(of: "plans"), &facts, reader)
    } else if let reader, rules != nil, !fields.isPresent("plans") {
      reader.error("there are no plans to subscribe to", at: fields.position(of: "subscription"))
    }
    let active = fields.optional(
      "activeReminders", .activeReminders,
      "how many reminders can be active at the same time, by a fact; the first ones created are; 'plans' set it with 'reminders'",
      from: { scenario in scenario.app.reminderLimit.map { ActiveReminders($0, scenario) } })
    if let active, let reader {
      if rows != nil {
        fields.error(
          "'activeReminders' and 'plans' exclude each other", at: "activeReminders",
          hint: "set it for each plan: 'free: {reminders: 3}'")
      } else {
        room = active.room(reader)
      }
    }
  }

  /// Returns the sections for the writer, as the file declares them.
  package func sections(declaredFacts: Int) -> PlanSections {
    PlanSections(plans: plans, subscription: rules, declaredFacts: declaredFacts)
  }

  private func checkNames(_ reader: Reader) {
    let names = plans.map(\.name)
    func check(_ name: Located<String>, mayBeTrial: Bool) {
      guard let plan = plans.first(where: { $0.name == name.value }) else {
        return reader.error(
          "unknown plan '\(name.value)'", at: name.position,
          hint: NearestNames.hint(for: name.value, among: names) ?? "declare it under 'plans'")
      }
      if !mayBeTrial, plan.value?.trial != nil {
        reader.error(
          "'\(name.value)' is a trial", at: name.position, hint: "name the plan that it is a trial of")
      }
    }
    if let rules { check(rules.start, mayBeTrial: false) }
    var trials = 0
    for row in plans {
      guard let trial = row.value?.trial else { continue }
      check(trial.like, mayBeTrial: false)
      check(trial.then, mayBeTrial: false)
      trials += 1
      if trials == 2 { reader.error("a second trial", at: row.position, hint: "keep one of them") }
    }
  }

  private mutating func declare(
    _ rows: [TableRow<AppPlan>], at position: SourcePosition, _ facts: inout [FactDeclaration],
    _ reader: Reader
  ) {
    for row in rows {
      for product in row.value?.products ?? [] where !reader.names.products.append(product.name) {
        reader.error("the product '\(product.name)' is declared twice", at: product.position)
      }
    }
    let start = rows.firstIndex { $0.name == rules?.start.value } ?? 0
    let states = SubscriptionState.allCases.map(\.rawValue)
    func add(_ name: String, _ kind: FactKind, _ names: [String], _ initial: FactValue) {
      guard reader.names.facts.append(name) else {
        return reader.error(
          "the plans declare the fact '\(name)', which is declared already", at: position,
          hint: "leave it out under 'facts', or give it another name there")
      }
      let fact = FactDeclaration(
        name: name, kind: kind, names: names, initial: initial, access: FactAccess(), position: position)
      reader.names.factDeclarations.append(fact)
      facts.append(fact)
    }
    add(Self.planFact, .name, rows.map(\.name), .name(start))
    add(Self.stateFact, .name, states, .name(0))
    add(Self.renewsFact, .truth, [], .truth(false))
    guard let fact = reader.names.facts.position(of: Self.planFact) else { return }
    room = ReminderLimit(fact: FactID(fact), limits: rows.map { limits(of: $0)?.reminders })
  }

  /// Returns the limits of a plan. A trial has the limits of the plan that `like` names.
  private func limits(of row: TableRow<AppPlan>) -> AppPlan? {
    guard let like = row.value?.trial?.like.value else { return row.value }
    return plans.first { $0.name == like }?.value
  }

  // MARK: Reminders

  /// Adds the conditions of the plans to every reminder. Declares the facts that state which reminders are
  /// active.
  package func lock(
    _ reminders: inout [DeclaredReminder], _ edits: inout [ReminderEdit], _ facts: inout [FactDeclaration]
  ) {
    guard let reader, let room else { return }
    for index in reminders.indices {
      lock(&reminders[index].declaration, at: reminders[index].position, reader)
    }
    for index in edits.indices { lock(&edits[index].declaration, at: edits[index].position, reader) }
    // Without a limit, every reminder is active.
    guard room.limits.contains(where: { $0 != nil }) else { return }
    let declarations = reminders.map(\.declaration)
    guard let plan = reader.names.factDeclarations[room.fact.index], !plan.initial.isMissing else { return }
    let first = Int(plan.initial.bits)
    let isLocked = declarations.map { ReminderLimit.isLocked($0, by: plan.name, at: first) }
    let places = room.places(ReminderLimit.initialOrder(declarations), at: first, isLocked: isLocked)
    for (index, reminder) in reminders.enumerated() {
      let name = ReminderLimit.factName(of: reminder.declaration.id)
      // A document that the tool has written already declares the fact.
      guard reader.names.facts.append(name) else { continue }
      let fact = FactDeclaration(
        name: name, kind: .truth, names: [], initial: .truth(places[index]), access: FactAccess(),
        position: reminder.position)
      reader.names.factDeclarations.append(fact)
      facts.append(fact)
      require(
        .init(.value(name), .equal, [.truth(true)], reason: .notEntitled), of: &reminders[index].declaration)
      for edit in edits.indices where edits[edit].reminder.index == index {
        require(
          .init(.value(name), .equal, [.truth(true)], reason: .notEntitled), of: &edits[edit].declaration)
      }
    }
  }

  private func lock(_ reminder: inout ReminderDeclaration, at position: SourcePosition, _ reader: Reader) {
    if plans.isEmpty { return }
    let allowed = plans.indices.filter { limits(of: plans[$0])?.allows(reminder) ?? true }
    if allowed.count == plans.count { return }
    if allowed.isEmpty {
      return reader.error(
        "no plan allows '\(reminder.id)'", at: position, hint: "allow it in one of the 'plans'")
    }
    require(
      .init(.value(Self.planFact), .equal, allowed.map { .name($0) }, reason: .notEntitled), of: &reminder)
  }

  /// Adds a condition that must hold at the match. When it no longer holds, pending and deferred requests are
  /// withdrawn.
  private func require(_ condition: FactCondition, of reminder: inout ReminderDeclaration) {
    reminder.conditions.append(.fact(condition))
    var opposite = condition
    opposite.comparison = .notEqual
    reminder.withdrawals.append(opposite)
  }

  // MARK: Time line

  /// Returns the time line. Each subscription step is replaced by actions that set facts.
  package func apply(to timeline: Timeline, devices: Int, until end: Instant) -> Timeline {
    guard let reader else { return timeline }
    guard let rules, !plans.isEmpty else {
      for entry in timeline.entries where entry.actions.contains(where: \.isOfSubscription) {
        reader.error(
          "there are no plans to subscribe to", at: entry.position, hint: "declare them under 'plans'")
      }
      return timeline
    }
    var history = SubscriptionHistory(plans, rules, timeline, reader)
    return history.applied(devices: devices, until: end)
  }
}

extension TimelineAction {
  var isOfSubscription: Bool { if case .subscription = self { true } else { false } }
}
