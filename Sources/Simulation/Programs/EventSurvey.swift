import DeviceSimulation
import ScenarioModel
import TriggerModel

/// The facts about a program's events that must be known before the run.
struct EventSurvey: Sendable {
  /// A response to a reminder that the time line declares.
  struct Response: Hashable {
    var device: UInt8
    var reminder: ReminderID
  }

  private(set) var count = 0
  private(set) var hasTaps = false
  /// The devices with events that state the charger or the battery level.
  private(set) var devicesWithBatteryEvents: DeviceSet = []
  /// The devices with unlock events.
  private(set) var devicesWithUnlocks: DeviceSet = []
  /// The declared responses.
  private(set) var responses: Set<Response> = []
  /// The offsets to which clocks are set, with the last instant of each.
  private var clocks: [TimeSpan: Instant] = [:]

  init() {}

  init(_ events: some Sequence<ProgramEvent>) {
    for event in events { note(event) }
  }

  /// The offsets to which clocks are set, in order of their last use.
  var clocksAhead: [TimeSpan] {
    clocks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  mutating func note(_ event: ProgramEvent) {
    count += 1
    switch event.event {
    // Most events are locks and unlocks.
    case .lock: break
    case .unlock: devicesWithUnlocks.insert(device: event.device)
    case .setClock(let span): clocks[span] = max(event.instant, clocks[span] ?? event.instant)
    default:
      if event.event.isAboutBattery { devicesWithBatteryEvents.insert(device: event.device) }
      if case .tap = event.event { hasTaps = true }
      if let reminder = event.event.answered {
        responses.insert(Response(device: event.device, reminder: reminder))
      }
    }
  }
}

/// For each tap of a program in chronological order, one bit: whether a later event says when the app leaves
/// the foreground.
struct TapEnds: Sendable {
  private var bits: [UInt64] = []
  private var count = 0

  /// - Complexity: O(n)
  init(_ events: some Sequence<ProgramEvent>) {
    // By device: the last tap, until another event concerns the app in the foreground.
    var open: [UInt8: Int] = [:]
    for event in events {
      switch event.event {
      case .tap:
        open[event.device] = count
        if count % 64 == 0 { bits.append(0) }
        count += 1
      case .openOwnApp, .openLink: open[event.device] = nil
      case .leaveOwnApp, .forceQuit, .terminate, .openApp, .powerOff, .reinstall:
        if let tap = open.removeValue(forKey: event.device) { bits[tap / 64] |= 1 << UInt64(tap % 64) }
      default: break
      }
    }
  }

  subscript(tap: Int) -> Bool { bits[tap / 64] & 1 << UInt64(tap % 64) != 0 }

  /// Marks the taps among events.
  static func mark(_ events: inout [ProgramEvent]) {
    let ends = TapEnds(events)
    if ends.count == 0 { return }
    var tap = 0
    for index in events.indices {
      guard case .tap = events[index].event else { continue }
      events[index].isEndSaid = ends[tap]
      tap += 1
    }
  }
}
