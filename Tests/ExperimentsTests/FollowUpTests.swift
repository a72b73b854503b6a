import CivilTime
import DeviceSimulation
import Foundation
import Journal
import ScenarioModel
import Scenarios
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import Experiments

/// Tests that the follow-up of every notification has the same length, regardless of the time of its exposure.
@Suite struct FollowUpTests {
  private struct Unreadable: Error {}

  private static func population(_ file: URL) throws -> Population {
    guard case .population(let population, _) = PopulationFile.load(file.path) else { throw Unreadable() }
    return population
  }

  private static func shipped(_ name: String) throws -> Population {
    try population(
      Repository.scenarios.appendingPathComponent("populations/\(name).yaml"))
  }

  /// Returns a population with a reminder late in the evening, to which many people respond in the morning.
  private static func evening() throws -> Population {
    let text = """
      kind: population
      version: 1
      title: Evenings
      start: 2026-03-02T00:00
      zone: Europe/Berlin
      for: 10 days
      profile: ios
      seed: 1
      person: {model: tap-v1, organicOpens: 0, permissionIOS: 100 %}
      reminders: {late: {when: every day 21:45 ahead 3, notify: {title: late}}}
      policy: {minimumInterval: none, quietHours: none}
      habits: {wake: 07:00, sleep: 22:00, unlocksPerHour: {median: 1, sigma: 0.5}}
      """
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return try population(file)
  }

  /// - Parameter followUp: The follow-up, or `nil` to end the simulation with the last day.
  private static func arm(_ population: Population, days: Int, _ followUp: TimeSpan?) throws -> PopulationArm
  {
    var population = population
    population.change { scenario in
      let zone = scenario.zones[scenario.zone]
      var end = zone.local(at: scenario.start)
      end.date = end.date + days
      scenario.end = zone.instant(of: end) + (followUp ?? .zero)
    }
    return try PopulationArm(population, followUp: followUp)
  }

  private static func outcomes(_ arm: PopulationArm, _ people: Range<UInt64>) -> [PersonOutcome] {
    people.map { person in
      var (arm, outcome) = (arm, PersonOutcome(types: arm.typeCount))
      arm.run(person, into: &outcome)
      return outcome
    }
  }

  private static func fates(_ outcomes: [PersonOutcome], until day: Int) -> [[PersonOutcome.Decision]] {
    outcomes.map { $0.decisions.filter { $0.day <= day && $0.fate != .waiting } }
  }

  @Test func `the last evening has the same taps in a short and in a long experiment`()
    throws
  {
    let people: Range<UInt64> = 0..<200
    let evening = try Self.evening()
    let one = Self.outcomes(try Self.arm(evening, days: 1, .hours(24)), people)
    let three = Self.outcomes(try Self.arm(evening, days: 3, .hours(24)), people)
    #expect(Self.fates(one, until: 1) == Self.fates(three, until: 1))
    let cut = Self.outcomes(try Self.arm(evening, days: 1, nil), people)
    let (followed, early) = (one.reduce(0) { $0 + $1.tapped }, cut.reduce(0) { $0 + $1.tapped })
    #expect(followed > early + 10, "\(followed) taps, \(early) of them on the day itself")
    #expect(one.reduce(0) { $0 + $1.shown } == 200)
  }

  @Test(arguments: ["evenings", "fitme-iphones", "as-recorded"])
  func `the follow-up adds only responses`(name: String) throws {
    let population = name == "evenings" ? try Self.evening() : try Self.shipped(name)
    let people: Range<UInt64> = 0..<(name == "evenings" ? 40 : 8)
    let followed = Self.outcomes(try Self.arm(population, days: 4, .hours(24)), people)
    let longer = Self.outcomes(try Self.arm(population, days: 6, .hours(24)), people)
    #expect(Self.fates(followed, until: 4) == Self.fates(longer, until: 4))
    var more = 0
    for (own, cut) in zip(followed, Self.outcomes(try Self.arm(population, days: 4, nil), people)) {
      more += Int(own.tapped + own.dismissed - cut.tapped - cut.dismissed)
      var (own, cut) = (own, cut)
      for index in own.decisions.indices where own.decisions[index].fate.isShown {
        own.decisions[index].fate = .ignored
      }
      for index in cut.decisions.indices where cut.decisions[index].fate.isShown {
        cut.decisions[index].fate = .ignored
      }
      #expect(own.decisions == cut.decisions)
      #expect(
        [own.requested, own.reached, own.shown, own.optedOut, own.organicOpens, own.personDays]
          == [cut.requested, cut.reached, cut.shown, cut.optedOut, cut.organicOpens, cut.personDays])
      #expect(own.denied == cut.denied && own.nearness == cut.nearness)
      #expect(own.opens == own.organicOpens + own.tapped)
    }
    #expect(more > 0 || name != "evenings")
  }

  /// Counts the responses within the follow-up from journal records.
  private struct Answers: JournalSink {
    var end: Instant
    var followUp: TimeSpan
    private(set) var tapped = 0
    private(set) var dismissed = 0
    private var shown: [Place: Instant] = [:]

    private struct Place: Hashable {
      var device: UInt8
      var id: RequestID
    }

    init(end: Instant, followUp: TimeSpan) { (self.end, self.followUp) = (end, followUp) }

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      switch body {
      case .outcome(let outcome):
        switch outcome {
        case .delivered(let id, _), .presentedLate(let id, _):
          shown[Place(device: stamp.device, id: id)] = stamp.instant
        default: break
        }
      case .truth(let event) where event.kind == .tapped || event.kind == .dismissed:
        guard let at = shown[Place(device: stamp.device, id: event.request)], at < end,
          stamp.instant < at + followUp
        else { return }
        if event.kind == .tapped { tapped += 1 } else { dismissed += 1 }
      default: break
      }
    }
  }

  @Test(arguments: [TimeSpan.minutes(5), .hours(1), .hours(10), .days(3)])
  func `a response counts within the follow-up of its exposure`(followUp: TimeSpan) throws {
    for (population, people) in [(try Self.evening(), UInt64(60)), (try Self.shipped("fitme-iphones"), 8)] {
      var arm = try Self.arm(population, days: 3, followUp)
      var (outcome, taps) = (PersonOutcome(types: arm.typeCount), 0)
      for person in 0..<people {
        arm.run(person, into: &outcome)
        let story = arm.story(of: person)
        var world = arm.world(of: story)
        var answers = Answers(end: world.program.end - followUp, followUp: followUp)
        world.run(into: &answers)
        #expect(Int(outcome.tapped) == answers.tapped, "person \(person)")
        #expect(Int(outcome.dismissed) == answers.dismissed, "person \(person)")
        taps += answers.tapped
      }
      #expect(taps > 0)
    }
  }
}
