import DeviceSimulation
import ScenarioModel
package import TextFormats
import TriggerModel

extension Program {
  /// Warnings about opened apps that are not a trigger of any reminder. No journal record names these apps.
  ///
  /// ``warnings`` does not contain them, so that the reports of a run do not list them.
  package var unusedAppWarnings: [Diagnostic] {
    var isKnown = areAppsChosen
    return scenario.timeline.entries.flatMap { entry in
      entry.actions.compactMap { action -> Diagnostic? in
        guard case .event(.openApp(let app)) = action, !isKnown[app.index] else { return nil }
        isKnown[app.index] = true
        let name = scenario.apps[app.index]
        return scenario.sources.diagnostic(
          "no reminder waits for the app '\(name)', so no record will name it",
          severity: .warning, at: entry.position,
          hint: "add a reminder with 'when: open app \(name)', or remove this event")
      }
    }
  }
}
