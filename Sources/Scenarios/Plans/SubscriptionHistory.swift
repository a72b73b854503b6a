import CivilTime
import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// What becomes of a subscription: the steps of a time line one after the other, and what follows from them by the
/// store's rules when its time has come.
struct SubscriptionHistory {
  private let plans: [TableRow<AppPlan>]
  private let rules: SubscriptionRules
  private let reader: Reader
  private var timeline: Timeline

  private var state = SubscriptionState.none
  private var renews = false
  private var plan: String
  private var hadTrial = false
  /// When a period began last that was not bought.
  private var renewed: Instant?
  /// The next renewal will fail.
  private var failsNext = false
  /// The line of the last step: what follows from it is said of that line.
  private var position = SourcePosition.start
  private var next: Deadline?

  /// What comes by itself, and when.
  private struct Deadline {
    enum Kind {
      case trialEnds(then: String)
      case periodEnds(CalendarSteps)
      case graceEnds(retryEnds: Instant)
      case retryEnds
    }

    var instant: Instant
    var kind: Kind
  }

  init(_ plans: [TableRow<AppPlan>], _ rules: SubscriptionRules, _ timeline: Timeline, _ reader: Reader) {
    self.plans = plans
    self.rules = rules
    self.timeline = timeline
    self.reader = reader
    plan = rules.start.value
  }

  // MARK: The time line

  mutating func applied(devices: Int, until end: Instant) -> Timeline {
    var steps: [(instant: Instant, entry: Int)] = []
    for (index, entry) in timeline.entries.enumerated()
    where entry.actions.contains(where: \.isOfSubscription) {
      guard case .once(let instant) = entry.timing else {
        reader.error(
          "a step of a subscription cannot repeat", at: entry.position, hint: "write one entry for each")
        continue
      }
      steps.append((instant, index))
    }
    steps.sort { ($0.instant, $0.entry) < ($1.instant, $1.entry) }
    // What comes by itself comes before what else happens at its instant.
    var before: [TimelineEntry] = []
    var behind: [Int: [TimelineEntry]] = [:]
    for step in steps {
      passDeadlines(through: step.instant, devices, into: &before)
      position = timeline.entries[step.entry].position
      var actions: [TimelineAction] = []
      for action in timeline.entries[step.entry].actions {
        guard case .subscription(let taken) = action else {
          actions.append(action)
          continue
        }
        actions += changes { $0.take(taken, at: step.instant) }
      }
      // The person's other devices learn of it too.
      let facts = actions.filter { if case .event(.fact) = $0 { true } else { false } }
      timeline.entries[step.entry].actions = actions
      behind[step.entry] = entries(facts, at: step.instant, devices).filter {
        $0.device != timeline.entries[step.entry].device
      }
    }
    passDeadlines(through: end, devices, into: &before)
    before.removeAll { if case .once(let instant) = $0.timing { instant >= end } else { false } }
    timeline.entries =
      before
      + timeline.entries.enumerated().flatMap { index, entry in
        // A step that changes no fact is nothing that happens to the phone.
        entry.actions.isEmpty ? [] : [entry] + (behind[index] ?? [])
      }
    return timeline
  }

  private mutating func passDeadlines(
    through instant: Instant, _ devices: Int, into entries: inout [TimelineEntry]
  ) {
    while let deadline = next, deadline.instant <= instant {
      let actions = changes { $0.pass(deadline) }
      entries += self.entries(actions, at: deadline.instant, devices)
    }
  }

  /// One entry for each device.
  private func entries(_ actions: [TimelineAction], at instant: Instant, _ devices: Int) -> [TimelineEntry] {
    if actions.isEmpty { return [] }
    return (0..<devices).map {
      TimelineEntry(timing: .once(instant), actions: actions, device: UInt8($0), position: position)
    }
  }

  /// The facts that take another value by what the body does.
  private mutating func changes(_ body: (inout Self) -> Void) -> [TimelineAction] {
    let old = self
    body(&self)
    var actions: [TimelineAction] = []
    func set(_ fact: String, _ value: FactValue) {
      guard let id = reader.names.facts.position(of: fact) else { return }
      actions.append(.event(.fact(FactID(id), value)))
    }
    if state != old.state, let index = SubscriptionState.allCases.firstIndex(of: state) {
      set(PlanDeclarations.stateFact, .name(index))
    }
    if renews != old.renews { set(PlanDeclarations.renewsFact, .truth(renews)) }
    if plan != old.plan, let index = plans.firstIndex(where: { $0.name == plan }) {
      set(PlanDeclarations.planFact, .name(index))
    }
    return actions
  }

  // MARK: Steps

