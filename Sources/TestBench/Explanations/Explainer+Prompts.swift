import DeviceSimulation
import ScenarioModel
import Simulation
import Statistics
import TriggerModel

extension Explainer {
  /// The last prompt before an instant for each permission that a declaration uses, in words.
  ///
  /// - Parameter declaration: By position; those of edits stand behind those of reminders.
  static func prompts(
    for declaration: Int, before instant: Instant, in account: AppAccount, of program: Program
  ) -> [String] {
    let uses = program.app.permissions.uses[declaration]
    return PermissionKind.allCases.filter { uses.contains($0) }.compactMap { kind in
      guard
        let prompt = account.entries.last(where: {
          $0.event == .permissionRequested(kind) && $0.instant <= instant
        })
      else { return nil }
      let events = account.entries.filter { $0.instant == prompt.instant }.map(\.event)
      let answer =
        events.contains(.permissionGranted(kind))
        ? "granted" : events.contains(.permissionDenied(kind)) ? "denied" : "closed without an answer"
      let early = events.contains(.promptEarly(kind)) ? ", before its need" : ""
      return "\(kind.words) at \(RunWords(program).time(prompt.moment))\(early): \(answer)"
    }
  }
}

extension PermissionKind {
  fileprivate var words: String {
    switch self {
    case .notifications: "notifications"
    case .location: "location"
    case .screenTime: "Screen Time"
    }
  }
}
