import DeviceSimulation
import Foundation
import ReminderEngine
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import Statistics
@testable import TestBench

@Suite struct WorldTests {
  private func program(profile: String) throws -> Program {
    let text = try Repository.annotatedScenario().replacing("profile: ideal", with: "profile: \(profile)")
    return try Program(Scenario.sample(text))
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `a copy continues exactly as the original would`(profile: String) throws {
    let program = try program(profile: profile)
    var whole = RecordingSink()
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &whole)
    #expect(whole.records.count > 50)

    let span = (program.end - program.scenario.start).milliseconds
    for part in 1..<12 {
      let instant = program.scenario.start + TimeSpan(milliseconds: span * Int64(part) / 12)
      var before = RecordingSink()
      var original = World(program: program, engine: program.makeEngine())
      original.run(until: instant, into: &before)
      var copy = original
      var after = (original: RecordingSink(), copy: RecordingSink())
      // Run the original first, so that any shared state would affect the copy.
      original.run(into: &after.original)
      copy.run(into: &after.copy)
      #expect(after.original.records == after.copy.records, "part \(part)")
      #expect(before.records + after.copy.records == whole.records, "part \(part)")
    }
  }

  @Test(arguments: ["ideal", "ios", "android"])
  func `the accounts are complete under every profile`(profile: String) throws {
    let program = try program(profile: profile)
    var accounts = RunAccounts(program)
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &accounts)
    accounts.close()
    #expect(accounts.contradictions.isEmpty)
    #expect(accounts.total.matches > 0)
    #expect(accounts.total.pending == world.phone.centre.pending.count)
  }

  @Test func `time never goes back, and no event occurs at or after the end`() throws {
    let program = try program(profile: "ios")
    var sink = RecordingSink()
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &sink)
    let instants = sink.records.map(\.instant)
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(instants.allSatisfy { $0 < program.end })
  }
}

@Suite struct FileOrderTests {
  private static let reminders = [
    "a: {when: unlock, repeat: always, notify: {title: a}}",
    "b: {when: [unlock, charging starts], repeat: always, notify: {title: b, type: shared}}",
    "c: {when: unlock, repeat: always, notify: {title: c, type: shared}}",
    "d: {when: every day 08:00, notify: {title: d}}",
    "e: {when: unlock, repeat: daily, notify: {title: e, bucket: user}}",
    "f: {when: unlock, repeat: daily, notify: {title: f, bucket: critical}}",
  ]

  private func fires(_ reminders: [String]) throws -> [String] {
    let text = """
      kind: scenario
      version: 1
      title: Everything at once
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      for: 3 days
      reminders:
        \(reminders.joined(separator: "\n  "))
      policy: {minimumInterval: 1 h, dailyCap: 2}
      timeline:
        - every day 08:00 unlock
        - every day 12:00 unlock
        - every day 22:30 unlock
      expect: [a fires at least once]
      """
    let program = try Program(Scenario.sample(text))
    var accounts = RunAccounts(program)
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &accounts)
    let words = RunWords(program)
    return accounts.fires.map { "\(words.name($0.request.reminder)) \(words.time($0.moment))" }
  }

  @Test func `permuting the reminders changes no decision`() throws {
    let expected = try fires(Self.reminders)
    #expect(expected.count > 10)
    #expect(try fires(Self.reminders.reversed()) == expected)
    for shift in 1..<Self.reminders.count {
      #expect(try fires(Array(Self.reminders[shift...] + Self.reminders[..<shift])) == expected, "\(shift)")
    }
  }
}
