import DeviceSimulation
import ScenarioModel
import TextFormats

/// Denying and allowing our app to read a source of facts.
extension Format<TimelineAction> {
  static func readingActions(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    func action(_ key: String, _ doc: String, isAllowed: Bool) -> TimelineAction.Choice {
      fields.event(key, .factSourceID, doc, { .reading($0, isAllowed: isAllowed) }) {
        if case .reading(let source, isAllowed) = $0 { source } else { nil }
      }
    }
    return [
      action("denyReading", "a source of facts that our app may no longer read", isAllowed: false),
      action("allowReading", "a source of facts that our app may read again", isAllowed: true),
    ]
  }
}

extension Grammar<TimelineAction> {
  static var reading: [Phrase<TimelineAction>] {
    [
      Phrase("deny reading", .factSourceID) { .event(.reading($0, isAllowed: false)) },
      Phrase("allow reading", .factSourceID) { .event(.reading($0, isAllowed: true)) },
    ]
  }
}
