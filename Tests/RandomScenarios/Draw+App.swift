import CivilTime
import DeviceSimulation
import NotificationGateway
import PersonModel
import ReminderMatching
import ScenarioModel
import TestSupport
import TextFormats
import TriggerModel

extension Draw {
  mutating func drawLinks() {
    guard random.chance(50) else { return }
    var setup = LinkSetup(
      schemes: random.several(of: ["fitme", "app", "x-web+app"], 0...2),
      hosts: random.several(of: ["nav", "auth", "a.b"], 0...2),
      domains: random.several(of: ["example.org", "a.b-c.de"], 0...2),
      startUp: random.chance(50) ? span() : .zero)
    for _ in 0..<random.int(1...3) {
      let id = name()
      let patterns = (0..<random.int(1...2)).compactMap { _ in
        // Each pattern begins with a unique name, so the patterns are distinct.
        LinkPattern(name() + random.one(of: ["", "/{home|stats}", "/{flow}", "/plain/{any}", "/{rest...}"]))
      }
      setup.consumers.append(
        DeclaredConsumer(
          consumer: LinkConsumer(
            id: id, types: random.chance(40) ? random.several(of: types, 0...2) : nil, patterns: patterns,
            fallback: random.chance(30) ? text() : nil, isObserved: random.chance(80)), position: .start))
    }
    links = setup
  }

  mutating func drawApp() {
    for _ in 0..<(random.chance(60) ? 0 : random.int(1...3)) {
      app.milestones.append(
        Milestone(
          name: name(), triggers: (0..<random.int(1...2)).map { _ in momentTrigger() },
          conditions: conditions(0...2).filter { !$0.isPlace },
          priming: random.chance(50) ? priming() : nil, position: .start))
    }
    if !facts.isEmpty {
      for _ in 0..<(random.chance(60) ? 0 : random.int(1...3)) {
        app.surfaces.append(
          Surface(
            name: name(), unlockedBy: factConditions(1...2), benefit: random.chance(50) ? text() : "",
            remindedBy: random.chance(40) ? random.several(of: types, 0...2) : nil, position: .start))
      }
    }
    if random.chance(40) {
      app.analytics = AnalyticsSetup(hasConsent: random.chance(50), position: .start)
    }
  }

  private mutating func momentTrigger() -> Trigger {
    while true {
      let trigger = trigger()
      switch trigger {
      case .scheduled, .lapsed, .repeating, .regionEntered, .regionExited: continue
      default: return trigger
      }
    }
  }

  /// Returns a priming context that has either a known or a new name.
  mutating func priming() -> PrimingID {
    if !app.primings.isEmpty, random.chance(50) { return PrimingID(random.int(0...app.primings.count - 1)) }
    app.primings.append(name())
    return PrimingID(app.primings.count - 1)
  }

  // MARK: - Gates

  mutating func drawGates() {
    for _ in 0..<(random.chance(60) ? 0 : random.int(1...3)) {
      let (measure, words) = measure()
      let isShare =
        switch measure {
        case .share, .conversion: true
        case .lift, .weeklyActive: false
        }
      let highest = isShare ? 999_998 : 3_000_000_000
      let low = random.int(1...highest - 1)
      let high = random.int(low + 1...highest)
      let isUpwards = random.chance(50)
      let target = Bound(
        side: random.one(of: isUpwards ? [.atLeast, .above] : [.atMost, .below]),
        millionths: Int64(isUpwards ? high : low))
      let kill = Bound(
        side: random.one(of: isUpwards ? [.atMost, .below] : [.atLeast, .above]),
        millionths: Int64(isUpwards ? low : high))
      let published = Benchmark.published(for: measure)
      gates.append(
        Gate(
          name: random.chance(50) ? "\(name()) of \(name())" : "\(words) \(name())", measure: measure,
          words: random.chance(70) ? words : text(), target: target,
          kill: random.chance(60) ? Gate.KillCriterion(bound: kill, after: span()) : nil,
          benchmarks: random.chance(50) ? published : benchmarks(), position: .start))
    }
  }

  private mutating func benchmarks() -> [Benchmark] {
    (0..<random.int(1...2)).map { _ in
      Benchmark(
        millionths: Int64(random.int(0...2_000_000)), subject: random.chance(50) ? text() : "", source: text()
      )
    }
  }

  /// Returns a measure, and its short form.
  private mutating func measure() -> (Measure, String) {
    let group = group()
    switch random.int(0...4) {
    case 0:
      guard let goal = fact(.truth) else { break }
      let span = span()
      return (
        .conversion(of: group, goal: id(of: goal), within: span),
        "conversion of \(group.name) to \(goal.name) within \(span.inWords)"
      )
    case 1:
      guard let number = fact(.number) else { break }
      return (.lift(id(of: number), by: group), "lift of \(number.name) by \(group.name)")
    case 2:
      let isOfAll = random.chance(50)
      return (
        .weeklyActive(of: isOfAll ? nil : group), "weeklyActive" + (isOfAll ? "" : " of \(group.name)")
      )
    default: break
    }
    let metric = random.one(of: Metric.allCases.filter(\.isShare))
    let isOfAll = metric.isOfPerson || random.chance(50)
    return (
      .share(metric, of: isOfAll ? nil : group), metric.name + (isOfAll ? "" : " of \(group.name)")
    )
  }

  private mutating func group() -> ReminderGroup {
    let name = random.one(of: reminders.flatMap { [$0.declaration.id, $0.declaration.notification.type] })
    let ofType = reminders.indices.filter { reminders[$0].declaration.notification.type == name }
    let named = reminders.indices.filter { reminders[$0].declaration.id == name }
    return ReminderGroup(name: name, reminders: (ofType.isEmpty ? named : ofType).map { ReminderID($0) })
  }
}

extension Condition {
  fileprivate var isPlace: Bool {
    switch self {
    case .inside, .outside: true
    default: false
    }
  }
}

extension Draw {
  /// Returns a person with random deviations from the defaults, or `nil`.
  mutating func person() -> PersonSetup? {
    guard random.chance(40) else { return nil }
    var setup = PersonSetup(number: random.chance(50) ? 0 : random.next())
    for constant in TapConstant.allCases where random.chance(15) {
      setup.model[constant] = figure(constant.limits)
    }
    if random.chance(30) { setup.eagerness = figure(-20...20) }
    if random.chance(30) { setup.tolerance = figure(0...50) }
    if random.chance(50) {
      setup.organicOpens =
        random.chance(50)
        ? OrganicOpens(perDay: figure(0...20)) : OrganicOpens(perDay: figure(0...20), waking: window())
    }
    for type in types where random.chance(30) {
      setup.kinds[type] = random.one(of: TapModel.Kind.allCases)
    }
    return setup
  }

  /// Returns a number with at most six decimals.
  private mutating func figure(_ limits: ClosedRange<Double>) -> Double {
    Double(random.int(Int(limits.lowerBound * 1_000_000)...Int(limits.upperBound * 1_000_000))) / 1_000_000
  }
}
