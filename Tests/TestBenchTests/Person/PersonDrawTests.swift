import DeviceSimulation
import Foundation
import PlatformRuns
import ScenarioModel
import Scenarios
import Testing
import TextFormats
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import TestBench

/// Tests that a person's responses depend only on the person, and on the notifications that are shown at each
/// time. `RelationTests` tests that neither the order of a file nor an inert addition has an effect.
@Suite struct PersonDrawTests {
  /// Returns a program of two weeks with many notifications and few other actions of the person.
  private static func program(person: Int, policy: String, model: String = "") throws -> Program {
    try PlatformRun.program(
      """
      for: 14 days
      profile: ios
      seed: 3
      facts: {steps: number}
      reminders:
        morning: {when: every day 09:30, repeat: always, notify: A}
        noon: {when: every day 12:10, repeat: always, notify: B}
        evening: {when: every day 18:40, repeat: always, notify: C}
        steps: {when: fact steps changes, repeat: always, notify: D}
        back: {when: "closed for 1, 2 days at 17:00", notify: E}
      policy: {quietHours: none, \(policy)}
      person: {model: tap-v1, number: \(person), contextRate: 0.4, organicOpens: 1, optOutHazard: 0\(model)}
      timeline:
        - every 23 min unlock
        - every day 23:10 lock
        - every 5 h set steps = 100
        - every 7 h set steps = 200
      expect: [requests >= 0]

      """)
  }

  /// Returns the shown notifications and their responses, keyed by reminder and time.
  private static func answers(_ program: Program) -> [String: String] {
    var world = World(program: program, engine: program.makeEngine())
    var sink = RecordingSink()
    world.run(into: &sink)
    var shown: [RequestID: String] = [:]
    var answers: [String: String] = [:]
    for record in sink.records {
      switch record.body {
      case .outcome(.delivered(let id, let presentation)) where presentation.isExposed:
        shown[id] = "\(id.reminder.index) at \(record.instant)"
        answers["\(id.reminder.index) at \(record.instant)"] = "ignored"
      case .person(.tap(let id)): shown[id].map { answers[$0] = "tapped at \(record.instant)" }
      case .person(.dismiss(let id)): shown[id].map { answers[$0] = "dismissed at \(record.instant)" }
      default: break
      }
    }
    return answers
  }

  /// In a model without memory, a notification that both policies show has the same response under both.
  @Test func `random responses do not depend on the policy`() throws {
    var (both, only) = (0, 0)
    for person in 0..<12 {
      let still = ", fatigue: 0, repetition: 0"
      let first = Self.answers(try Self.program(person: person, policy: "minimumInterval: 4 h", model: still))
      let second = Self.answers(
        try Self.program(person: person, policy: "minimumInterval: 1 h", model: still))
      for (notification, answer) in first {
        guard let other = second[notification] else {
          only += 1
          continue
        }
        both += 1
        // A later notification of the reminder may replace the first one before the person responds.
        if other != "ignored", answer != "ignored" { #expect(other == answer, "\(person): \(notification)") }
      }
    }
    #expect(both > 200 && only > 0, "\(both), \(only)")
  }

  @Test func `people differ, and the same person always responds in the same way`() throws {
    let all = try (0..<6).map { Self.answers(try Self.program(person: $0, policy: "dailyCap: 3")) }
    #expect(Set(all).count == 6)
    #expect(all[4] == Self.answers(try Self.program(person: 4, policy: "dailyCap: 3")))
  }

  @Test func `random draws on a device do not depend on other devices`() throws {
    func luck(_ devices: String) throws -> [String: UInt32] {
      let program = try PlatformRun.program(
        "for: 1 day\nprofile: ios\n\(devices)\nreminders: {a: {when: unlock, notify: A}}\n"
          + "timeline: [08:00 unlock]\nexpect: [requests >= 0]\n")
      return Dictionary(uniqueKeysWithValues: program.devices.map { ($0.name, $0.drawNumber) })
    }
    let single = try luck("")
    let one = try luck("devices: {tablet: {}}")
    let all = try luck("devices: {watch: {}, tablet: {}}")
    #expect(Set(all.values).count == 3)
    #expect(one == all.filter { $0.key != "watch" })
    #expect(single == one.filter { $0.key != "tablet" })
  }

  @Test func `the output of expand runs with the same journal`() throws {
    let program = try Self.program(person: 9, policy: "dailyCap: 3")
    var lines: [UInt8] = []
    try ExpandedScenario.write(program) { lines += $0 }
    guard case .program(let again, _) = ExpandedScenario.read(lines, file: "-", options: Suite.Options())
    else {
      Issue.record("the written text cannot be parsed")
      return
    }
    #expect(again.scenario.person?.number == 9)
    let journals = [program, again].map { program -> [JournalRecord] in
      var world = World(program: program, engine: program.makeEngine())
      var sink = RecordingSink()
      world.run(into: &sink)
      return sink.records
    }
    #expect(journals[0] == journals[1] && journals[0].count > 500)
  }

  /// Tests copies of a running world.
  @Test func `a copied person continues as the original would`() throws {
    let program = try Self.program(person: 2, policy: "dailyCap: 3")
    var whole = RecordingSink()
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &whole)
    var half = RecordingSink()
    var first = World(program: program, engine: program.makeEngine())
    first.run(until: program.scenario.start + .days(6), into: &half)
    var copy = first
    var ends = [half, half]
    first.run(into: &ends[0])
    copy.run(into: &ends[1])
    #expect(ends[0].records == whole.records && ends[1].records == whole.records)
  }
}
