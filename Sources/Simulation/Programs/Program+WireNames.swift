import DeviceSimulation
package import Journal
import NotificationGateway
import ReminderMatching
package import ScenarioModel
import TriggerModel

extension Program {
  /// The names behind the identifiers of its runs, as every record and every engine is given them.
  package var wireNames: WireNames { WireNames(shownScenario, reminders, links: links) }

  /// The same with all names of the scenario: for what is a scenario itself, and no record of a run.
  var ownNames: WireNames { WireNames(scenario, reminders, links: links) }

  /// The scenario as everybody but its author may see it: other apps that nobody chose have a number for a name.
  package var shownScenario: Scenario {
    let areChosen = areAppsChosen
    let taken = Set(zip(scenario.apps, areChosen).lazy.filter(\.1).map(\.0))
    var shown = scenario
    for index in shown.apps.indices where !areChosen[index] {
      // The same again for a scenario whose names have been taken away.
      shown.apps[index] = "not-chosen-\(index + 1)"
      while taken.contains(shown.apps[index]) { shown.apps[index] += "-" }
    }
    return shown
  }

  /// For each other app whether the person chose it: something of our app waits for it, or the story says so.
  package var areAppsChosen: [Bool] {
    var chosen = Set(scenario.app.milestones.lazy.flatMap(\.triggers).filter(\.isOfApp))
    // By position: who is handed a declaration takes a copy of it.
    for index in scenario.reminders.indices {
      chosen.formUnion(scenario.reminders[index].declaration.triggers.lazy.filter(\.isOfApp))
    }
    for index in scenario.edits.indices {
      chosen.formUnion(scenario.edits[index].declaration.triggers.lazy.filter(\.isOfApp))
    }
    let isSaid = Set(
      scenario.timeline.entries.lazy.flatMap(\.actions).compactMap { action -> AppID? in
        if case .event(.appChoice(let app, isChosen: true)) = action { app } else { nil }
      } + ([scenario.phone] + scenario.devices.map(\.setup)).flatMap { $0.chosenApps ?? [] })
    return scenario.apps.enumerated().map { chosen.contains(.appOpened($1)) || isSaid.contains(AppID($0)) }
  }
}

extension Trigger {
  fileprivate var isOfApp: Bool { if case .appOpened = self { true } else { false } }
}

extension WireNames {
  convenience init(_ scenario: Scenario, _ reminders: ReminderProgram, links: LinkBook?) {
    self.init(
      scenario, types: reminders.names.types, links: links?.texts ?? [],
      consumers: links?.registry.consumers ?? [],
      devices: [DeviceDeclaration.phone] + scenario.devices.map(\.name))
  }
}
