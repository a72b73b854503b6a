import Foundation
import Journal
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import TestBench
import Testing
import TriggerModel

@testable import Statistics

struct RunAccountsTests {
  private static let story = """
    kind: scenario
    version: 1
    title: Two devices
    start: 2026-03-02T00:00
    zone: UTC
    for: 3 days
    profile: ideal
    devices: {tablet: {}}
    reminders:
      water: {when: unlock, if: [after 08:00], repeat: daily, notify: {title: Water, bucket: user}}
      rest: {when: charging starts, repeat: always, notify: Rest}
    timeline:
      - every day 09:00 unlock
      - every day 09:05 tap water
      - every day 22:00 plug in
      - every day 23:00 unplug
      - on tablet day 2 10:00 unlock
      - on tablet day 2 20:00 plug in
    expect: [fires >= 1]
    """

  /// Returns the program of a text. Outcomes differ between persons because the phone's draws are keyed by
  /// person.
  private static func program(_ text: String = story) throws -> Program {
    try Program(Scenario.sample(text))
  }

  private static func run(_ program: Program, person: UInt64) -> RunAccounts {
    var accounts = RunAccounts(program)
    var world = World(program: program, engine: program.makeEngine(), person: person)
    world.run(into: &accounts)
    accounts.close()
    return accounts
  }

  @Test
  func `devices have separate accounts, which add up`() throws {
    let program = try Self.program()
    let accounts = Self.run(program, person: 0)
    #expect(accounts.contradictions.isEmpty, "\(accounts.contradictions)")
    #expect(accounts.devices.count == 2)
    #expect(accounts.devices.map { $0.reminders.reduce(0) { $0 + $1.requests } }.allSatisfy { $0 > 0 })
    for index in accounts.reminders.indices {
      var sum = accounts.devices[0].reminders[index]
      sum.add(accounts.devices[1].reminders[index])
      #expect(accounts.reminders[index] == sum)
    }
    #expect(Set(accounts.fires.map(\.device)) == [0, 1])
    let delivered = accounts.reminders.reduce(0) { $0 + $1.delivered }
    #expect(accounts.fires.count == delivered)
  }

  @Test(
    arguments: ["lost", "stale", "torn"], ["ahead 3", "ahead 1"])
  func `accounts add up if numbers restart while the system holds old requests`(fault: String, ahead: String)
    throws
  {
    let program = try Self.program(
      """
      kind: scenario
      version: 1
      title: A store that fails
      start: 2026-03-02T07:00
      zone: UTC
      for: 5 days
      profile: ios
      reminders:
        water: {when: every day 20:00 \(ahead), notify: {title: Water, bucket: user}}
        juice: {when: every day 12:00 \(ahead), notify: Juice}
      timeline:
        - 08:00 open
        - 09:00 store \(fault)
        - 09:01 terminate
        - 10:00 open
        - day 2 09:00 store \(fault)
        - day 2 09:01 terminate
        - day 2 10:00 open
        - day 3 10:00 open
      expect: [fires >= 1]
      """)
    let accounts = Self.run(program, person: 0)
    #expect(accounts.contradictions.isEmpty, "\(accounts.contradictions)")
    #expect(accounts.reminders.allSatisfy { $0.delivered >= 2 })
  }

  @Test
  func `requests from before a restart of the numbers may be delivered while new ones are decided`() throws {
    let accounts = Self.run(
      try Self.program(
        """
        kind: scenario
        version: 1
        title: Off while a store was lost
        start: 2026-03-02T07:00
        zone: UTC
        for: 6 days
        profile: ideal
        reminders: {water: {when: every day 12:30 ahead 3, notify: {title: Water, bucket: user}}}
        timeline: [day 2 09:00 store lost, 10:00 power off, day 4 13:00 power on]
        expect: [fires >= 1]
        """), person: 0)
    #expect(accounts.contradictions.isEmpty, "\(accounts.contradictions)")
    #expect(accounts.total.delivered == 6, "the missed ones, and those of the days before and after")
  }

  @Test
  func `a request that an old store revives is counted as unfounded`() throws {
    let accounts = Self.run(
      try Self.program(
        """
        kind: scenario
        version: 1
        title: A store that forgets what was released
        start: 2026-03-02T07:00
        zone: UTC
        for: 3 days
        profile: ideal
        reminders: {water: {when: unlock, if: after 20:00, notify: {title: Water, bucket: user}}}
        policy: {quietHours: 22:00-07:00}
        timeline: [22:30 unlock, 22:40 store stale, day 2 08:00 terminate, day 2 09:00 open, day 2 09:05 leave]
        expect: [fires = 0]
        """), person: 0)
    #expect(accounts.contradictions.isEmpty, "\(accounts.contradictions)")
    let account = accounts.total
    #expect(account.dueRequests == 1 && account.requests == 2 && account.dropped[.staleAtRelease] == 2)
    #expect(account.unfoundedBecause == ["storeStale": 1])
  }
}
