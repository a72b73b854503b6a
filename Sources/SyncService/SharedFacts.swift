import ReminderMatching
package import ScenarioModel
import TriggerModel

extension SyncService {
  /// The service of a scenario; nil: its devices share nothing.
  package init?(_ scenario: Scenario) {
    guard let setup = scenario.sync else { return nil }
    let positions = Dictionary(
      scenario.facts.enumerated().map { ($0.element.name, FactID($0.offset)) }, uniquingKeysWith: { $1 })
    var facts = scenario.reminders.map { Set($0.declaration.factNames.compactMap { positions[$0] }) }
    for edit in scenario.edits {
      facts[edit.reminder.index].formUnion(edit.declaration.factNames.compactMap { positions[$0] })
    }
    self.init(setup, facts: facts, devices: scenario.devices.count + 1)
  }
}

extension ReminderDeclaration {
  /// The facts that its triggers, schedule, conditions and withdrawals are about, with repetitions.
  fileprivate var factNames: [String] {
    let changes = triggers.flatMap { trigger -> [String] in
      if case .factChanged(let name) = trigger { return [name] }
      return trigger.countsFrom.map { [$0] } ?? []
    }
    let conditions = conditions.compactMap { if case .fact(let fact) = $0 { fact } else { nil } }
    return changes + (conditions + withdrawals).flatMap(\.facts)
  }
}

extension FactCondition {
  fileprivate var facts: [String] {
    switch quantity {
    case .value(let name), .age(let name), .days(let name), .time(let name): [name]
    case .ratio(let first, let second): [first, second]
    }
  }
}
