import TestBench
import TestBenchTesting
import Testing
import TriggerModel

/// Tests an engine on every scenario in five lines. A failure is an issue at the scenario's line.
@Test("the built-in engine", arguments: try Scenario.all(in: Folder.scenarios))
func builtIn(_ scenario: Scenario) throws {
  try scenario.run { $0.builtInEngine }.recordFailures()
}

/// Requests the first reminder at every unlock, without caps.
struct ToyEngine: EngineUnderTest {
  var count: UInt32 = 0
  var asked: NotificationRequest?

  mutating func launch(_ launch: ProcessLaunch, into effects: inout [EngineEffect]) {}
  mutating func open(_ store: StoreContents, into effects: inout [EngineEffect]) {}
  func storedState() -> [UInt8] { [] }

  mutating func process(_ event: ObservedEvent, into effects: inout [EngineEffect]) {
    guard event.kind == .unlock else { return }
    let id = RequestID(reminder: ReminderID(0), occurrence: count)
    let now = event.moment.wall
    let request = NotificationRequest(
      id: id, type: TypeID(0), bucket: .user, scheduledFor: now, deliverAt: now)
    count += 1
    asked = request
    effects.append(.request(request))
  }

  mutating func settle(at moment: Moment, into effects: inout [EngineEffect]) -> Bool {
    guard let request = asked else { return false }
    asked = nil
    effects += [.decided(request, .admitted), .add(request)]
    return false
  }
}

@Test("a toy engine runs every scenario, and its failures are reported")
func toy() throws {
  let reports = try Scenario.all(in: Folder.scenarios).map { try $0.run { _ in ToyEngine() } }
  let wrong = reports.flatMap(\.failures)
  #expect(reports.contains { !$0.passed })
  #expect(wrong.allSatisfy { $0.line > 1 && $0.message.contains("expected") })
}

@Test("a scenario in a test has a journal and an explanation")
func writtenHere() throws {
  let scenario = try Scenario(
    text: """
      kind: scenario
      version: 1
      title: Milk at the door
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      reminders:
        milk: {when: unlock, if: charging, notify: Buy milk}
      timeline:
        - 08:00 unlock
        - 17:00 plug in
        - 17:30 unlock
      expect:
        - milk fires once at 17:30
      """)
  let report = try scenario.run(keepingJournal: true)
  #expect(report.passed)
  #expect(report.fires.map(\.local) == ["2026-03-02 17:30"])
  let lines = String(decoding: report.journal, as: UTF8.self).split(separator: "\n")
  #expect(lines.contains { $0.contains(#""track":"observed","event":"unlock""#) })
  let morning = Instant(millisecondsSince1970: 1_772_434_800_000)
  #expect(try #require(try scenario.explanation(of: "milk", at: morning)).contains("charging"))
}

@Test("an error in a scenario has file, line and column")
func wrongScenario() {
  #expect(throws: ScenarioError.self) { try Scenario(text: "kind: scenario\nversion: 1\ntitel: T") }
}
