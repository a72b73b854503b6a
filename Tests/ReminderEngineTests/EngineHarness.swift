import CivilTime
import ReminderEngine
import ReminderMatching
import TriggerModel

/// An engine with a clock, for tests that send one event after another.
struct EngineHarness {
  private(set) var engine: ReminderEngine
  private(set) var effects: [EngineEffect] = []
  var moment: Moment
  let program: ReminderProgram
  let zones: ZoneTable
  private let explainsMisses: Bool

  static let names = EngineNames(
    apps: ["maps", "mail"], regions: ["home", "shop"], facts: ["score", "goal", "since"])

  init(
    _ reminders: [ReminderDeclaration], edits: [ReminderDeclaration] = [], zones names: [String] = ["UTC"],
    at text: String, explainsMisses: Bool = false
  ) throws {
    var table = ZoneTable()
    for name in names { _ = try table.intern(name) }
    zones = table
    self.explainsMisses = explainsMisses
    program = try ReminderProgram(compiling: reminders, edits: edits, names: Self.names)
    moment = Moment(wall: Self.instant(text), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
    engine = ReminderEngine(
      program: program, zones: zones, zone: ZoneID(0), explainsMisses: explainsMisses)
  }

  /// Parses a time in UTC such as "2026-03-02 07:30".
  static func instant(_ text: String) -> Instant {
    let n = text.split(whereSeparator: { !$0.isNumber }).map { Int($0) ?? 0 }
    let day = CivilDate(year: n[0], month: n[1], day: n[2])
    return Instant(millisecondsSince1970: Int64(day.dayNumber) * 86_400_000)
      + .minutes(Int64(n[3] * 60 + n[4]))
  }

  /// Sets the clock to a time in UTC. The uptime advances too, unless the clock is set back.
  mutating func at(_ text: String) {
    let then = Self.instant(text)
    moment.uptime.span = moment.uptime.span + max(then - moment.wall, .zero)
    moment.wall = then
  }

  /// Processes an event and returns the ids of the reminders that make a request.
  @discardableResult
  mutating func tell(_ kind: ObservedEvent.Kind, _ subject: UInt32 = 0, value: Int64 = 0) -> [String] {
    effects = []
    engine.process(ObservedEvent(kind, subject: subject, value: value, at: moment), into: &effects)
    return effects.compactMap { effect in
      guard case .request(let request) = effect else { return nil }
      return program.declarations[request.id.reminder.index].id
    }
  }

  /// Reports an event about a request to the engine. Returns the ids of the reminders that then make a
  /// request.
  @discardableResult
  mutating func tell(_ kind: ObservedEvent.Kind, of request: RequestID) -> [String] {
    tell(kind, request.reminder.rawValue, value: Int64(request.occurrence))
  }

  /// Reports that the scheduler withdrew a request before its delivery.
  mutating func lose(_ request: RequestID) { answer(.remove(request, .preempted)) }

  /// Reports the scheduler's decision on a request.
  mutating func decide(_ request: NotificationRequest, _ outcome: Decision.Outcome) {
    answer(.decided(request, Decision(outcome: outcome, reason: outcome == .admit ? nil : .quietHours)))
  }

  /// Admits all requests of the last event.
  mutating func admitAll() {
    for request in requests { decide(request, .admit) }
  }

  mutating func answer(_ answer: EngineEffect) {
    effects = []
    engine.settled([answer], at: moment, into: &effects)
  }

  /// Replaces the process with one that is restored from the stored state.
  mutating func restart() throws(StoreProblem) {
    engine = try ReminderEngine(
      program: program, stored: engine.storedState(), zones: zones, zone: moment.zone,
      explainsMisses: explainsMisses)
  }

  /// Undoes a request that could not be decided.
  mutating func takeBack(_ request: NotificationRequest) { engine.takeBack(request, at: moment) }

  /// The requests that the last event caused.
  var requests: [NotificationRequest] {
    effects.compactMap { effect in
      guard case .request(let request) = effect else { return nil }
      return request
    }
  }

  /// The instants of the wake-ups that the last event requested.
  var wakes: [Instant] {
    effects.compactMap { effect in
      guard case .wake(_, let at) = effect else { return nil }
      return at
    }
  }

  mutating func explain(_ reminder: UInt32) -> Explanation? {
    engine.explain(ReminderID(reminder), at: moment)
  }
}

extension ReminderDeclaration {
  /// Creates a reminder with defaults for most properties.
  init(
    _ id: String, _ triggers: Trigger..., if conditions: [Condition] = [], repeats: Repeat = .always,
    expires: String? = nil
  ) {
    self.init(
      id: id, triggers: triggers, conditions: conditions, repeats: repeats,
      expires: expires.map(EngineHarness.instant) ?? .distantFuture,
      notification: NotificationDeclaration(type: id))
  }
}
