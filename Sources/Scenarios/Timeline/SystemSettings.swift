import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// What the user decides of our app, or of all of them, in the system's settings.
extension Grammar<TimelineAction> {
  static var systemSettings: [Phrase<TimelineAction>] {
    [
      Phrase("location services", .toggle) { .event(.locationServices($0)) },
      Phrase("exact alarms", .toggle) { .event(.exactAlarms($0)) },
      Phrase("channel", .typeID, "off") { .event(.channel($0, .off)) },
      Phrase("channel", .typeID, "silent") { .event(.channel($0, .silent)) },
      Phrase("channel", .typeID, "alerting") { .event(.channel($0, .alerting)) },
      // What Android calls a focus.
      Phrase("do not disturb", .toggle) { .event(.focus($0)) },
    ]
  }
}

extension Format<TimelineAction> {
  static func systemSettings(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    let type = fields.optional(
      "channel", .scalar(.typeID), "a notification type whose channel takes the importance 'importance'",
      from: { if case .event(.channel(let type, _)) = $0 { type } else { nil } })
    let importance = fields.optional(
      "importance", .scalar(.channelImportance), "with 'channel': how far its notifications may go",
      from: { if case .event(.channel(_, let importance)) = $0 { importance } else { nil } })
    if type != nil, !fields.isPresent("importance") {
      fields.error("'channel' needs 'importance'", at: "channel")
    }
    return [
      fields.event(
        "locationServices", .toggle, "the system's own switch for location", { .locationServices($0) }
      ) { if case .locationServices(let isOn) = $0 { isOn } else { nil } },
      fields.event(
        "exactAlarms", .toggle, "whether our app may use exact alarms", { .exactAlarms($0) }
      ) { if case .exactAlarms(let isOn) = $0 { isOn } else { nil } },
      ("channel", type.flatMap { type in importance.map { .event(.channel(type, $0)) } }),
    ]
  }
}

extension Atom<ChannelImportance> {
  static var channelImportance: Atom {
    .choice(
      "IMPORTANCE", "an importance: off, silent or alerting",
      ChannelImportance.allCases.map { (String(describing: $0), $0) })
  }
}
