public import CivilTime
package import TriggerModel

/// What must hold at the instant of the trigger.
public enum Condition: Hashable, Sendable {
  /// The local time of day lies in the window.
  case timeWindow(DailyWindow)
  /// The local weekday is one of these.
  case weekdays(WeekdaySet)
  /// The phone is in the region of this name, or outside: that it is until the system says otherwise.
  case inside(String), outside(String)
  /// The phone is on the charger, or is not.
  case charging(Bool)
  /// What the app knows compares as asked for.
  case fact(FactCondition)
}

/// A condition with identifiers in place of names.
package enum CompiledCondition: Hashable, Sendable {
  case timeWindow(DailyWindow)
  case weekdays(WeekdaySet)
  case inside(RegionID)
  case outside(RegionID)
  case charging(Bool)
  case fact(CompiledFactCondition)

  var kinds: ConditionKinds {
    switch self {
    case .timeWindow: .timeWindow
    case .weekdays: .weekdays
    case .inside, .outside: .region
    case .charging: .charging
    case .fact: .fact
    }
  }

  /// The facts that it is about.
  package var facts: [FactID] {
    if case .fact(let condition) = self { condition.facts } else { [] }
  }

  /// Whether it is about what the system tells a new process or installation: charger and place.
  var isOfState: Bool {
    switch self {
    case .charging, .inside, .outside: true
    case .timeWindow, .weekdays, .fact: false
    }
  }
}

extension NameResolver {
  func resolve(_ condition: Condition, in declaration: ReminderDeclaration)
    throws(ReminderCompileError) -> CompiledCondition
  {
    switch condition {
    case .timeWindow(let window): return .timeWindow(window)
    case .weekdays(let days): return .weekdays(days)
    case .charging(let wanted): return .charging(wanted)
    case .inside(let name): return .inside(try known(names.region(name), name, declaration))
    case .outside(let name): return .outside(try known(names.region(name), name, declaration))
    case .fact(let fact): return .fact(try resolve(fact, in: declaration))
    }
  }

  /// Gives a condition its row, or a place among the rest when the row is taken.
  func sort(_ condition: CompiledCondition, into result: inout CompiledReminder) {
    switch condition {
    case .weekdays(let days): result.weekdays.formIntersection(days)
    case .charging(let wanted): result.charging &= wanted ? 0b10 : 0b01
    case .timeWindow(let window) where result.window == nil: result.window = window
    case .inside(let id) where result.region == nil && id.hasBit: result.region = (id, true)
    case .outside(let id) where result.region == nil && id.hasBit: result.region = (id, false)
    case .timeWindow, .inside, .outside: result.plan.residual.append(condition)
    case .fact(let fact):
      result.plan.residual.append(condition)
      if result.plan.factsInRows.count < FactTerm.most { result.plan.factsInRows.append(fact) }
    }
  }
}

extension ReminderProgram {
  /// So many regions have a bit in what a view says: the first. See `hasBit`.
  @inlinable @inline(__always) package static var regionBits: UInt32 { 28 }
}

extension RegionID {
  /// Whether it has a bit in what a view says of regions, and so rows of its own. Programs of few regions have
  /// nothing else; what is asked about the others is looked up one by one.
  package var hasBit: Bool { rawValue < ReminderProgram.regionBits }
}

extension LocalView {
  private func isInside(_ region: RegionID, _ facts: FactStore) -> Bool {
    region.hasBit ? inside >> region.rawValue & 1 == 1 : facts.farRegions.contains(region)
  }

  /// Nil when the condition holds, otherwise the reason to report.
  package func failure(_ condition: CompiledCondition, facts: FactStore, zone: Zone) -> Reason? {
    switch condition {
    case .timeWindow(let window): window.contains(hands) ? nil : .conditionFailed
    case .weekdays(let days): days.contains(weekday) ? nil : .conditionFailed
    case .charging(let wanted): isCharging == wanted ? nil : .conditionFailed
    case .inside(let region): isInside(region, facts) ? nil : .conditionFailed
    case .outside(let region): isInside(region, facts) ? .conditionFailed : nil
    case .fact(let fact): fact.failure(in: facts, at: moment, zone: zone)
    }
  }
}

extension Condition {
  /// The region that it names.
  package var region: String? {
    switch self {
    case .inside(let name), .outside(let name): name
    case .timeWindow, .weekdays, .charging, .fact: nil
    }
  }
}
