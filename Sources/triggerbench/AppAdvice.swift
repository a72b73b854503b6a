import DeviceSimulation
import ScenarioModel
import Simulation
import TextFormats
import TriggerModel

/// Points at what happens in other apps that nobody chose, as `check` does: a story may mean it, and its author
/// should know that no record will name them.
///
/// It is said by `check` alone, for a run's warnings stand in its reports.
enum AppAdvice {
  static func diagnostics(_ program: Program) -> [Diagnostic] {
    let scenario = program.scenario
    var isSaid = program.areAppsChosen
    return scenario.timeline.entries.flatMap { entry in
      entry.actions.compactMap { action -> Diagnostic? in
        guard case .event(.openApp(let app)) = action, !isSaid[app.index] else { return nil }
        isSaid[app.index] = true
        let name = scenario.apps[app.index]
        return scenario.sources.diagnostic(
          "nobody chose the app '\(name)': no reminder waits for it, and no record names it",
          severity: .warning, at: entry.position,
          hint: "let a reminder wait for it, as in 'when: open app \(name)', or leave this out")
      }
    }
  }
}
