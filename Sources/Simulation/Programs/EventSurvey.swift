import DeviceSimulation
import ScenarioModel
import TriggerModel

/// Properties of a program's events that the compiler needs before the run.
struct EventSurvey: Sendable {
  /// A response that the time line declares: the device, and the answered reminder.
  struct Response: Hashable {
    var device: UInt8
    var reminder: ReminderID
  }

  private(set) var count = 0
  private(set) var hasTaps = false
  /// The devices with events of the charger or the battery level.
  private(set) var devicesWithBatteryEvents: DeviceSet = []
  /// The devices with unlock events.
  private(set) var devicesWithUnlocks: DeviceSet = []
  /// The declared responses.
  private(set) var responses: Set<Response> = []
  /// The last instant at which a clock is set to each offset.
  private var clocks: [TimeSpan: Instant] = [:]

  init() {}

  init(_ events: some Sequence<ProgramEvent>) {
    for event in events { note(event) }
  }

  /// The offsets to which clocks are set, ordered by their last use.
  var clocksAhead: [TimeSpan] {
    clocks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  mutating func note(_ event: ProgramEvent) {
    count += 1
    switch event.event {
    // Most events are locks and unlocks, so handle them first.
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

/// Records, for each tap, whether a later event declares when the app leaves the foreground. It stores one
/// bit per tap, in chronological order.
struct TapEnds: Sendable {
  private var bits: [UInt64] = []
  private var count = 0

  /// - Complexity: O(n) in the number of events.
  init(_ events: some Sequence<ProgramEvent>) {
    // The last tap on each device, unless a later event already opened or left the app.
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

  /// Marks each tap whose session a later event ends.
  static func mark(_ events: inout [ProgramEvent]) {
    let ends = TapEnds(events)
    if ends.count == 0 { return }
    var tap = 0
    for index in events.indices {
      guard case .tap = events[index].event else { continue }
      events[index].hasDeclaredEnd = ends[tap]
      tap += 1
    }
  }
}
