import CivilTime
import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// The renewal state of a subscription, with the names of StoreKit, or `none` if there was no subscription
/// yet. The person is entitled in the states `subscribed` and `inGracePeriod`.
/// (developer.apple.com/documentation/storekit/product/subscriptioninfo/renewalstate)
enum SubscriptionState: String, CaseIterable {
  case none, subscribed, inGracePeriod, inBillingRetryPeriod, expired, revoked
}

/// Computes the state of a subscription over time. It combines the steps on the time line with the automatic
/// changes that the store's rules cause.
struct SubscriptionHistory {
  private let plans: [TableRow<AppPlan>]
  private let rules: SubscriptionRules
  private let reader: Reader
  private var timeline: Timeline

  private var state = SubscriptionState.none
  private var renews = false
  private var plan: String
  /// The billing dates, counted from the purchase.
  private var dates: CalendarSteps?
  private var hadTrial = false
  /// The start of the current period if a renewal began it; `nil` if a purchase did.
  private var renewed: Instant?
  /// Whether the next renewal will fail.
  private var failsNext = false
  /// The position of the last step, where problems with automatic changes are reported.
  private var position = SourcePosition.start
  private var next: Deadline?

  /// An automatic change and its instant.
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
    // At equal instants, automatic changes precede all other entries.
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
      // The person's other devices observe the change too.
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
        // The phone does not observe a step that changes no fact, so omit the step.
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

  /// Returns one entry for each device.
  private func entries(_ actions: [TimelineAction], at instant: Instant, _ devices: Int) -> [TimelineEntry] {
    if actions.isEmpty { return [] }
    return (0..<devices).map {
      TimelineEntry(timing: .once(instant), actions: actions, device: UInt8($0), position: position)
    }
  }

  /// Returns the actions that set the facts which the body changes.
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
      // The store does not retry a renewal that the person cancelled.
      if state == .inBillingRetryPeriod { return end(.expired) }
      guard isEntitled, renews else { return refuse("there is no subscription that renews") }
      (renews, failsNext) = (false, false)
    case .renewalFails:
      guard state == .subscribed, renews else { return refuse("there is no subscription that renews") }
      // The store charges at the start of a period. The failure affects a renewal within the last day, or
      // else the next renewal.
      if let renewed, now - renewed < .days(1) { return fail(at: now) }
      failsNext = true
    case .renewalRecovers:
      if failsNext { return failsNext = false }
      guard state == .inGracePeriod || state == .inBillingRetryPeriod, let paid else {
        return refuse("no renewal has failed")
      }
      // During the grace period, the billing dates stay the same. After it, billing starts again.
      if state == .inGracePeriod, let dates {
        state = .subscribed
        awaitEnd(of: dates, after: now)
      } else {
        begin(paid, at: now)
      }
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

  /// The plan and the billing period for which the person pays.
  private var paid: (plan: String, period: BillingPeriod)?

  private func refuse(_ message: String) {
    reader.error("\(message) then", at: position, hint: "'start trial' or 'buy PRODUCT' begins one")
  }

  /// Handles the failure of a charge at the start of a period.
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
    if isEntitled { return reader.error("the person has a subscription already", at: position) }
    if hadTrial { return reader.error("a person can have only one trial", at: position) }
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
    let dates = CalendarSteps(what.period.frequency, from: now, in: zone)
    self.dates = dates
    awaitEnd(of: dates, after: now)
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
    // A cancelled renewal cannot fail.
    failsNext = false
  }

  // MARK: Automatic changes

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

  /// Returns the end of a trial according to its ``TrialEnd``.
  private func end(of trial: AppPlan.Trial, from now: Instant) -> Instant {
    guard trial.ends == .midnight else { return now + trial.lasts }
    let days = Int(trial.lasts.milliseconds / TimeSpan.days(1).milliseconds)
    let last = reader.zones[timeline.zone(at: now)].local(at: now).date + days
    for (index, stay) in timeline.stays.enumerated() {
      let isLast = index + 1 == timeline.stays.count
      let leaves = isLast ? Instant.distantFuture : timeline.stays[index + 1].from
      if leaves <= now { continue }
      let midnight = reader.zones[stay.zone].startOfDay(last)
      // If a flight to the east skips midnight, the trial ends on arrival.
      if midnight < leaves { return max(midnight, max(stay.from, now)) }
    }
    return now + trial.lasts
  }
}
