import CivilTime
import NotificationGateway
import ReminderEngine
import ReminderMatching
import TestBench
import Testing
import TriggerEngine
import TriggerModel

// The code of the products' articles, compiled and run. A test compares the two.

func milkReminders(zones: ZoneTable) throws -> ReminderEngine {
  let milk = ReminderDeclaration(
    id: "milk", triggers: [.unlock], conditions: [.timeWindow(DailyWindow(from: 16 * 60, to: 0))],
    repeats: .always, notification: NotificationDeclaration(type: "milk"))
  let program = try ReminderProgram(compiling: [milk], names: EngineNames())
  return ReminderEngine(program: program, zones: zones, zone: ZoneID(0))
}

func milkCaps(zones: ZoneTable) throws -> NotificationGateway {
  var policy = CapPolicy()
  policy.typeDailyCap = 2
  policy.minimumInterval = .hours(2)
  let compiled = try CompiledCapPolicy(policy, types: ["milk"])
  return NotificationGateway(policy: compiled, zones: zones, permission: .authorized)
}

struct App {
  var engine: BuiltInEngine
  var stored: [UInt8] = []
  var handedOver: [NotificationRequest] = []

  mutating func take(_ event: ObservedEvent) {
    var effects: [EngineEffect] = []
    engine.process(event, into: &effects)
    var hasMore = true
    while hasMore { hasMore = engine.settle(at: event.moment, into: &effects) }
    for effect in effects {
      switch effect {
      case .add(let request): handedOver.append(request)  // to UNUserNotificationCenter
      case .persist: stored = engine.storedState()
      default: break
      }
    }
  }
}

func failures(in folder: String) throws -> [String] {
  try Scenario.all(in: folder).flatMap { scenario in
    try scenario.run { $0.builtInEngine }.failures.map(\.description)
  }
}

/// An unlock on 2 March 2026 in Berlin.
private func unlock(at hour: Int64) -> ObservedEvent {
  let midnight = Instant(millisecondsSince1970: 1_772_406_000_000)
  let moment = Moment(
    wall: midnight + .hours(hour), uptime: Uptime(boot: 0, span: .hours(hour)), zone: ZoneID(0))
  return ObservedEvent(.unlock, at: moment)
}

@Suite("the code of the articles") struct ArticleTests {
  let zones: ZoneTable

  init() throws {
    var zones = ZoneTable()
    _ = try zones.intern("Europe/Berlin")
    self.zones = zones
  }

  @Test("a reminder makes a request when its conditions hold")
  func reminders() throws {
    var engine = try milkReminders(zones: zones)
    var effects: [EngineEffect] = []
    engine.process(unlock(at: 15), into: &effects)
    #expect(effects.requests.isEmpty)
    engine.process(unlock(at: 16), into: &effects)
    #expect(effects.requests.count == 1)
  }

  @Test("caps admit and deny, and an app continues from its stored state")
  func app() throws {
    let engine = BuiltInEngine(
      reminders: try milkReminders(zones: zones), gateway: try milkCaps(zones: zones))
    var app = App(engine: engine)
    for hour: Int64 in [15, 16, 17] { app.take(unlock(at: hour)) }
    #expect(app.handedOver.count == 1)

    // The process ends, and another one starts with the stored state.
    app.engine = engine
    var effects: [EngineEffect] = []
    let now = unlock(at: 18).moment
    app.engine.launch(
      ProcessLaunch(store: .bytes(app.stored), permission: .authorized, moment: now), into: &effects)
    for hour: Int64 in [18, 21] { app.take(unlock(at: hour)) }
    #expect(app.handedOver.count == 2)
  }

  @Test("the shipped scenarios pass")
  func scenarios() throws {
    #expect(try failures(in: Folder.scenarios).isEmpty)
  }
}

extension [EngineEffect] {
  fileprivate var requests: [NotificationRequest] {
    compactMap { if case .request(let request) = $0 { request } else { nil } }
  }
}
