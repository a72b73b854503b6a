import DeviceSimulation
import ScenarioModel
import TriggerModel

/// What must be known of the events of a program before the first of them happens.
struct EventSurvey: Sendable {
  /// Somebody's answer to a reminder.
  struct Answer: Hashable {
    var device: UInt8
    var reminder: ReminderID
  }

  private(set) var count = 0
  private(set) var hasTaps = false
  /// Devices of which something is said of the charger or the level.
  private(set) var batteriesTold: DeviceSet = []
  /// Devices of which it is said when they are unlocked.
  private(set) var unlocked: DeviceSet = []
  /// What is answered as somebody says.
  private(set) var answers: Set<Answer> = []
  /// How far ahead clocks are set, and when last.
  private var clocks: [TimeSpan: Instant] = [:]

  init() {}

  init(_ events: some Sequence<ProgramEvent>) {
    for event in events { note(event) }
  }

  /// How far ahead clocks are set, in the order in which they are last.
  var clocksAhead: [TimeSpan] {
    clocks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  mutating func note(_ event: ProgramEvent) {
    count += 1
    switch event.event {
    // The many first.
    case .lock: break
    case .unlock: unlocked.insert(device: event.device)
    case .setClock(let span): clocks[span] = max(event.instant, clocks[span] ?? event.instant)
    default:
      if event.event.tellsOfBattery { batteriesTold.insert(device: event.device) }
      if case .tap = event.event { hasTaps = true }
      if let reminder = event.event.answered {
        answers.insert(Answer(device: event.device, reminder: reminder))
      }
    }
  }
}
