import DeviceSimulation
import ReminderMatching
import ScenarioModel
import TriggerModel

/// Which reminders ask for facts that the app may not read at present.
struct ReadingLedger: Sendable {
  /// By reminder.
  private let sources: [Set<FactSourceID>]
  private var denied: Set<FactSourceID> = []

  /// Of a run in which everything can be read.
  init() {
    sources = []
  }

  init(_ scenario: Scenario) {
    var sources = scenario.reminders.map { Self.sources(of: $0.declaration, scenario) }
    for edit in scenario.edits {
      sources[edit.reminder.index].formUnion(Self.sources(of: edit.declaration, scenario))
    }
    self.sources = sources
  }

  mutating func take(_ outcome: PhoneOutcome) {
    guard case .readingChanged(let source, let isAllowed) = outcome else { return }
    if isAllowed { denied.remove(source) } else { denied.insert(source) }
  }

  /// Whether the app looks at a reminder without knowing all that it asks for.
  func isBlind(_ reminder: ReminderID) -> Bool {
    !denied.isEmpty && reminder.index < sources.count && !sources[reminder.index].isDisjoint(with: denied)
  }

  private static func sources(of reminder: ReminderDeclaration, _ scenario: Scenario) -> Set<FactSourceID> {
    let names = Set(reminder.factNames)
    return Set(scenario.facts.filter { names.contains($0.name) }.compactMap(\.access.source))
  }
}