  private mutating func take(_ step: SubscriptionStep, at now: Instant) {
    switch step {
    case .startTrial: startTrial(at: now)
    case .buy(let product): buy(product, at: now)
    case .cancel:
      // The store does not try again what is not wanted any more.
      if state == .inBillingRetryPeriod { return end(.expired) }
      guard isEntitled, renews else { return refuse("there is no subscription that renews") }
      (renews, failsNext) = (false, false)
    case .renewalFails:
      guard state == .subscribed, renews else { return refuse("there is no subscription that renews") }
      // What is paid for is not lost: the store charges when the next period begins.
      if let renewed, now - renewed < .days(1) { return fail(at: now) }
      failsNext = true
    case .renewalRecovers:
      if failsNext { return failsNext = false }
      guard state == .inGracePeriod || state == .inBillingRetryPeriod, let paid else {
        return refuse("no renewal has failed")
      }
      begin(paid, at: now)
    case .refund:
      guard state != .none, state != .revoked, state != .expired else {
        return refuse("there is nothing to pay back")
      }
      end(.revoked)
    case .expire:
      guard state != .none, state != .revoked, state != .expired else {
        return refuse("there is no subscription")
      }
      end(.expired)
    }
  }

  private var isEntitled: Bool { state == .subscribed || state == .inGracePeriod }

  /// What the person pays for, and pays for again.
  private var paid: (plan: String, period: BillingPeriod)?

  private func refuse(_ message: String) {
    reader.error("\(message) then", at: position, hint: "'start trial' or 'buy PRODUCT' begins one")
  }

  /// The store could not charge for the period that begins now.
  private mutating func fail(at now: Instant) {
    failsNext = false
    let retryEnds = now + rules.billingRetry
    if rules.gracePeriod == .zero { return lose(untilRetryEnds: retryEnds) }
    state = .inGracePeriod
    next = Deadline(instant: now + rules.gracePeriod, kind: .graceEnds(retryEnds: retryEnds))
  }

  private mutating func startTrial(at now: Instant) {
    guard let row = plans.first(where: { $0.value?.trial != nil }), let trial = row.value?.trial else {
      return reader.error(
        "no plan is a trial", at: position,
        hint: "declare one: 'trial: {as: \(plans.last?.name ?? "paid"), lasts: 7 days, then: \(plan)}'")
    }
    if isEntitled { return reader.error("the person has a subscription then", at: position) }
    if hadTrial { return reader.error("a trial comes once", at: position) }
    hadTrial = true
    plan = row.name
    state = .subscribed
    renews = trial.then.value != rules.start.value
    next = Deadline(instant: end(of: trial, from: now), kind: .trialEnds(then: trial.then.value))
  }

  private mutating func buy(_ product: Int, at now: Instant) {
    let all = plans.flatMap { row in (row.value?.products ?? []).map { (row.name, $0) } }
    guard all.indices.contains(product), let period = all[product].1.value else { return }
    begin((all[product].0, period), at: now)
  }

  private mutating func begin(_ what: (plan: String, period: BillingPeriod), at now: Instant) {
    paid = what
    plan = what.plan
    state = .subscribed
    renews = true
    let zone = reader.zones[timeline.zone(at: now)]
    awaitEnd(of: CalendarSteps(what.period.frequency, from: now, in: zone), after: now)
  }

  private mutating func awaitEnd(of dates: CalendarSteps, after start: Instant) {
    next = dates.next(after: start).map { Deadline(instant: $0, kind: .periodEnds(dates)) }
  }

  private mutating func lose(untilRetryEnds retryEnds: Instant) {
    state = .inBillingRetryPeriod
    plan = rules.start.value
    next = Deadline(instant: retryEnds, kind: .retryEnds)
  }

  private mutating func end(_ how: SubscriptionState) {
    state = how
    renews = false
    plan = rules.start.value
    next = nil
    paid = nil
    // A renewal that does not come cannot fail.
    failsNext = false
  }

  // MARK: What comes by itself

  private mutating func pass(_ deadline: Deadline) {
    next = nil
    switch deadline.kind {
    case .trialEnds(let follower):
      guard renews, follower != rules.start.value else { return end(.expired) }
      let product = plans.first { $0.name == follower }?.value?.products.first?.value
      begin((follower, product ?? .month), at: deadline.instant)
      renewed = deadline.instant
      if failsNext { fail(at: deadline.instant) }
    case .periodEnds(let dates):
      guard renews else { return end(.expired) }
      awaitEnd(of: dates, after: deadline.instant)
      renewed = deadline.instant
      if failsNext { fail(at: deadline.instant) }
    case .graceEnds(let retryEnds):
      guard renews else { return end(.expired) }
      lose(untilRetryEnds: retryEnds)
    case .retryEnds: end(.expired)
    }
  }

  /// By the trial's own rule; see ``TrialEnd``.
  private func end(of trial: AppPlan.Trial, from now: Instant) -> Instant {
    guard trial.ends == .midnight else { return now + trial.lasts }
    let days = Int(trial.lasts.milliseconds / TimeSpan.days(1).milliseconds)
    let last = reader.zones[timeline.zone(at: now)].local(at: now).date + days
    for (index, stay) in timeline.stays.enumerated() {
      let isLast = index + 1 == timeline.stays.count
      let leaves = isLast ? Instant.distantFuture : timeline.stays[index + 1].from
      if leaves <= now { continue }
      let midnight = reader.zones[stay.zone].startOfDay(last)
      // Who flies east over it has it behind them on arrival.
      if midnight < leaves { return max(midnight, max(stay.from, now)) }
    }
    return now + trial.lasts
  }
}
