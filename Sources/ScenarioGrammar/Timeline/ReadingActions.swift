import ScenarioModel
import TextFormats
import DeviceSimulation

/// Denying and allowing our app to read a source of facts.
extension Format<TimelineAction> {
  static func readingActions(_ fields: Fields) -> [(String, TimelineAction?)] {
    func action(_ key: String, _ doc: String, isAllowed: Bool) -> (String, TimelineAction?) {
      let source = fields.optional(key, .scalar(.factSourceID), doc)
      return (key, source.map { .event(.reading($0, isAllowed: isAllowed)) })
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
