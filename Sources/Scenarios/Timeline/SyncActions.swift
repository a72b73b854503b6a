import DeviceSimulation
import ScenarioModel
import TextFormats

/// What goes wrong between a device and the server of the person's devices: the short forms, and the keys of the
/// long ones.
enum SyncActions {
  static let plain: [(name: String, words: String, action: TimelineAction)] = [
    ("syncRepeats", "sync repeats next write", .event(.syncRepeats))
  ]

  static var phrases: [Phrase<TimelineAction>] {
    [
      Phrase("sync refuses next", .count(1...1_000_000), "writes") { .event(.syncRefuses(UInt32($0))) }
    ]
  }

  static func read(_ fields: Fields<TimelineAction>) -> [TimelineAction.Choice] {
    [
      fields.event(
        "syncRefuses", .count(1...1_000_000),
        "so many of the device's next changes are refused by the server",
        { .syncRefuses(UInt32($0)) }
      ) { if case .syncRefuses(let count) = $0 { Int(count) } else { nil } }
    ]
  }
}
