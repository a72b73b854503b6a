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
