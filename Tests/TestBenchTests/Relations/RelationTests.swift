import CivilTime
import DeviceSimulation
import Foundation
import Journal
import RandomScenarios
import ReminderEngine
import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation
@testable import TestBench

/// Tests that irrelevant changes do not affect random scenarios with random draws, under every profile.
@Suite struct RelationTests {
  @Test(arguments: Relation.allCases, ["ideal", "ios", "android"])
  func `an irrelevant change has no effect (2,000 scenarios each with TRIGGERBENCH_ALL)`(
    relation: Relation, profile: String
  ) throws {
    var tried = 0
    var fires = 0
    var changes = 0
    var seed: UInt64 = 0
    let formats = FormatCache()
    // Few scenarios can move by weeks, and they fire less often than others.
    let isRare = relation == .weeksLater
    let count = isRare && !Trial.isWhole ? Self.count / 2 : Self.count
    var compared = 0
    while tried < count {
      seed += 1
      guard let scenario = try AnyScenario.program(seed: seed, profile: profile, formats)?.scenario else {
        continue
      }
      let document = try ScenarioDocument.write(scenario, .timeline)
      guard let changed = relation.apply(to: document, of: scenario, seed: seed) else { continue }
      let (first, second) = (
        try Story(document, seed, formats), try Story(changed, seed, formats)
      )
      let shift: TimeSpan = relation == .weeksLater ? .days(Int64(7 * Relation.weeks)) : .zero
      tried += 1
      fires += first.fires
      let lines = first.lines(from: .zero)
      compared += lines.count
      if lines != second.lines(from: shift) {
        changes += 1
        let difference = first.difference(from: second, shift)
        Issue.record("seed \(seed): \(difference)")
      }
    }
    #expect(compared > 0, "the relation would hold of a bench in which nothing happens")
    if !isRare { #expect(fires > tried / 4, "the relation would hold of a bench in which nothing fires") }
    try Trial.keep(
      [relation.title, profile, "\(tried)", "\(fires)", "\(changes)"], as: "relation.\(relation).\(profile)")
  }

  private static let count = Trial.isWhole ? 2_000 : 12
}

/// The outcomes of a scenario's requests, by name of the reminder.
private struct Story {
  private struct Line: Comparable {
    var instant: Instant
    var text: String

    static func < (a: Line, b: Line) -> Bool { (a.instant, a.text) < (b.instant, b.text) }
  }

  private var sorted: [Line] = []
  var fires = 0

  init(_ document: JSONValue, _ seed: UInt64, _ formats: FormatCache) throws {
    let outcome = ScenarioDocument.read(document, file: "seed \(seed)", .timeline, using: formats) { _ in true
    }
    let scenario = try outcome.get()
    let program = try Program(scenario)
    var world = World(program: program, engine: program.makeEngine(explainsMisses: false))
    var sink = Sink(names: scenario.reminders.map(\.declaration.id), devices: program.devices.map(\.name))
    world.run(into: &sink)
    sorted = sink.lines.sorted()
    fires = sink.fires
  }

  /// - Parameter shift: The difference between the starts of the two scenarios.
  func lines(from shift: TimeSpan) -> [String] {
    sorted.map { "\(($0.instant - shift).iso8601) \($0.text)" }
  }

  func difference(from other: Story, _ shift: TimeSpan) -> String {
    let (mine, theirs) = (lines(from: .zero), other.lines(from: shift))
    let index = zip(mine, theirs).prefix { $0 == $1 }.count
    let (a, b) = (
      mine.dropFirst(index).first ?? "nothing more", theirs.dropFirst(index).first ?? "nothing more"
    )
    return "'\(a)' became '\(b)'"
  }

  private struct Sink: JournalSink {
    let names: [String]
    let devices: [String]
    var lines: [Line] = []
    var fires = 0

    init(names: [String], devices: [String]) {
      self.names = names
      self.devices = devices
    }

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      switch body {
      case .outcome(.delivered(let id, let presentation)):
        if presentation.isExposed { fires += 1 }
        add("delivered \(presentation)", id.reminder, stamp)
      case .outcome(.presentedLate(let id, _)): add("presented late", id.reminder, stamp)
      case .outcome(.refused(let id, let reason)), .outcome(.removed(let id, let reason)):
        add("lost to \(reason)", id.reminder, stamp)
      case .effect(.decided(let request, let decision)):
        add("decided \(decision.outcome) \(decision.reason?.name ?? "")", request.id.reminder, stamp)
      case .effect(.dropped(let request, let reason)): add("dropped \(reason)", request.id.reminder, stamp)
      case .due(let id, _, _): add("due", id.reminder, stamp)
      default: break
      }
    }

    private mutating func add(_ what: String, _ reminder: ReminderID, _ stamp: RecordStamp) {
      lines.append(
        Line(
          instant: stamp.instant, text: "on \(devices[Int(stamp.device)]): \(names[reminder.index]) \(what)"))
    }
  }
}
