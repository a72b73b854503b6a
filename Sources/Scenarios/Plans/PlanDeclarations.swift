import CivilTime
import DeviceSimulation
import ReminderMatching
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// Reads what a file says of plans, and makes facts, conditions and settings of facts of it: engine, wire and reports
/// know reminders and facts alone.
///
/// What is written of a scenario holds what was made of the plans, and no plans; but for
/// ``ScenarioModel/Scenario/asAuthored``.
package struct PlanDeclarations {
  /// The fact that says which plan the person has.
  static let planFact = "plan"
  /// The fact that says how the subscription stands: see ``SubscriptionState``.
  static let stateFact = "subscription"
  /// The fact that says whether the subscription is to renew.
  static let renewsFact = "subscription.renews"

  let plans: [TableRow<AppPlan>]
  let rules: SubscriptionRules?
  /// How many reminders may wait; nil: nobody counts.
  package private(set) var room: ReminderRoom?
  private let reader: Reader?

  /// Reads the sections, and adds what plans are to the facts. Their names are known from then on.
  package init(_ fields: Fields<Scenario>, _ facts: inout [FactDeclaration]) {
    reader = fields.reader
    let rows = fields.optional(
      "plans", .table(of: .plan, minimum: 1),
      "what the person can have of the app, by name: how many reminders, and of which kinds; 'plan' is a fact then",
      from: { $0.plans?.plans.unlessEmpty })
    let rules = fields.optional(
      "subscription", .subscription, "the plan without one, and how long the store waits for its money",
      from: { $0.plans?.subscription })
    plans = rows ?? []
    self.rules = rules
    if let reader, let rows {
      if !fields.isPresent("subscription") {
        fields.error(
          "plans need 'subscription'", at: "plans",
          hint: "say which one is first: 'subscription: {start: free}'")
      }
      checkNames(reader)
      declare(rows, at: fields.position(of: "plans"), &facts, reader)
    } else if let reader, rules != nil, !fields.isPresent("plans") {
      reader.error("there are no plans to subscribe to", at: fields.position(of: "subscription"))
    }
    let active = fields.optional(
      "activeReminders", .activeReminders,
      "how many reminders may wait at once, as a fact says: those made first; 'plans' say it with 'reminders'",
      from: { scenario in scenario.app.room.map { ActiveReminders($0, scenario) } })
    if let active, let reader {
      if rows != nil {
        fields.error(
          "'activeReminders' cannot stand beside 'plans'", at: "activeReminders",
          hint: "say it of each plan: 'free: {reminders: 3}'")
      } else {
        room = active.room(reader)
      }
    }
  }

  /// What was read, to be written again.
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
        reader.error("'\(name.value)' is a trial", at: name.position, hint: "name the plan that it is one of")
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
        reader.error("the product '\(product.name)' is sold already", at: product.position)
      }
    }
    let start = rows.firstIndex { $0.name == rules?.start.value } ?? 0
    let states = SubscriptionState.allCases.map(\.rawValue)
    func add(_ name: String, _ kind: FactKind, _ names: [String], _ initial: FactValue) {
      guard reader.names.facts.append(name) else {
        return reader.error(
          "the plans make a fact of the name '\(name)', which is declared already", at: position,
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
    room = ReminderRoom(fact: FactID(fact), limits: rows.map { limits(of: $0)?.reminders })
  }

  /// What a plan allows: of a trial, what the plan does of which it is one.
  private func limits(of row: TableRow<AppPlan>) -> AppPlan? {
    guard let like = row.value?.trial?.like.value else { return row.value }
    return plans.first { $0.name == like }?.value
  }

  // MARK: Reminders

  /// Gives every reminder the conditions under which the plan allows it, and the facts that say who has a place.
  package func lock(
    _ reminders: inout [DeclaredReminder], _ edits: inout [ReminderEdit], _ facts: inout [FactDeclaration]
  ) {
    guard let reader, let room else { return }
    for index in reminders.indices {
      lock(&reminders[index].declaration, at: reminders[index].position, reader)
    }
    for index in edits.indices { lock(&edits[index].declaration, at: edits[index].position, reader) }
    // Where nothing is counted, nobody asks who has a place.
    guard room.limits.contains(where: { $0 != nil }) else { return }
    let declarations = reminders.map(\.declaration)
    guard let plan = reader.names.factDeclarations[room.fact.index], !plan.initial.isMissing else { return }
    let first = Int(plan.initial.bits)
    let isLocked = declarations.map { ReminderRoom.isLocked($0, by: plan.name, at: first) }
    let places = room.places(ReminderRoom.initialOrder(declarations), at: first, isLocked: isLocked)
    for (index, reminder) in reminders.enumerated() {
      let name = ReminderRoom.factName(of: reminder.declaration.id)
      // A document that was written has it already.
      guard reader.names.facts.append(name) else { continue }
      let fact = FactDeclaration(
        name: name, kind: .truth, names: [], initial: .truth(places[index]), access: FactAccess(),
        position: reminder.position)
      reader.names.factDeclarations.append(fact)
      facts.append(fact)
      demand(
        .init(.value(name), .equal, [.truth(true)], reason: .notEntitled), of: &reminders[index].declaration)
      for edit in edits.indices where edits[edit].reminder.index == index {
        demand(
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
        "no plan allows '\(reminder.id)'", at: position, hint: "say under 'plans' which one does")
    }
    demand(
      .init(.value(Self.planFact), .equal, allowed.map { .name($0) }, reason: .notEntitled), of: &reminder)
  }

  /// It must hold at the match; and what is still to come, planned or put off, is taken back where it no longer holds.
  private func demand(_ condition: FactCondition, of reminder: inout ReminderDeclaration) {
    reminder.conditions.append(.fact(condition))
    var opposite = condition
    opposite.comparison = .notEqual
    reminder.withdrawals.append(opposite)
  }

  // MARK: Time line

  /// The time line in which facts are set where the subscription changes.
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
