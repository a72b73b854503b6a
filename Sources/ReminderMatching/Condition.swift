public import CivilTime
package import TriggerModel

/// A condition that must hold at the instant of the trigger.
public enum Condition: Hashable, Sendable {
  /// The local time of day is in the window.
  case timeWindow(DailyWindow)
  /// The local weekday is in the set.
  case weekdays(WeekdaySet)
  /// The phone is inside or outside the region with this name, according to the system's last report.
  case inside(String), outside(String)
  /// The phone is charging (`true`) or not charging (`false`).
  case charging(Bool)
  /// The comparison of a fact holds.
  case fact(FactCondition)
}

/// A condition with identifiers instead of names.
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

  /// The facts that the condition depends on.
  package var facts: [FactID] {
    if case .fact(let condition) = self { condition.facts } else { [] }
  }

  /// Whether the condition depends on the time of day or the weekday only.
  package var isOfCalendar: Bool {
    switch self {
    case .timeWindow, .weekdays: true
    case .charging, .inside, .outside, .fact: false
    }
  }

  /// Whether the condition depends on the charger only.
  package var isOfCharger: Bool { if case .charging = self { true } else { false } }

  /// Whether the condition depends on state that the system reports to a new process: charging and regions.
  var dependsOnDeviceState: Bool {
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

  /// Assigns a condition to its row, or to the residual conditions if the row already has another condition.
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
      if result.plan.factsInRows.count < FactTerm.maximumCount { result.plan.factsInRows.append(fact) }
    }
  }
}

extension ReminderProgram {
  /// The number of regions that have a bit in a view. They are the first regions of the program. See
  /// `hasBit`.
  @inlinable @inline(__always) package static var regionBits: UInt32 { 28 }
}

extension RegionID {
  /// Whether the region has a bit in a view, and rows of its own. In a program with few regions, all of them
  /// have. Conditions on other regions are evaluated individually.
  package var hasBit: Bool { rawValue < ReminderProgram.regionBits }
}

extension LocalView {
  private func isInside(_ region: RegionID, _ facts: FactStore) -> Bool {
    region.hasBit ? inside >> region.rawValue & 1 == 1 : facts.farRegions.contains(region)
  }

  /// Returns the reason to report if the condition fails, or `nil` if it holds.
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
  /// The region that the condition names, or `nil`.
  package var region: String? {
    switch self {
    case .inside(let name), .outside(let name): name
    case .timeWindow, .weekdays, .charging, .fact: nil
    }
  }
}
