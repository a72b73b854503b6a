import CivilTime
import DeviceSimulation
import Foundation
import Journal
import NotificationGateway
import ReminderMatching
import ScenarioModel
import Scenarios
import Simulation
import SimulationKernel
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Experiments
@testable import Statistics
@testable import TestBench

/// Tests that an experiment's counts for a person equal those of a separate replay.
@Suite struct PopulationArmTests {
  private static let folder = Repository.scenarios.appendingPathComponent("populations")

  /// Returns the shipped population with half of the people on Android.
  private static func population() throws -> Population {
    let path = folder.appendingPathComponent("fitme-iphones.yaml").path
    guard case .population(var population, _) = PopulationFile.load(path) else { throw Unreadable() }
    population.habits.platform = Shares([
      .init("android", millionths: 500_000), .init("ios", millionths: 500_000),
    ])
    return population
  }

  private struct Unreadable: Error {}

  private static let count: UInt64 = {
    #if DEBUG
      ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] == nil ? 24 : 1_000
    #else
      1_000
    #endif
  }()

  @Test(
    "people agree with separate replays; 1,000 in a release build or when TRIGGERBENCH_ALL is set"
  )
  func replays() throws {
    try replay(Self.population(), Self.count)
  }

  @Test func `people with recorded days in two zones have the same counts in a replay`() throws {
    let path = Self.folder.appendingPathComponent("as-recorded.yaml").path
    guard case .population(let population, _) = PopulationFile.load(path) else { throw Unreadable() }
    try replay(population, 12)
  }

  @Test func `people on the ideal profile have the same counts in a replay`() throws {
    let path = Self.folder.appendingPathComponent("fitme-iphones.yaml").path
    let ideal = [ScenarioSetting("profile=ideal")].compactMap(\.self)
    guard case .population(let population, _) = PopulationFile.load(path, settings: ideal) else {
      throw Unreadable()
    }
    #expect(population.scenario.profile.value == "ideal")
    try replay(population, min(Self.count, 200))
  }

  @Test func `people with a tablet have the same counts in a replay`() throws {
    let path = Self.folder.appendingPathComponent("fitme-iphones.yaml").path
    let tablet = ScenarioSetting("devices.tablet.profile=ios")
    let use = ScenarioSetting(
      "timeline=[on tablet every day 20:00 unlock, on tablet every day 20:40 lock]")
    guard
      case .population(let population, _) = PopulationFile.load(
        path, settings: [tablet, use].compactMap(\.self))
    else { throw Unreadable() }
    try replay(population, 12)
  }

  @Test func `people with randomly drawn devices have the same counts in a replay`() throws {
    let path = Self.folder.appendingPathComponent("fitme-iphones.yaml").path
    let settings = [
      ScenarioSetting("devices.watch.profile=android"), ScenarioSetting("devices.tablet.profile=ios"),
      ScenarioSetting("timeline=[on watch every day 20:00 unlock, on watch every day 20:01 lock]"),
      ScenarioSetting(
        "habits.devices={watch: {people: 50 %}, tablet: {people: 60 %, unlocksPerHour: 2, between: 18:00-23:00}}"
      ),
    ]
    guard
      case .population(let population, _) = PopulationFile.load(path, settings: settings.compactMap(\.self))
    else { throw Unreadable() }
    try replay(population, 24)
  }

  @Test func `people who opt out have the same counts in a replay`() throws {
    let path = Self.folder.appendingPathComponent("fitme-iphones.yaml").path
    let refusal = ScenarioSetting("timeline=[day 24 12:00 deny notifications]")
    guard
      case .population(let population, _) = PopulationFile.load(path, settings: [refusal].compactMap(\.self))
    else { throw Unreadable() }
    #expect(try replay(population, 8) > 0)
  }

  /// Compares people with separate replays, and returns the number of people who opted out.
  @discardableResult
  private func replay(_ population: Population, _ count: UInt64) throws -> Int {
    var arm = try PopulationArm(population)
    var outcome = PersonOutcome(types: population.scenario.types.count)
    let sampler = PersonSampler(population)
    var sampled = SampledPerson()
    var (tapped, optedOut) = (0, 0)
    for person in 0..<count {
      arm.run(person, into: &outcome)
      sampler.sample(person, into: &sampled)
      var program = try Program(population.scenario(of: sampled))
      if person % 8 == 0 { program = try expanded(program) }
      var world = World(program: program, engine: program.makeEngine())
      var sinks = TeeSink(RunAccounts(program), OccasionRecount(program))
      world.run(into: &sinks)
      sinks.first.close()
      #expect(sinks.first.contradictions.isEmpty)
      compare(outcome, sinks.first, sinks.second, person)
      tapped += Int(outcome.tapped)
      optedOut += Int(outcome.optedOut)
    }
    #expect(tapped > count / 4 && (optedOut > 0 || count < 100))
    return optedOut
  }

  /// Returns the program that `run -` reads from the output of `expand`.
  private func expanded(_ program: Program) throws -> Program {
    var lines: [UInt8] = []
    try ExpandedScenario.write(program) { lines += $0 }
    guard case .program(let again, _) = ExpandedScenario.read(lines, file: "-", options: Suite.Options())
    else { throw Unreadable() }
    return again
  }

  private func compare(
    _ outcome: PersonOutcome, _ accounts: RunAccounts, _ recount: OccasionRecount, _ person: UInt64
  ) {
    let total = accounts.total
    let figures: [(String, Int64, Int)] = [
      ("shown", outcome.shown, total.exposed), ("tapped", outcome.tapped, total.tapped),
      ("dismissed", outcome.dismissed, total.dismissed),
      ("opens", outcome.opens, recount.organicOpens + total.tapped),
      ("organic opens", outcome.organicOpens, recount.organicOpens),
      ("opted out", outcome.optedOut, accounts.optOuts.permission),
      ("shown by hour", outcome.byHour.reduce(0) { $0 + $1.shown }, total.exposed),
      ("tapped by hour", outcome.byHour.reduce(0) { $0 + $1.tapped }, total.tapped),
      ("requested by type", outcome.byType.reduce(0) { $0 + $1.requested }, Int(outcome.requested)),
      ("decisions", outcome.requested, outcome.decisions.count),
    ]
    for (name, counted, replayed) in figures {
      #expect(Int(counted) == replayed, "person \(person): \(name)")
    }
    #expect(zip(outcome.decisions, outcome.decisions.dropFirst()).allSatisfy { $0.key < $1.key })
    let fates = Dictionary(outcome.decisions.map { ($0.key, $0.fate) }) { first, _ in first }
    let own = recount.fates
    if fates != own {
      let differing = Set(fates.keys).union(own.keys).filter { fates[$0] != own[$0] }
      let words = differing.map { "\(fates[$0]?.rawValue ?? 255) and \(own[$0]?.rawValue ?? 255)" }.sorted()
      Issue.record("person \(person): \(words)")
    }
  }

  /// Keeps the records that an experiment needs. The sink requests either the same records as an experiment, or all
  /// records.
  private struct Kept<Interest: InterestChoice>: JournalSink {
    private(set) var records: [JournalRecord] = []

    static var interest: RecordInterest { Interest.interest }

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      switch body {
      case .observed(let event) where ObservedEvent.Kind.frequent.contains(event.kind): return
      case .happened(.openOwnApp), .effect, .person, .observed: break
      case .truth(let event) where PersonRecorder.interest.truth.contains(event.kind): break
      case .outcome(let outcome) where outcome.isNoRemark: break
      default: return
      }
      records.append(JournalRecord(body, stamp))
    }
  }

  private protocol InterestChoice { static var interest: RecordInterest { get } }
  private enum Everything: InterestChoice { static var interest: RecordInterest { .everything } }
  private enum Needed: InterestChoice { static var interest: RecordInterest { PersonRecorder.interest } }

  @Test func `omitting records that no sink needs does not affect other records`() throws {
    let population = try Self.population()
    let sampler = PersonSampler(population)
    var sampled = SampledPerson()
    for person: UInt64 in 0..<10 {
      sampler.sample(person, into: &sampled)
      let program = try Program(population.scenario(of: sampled))
      for scope in [RunScope.acts, .everything] {
        let engine = program.makeEngine(explainsMisses: false)
        var world = World(program: program, person: person, scope: scope) { _ in engine }
        var again = world
        var (all, needed) = (Kept<Everything>(), Kept<Needed>())
        world.run(into: &all)
        again.run(into: &needed)
        #expect(all.records == needed.records, "person \(person), \(scope)")
        #expect(all.records.count > 100)
      }
    }
  }

  @Test func `an outcome does not depend on earlier people, and policies share the same people`() throws {
    var population = try Self.population()
    var first = try PopulationArm(population)
    var fresh = first
    population.change { $0.policy.minimumInterval = .hours(3) }
    var other = try PopulationArm(population)
    let types = population.scenario.types.count
    var outcomes = [PersonOutcome(types: types), PersonOutcome(types: types), PersonOutcome(types: types)]
    for person: UInt64 in 0..<6 { first.run(person, into: &outcomes[0]) }
    fresh.run(5, into: &outcomes[1])
    other.run(5, into: &outcomes[2])
    #expect(outcomes[0] == outcomes[1])
    #expect(Set(outcomes[2].decisions.map(\.key)).intersection(outcomes[0].decisions.map(\.key)).count > 5)
  }
}

extension PhoneOutcome {
  /// Whether the outcome affects a request.
  fileprivate var isNoRemark: Bool {
    switch self {
    case .missed, .falseSign, .ignored, .regionSuppressed: false
    default: true
    }
  }
}

/// Computes the outcome of every occasion from journal records.
private struct OccasionRecount: JournalSink {
  private struct Place: Hashable {
    var device: UInt8
    var id: RequestID
  }

  private struct Request {
    /// The key of the occasion, which is derived from its reminder and wall-clock time.
    var key: UInt64
    var time: Instant
    var fate: PersonOutcome.Fate?
    var isGone = false
  }

  private var requests: [Request] = []
  private var latest: [Place: Int] = [:]
  private var visible: [Place: Int] = [:]
  private(set) var organicOpens = 0
  private let names: [String]
  private let zones: ZoneTable
  private let end: Instant
  private var lastTap = Instant.distantPast

  init(_ program: Program) {
    names = program.scenario.reminders.map(\.declaration.id)
    zones = program.scenario.zones
    end = program.end
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .effect(.request(let request)):
      latest[Place(device: stamp.device, id: request.id)] = requests.count
      let zone = zones[stamp.moment.zone]
      let local = zone.local(at: request.scheduledFor)
      let isAgain = zone.instant(of: local) != request.scheduledFor
      let days = 2 * Int64(local.date.dayNumber) + (isAgain ? 1 : 0)
      let key = RandomKey(rawValue: RandomKey.nameNumber(names[request.id.reminder.index]))
        .draw(UInt64(bitPattern: days * 86_400_000 + Int64(local.millisecondOfDay)))
      requests.append(Request(key: key, time: request.scheduledFor))
    case .effect(.decided(let request, let decision)) where decision.outcome == .deny:
      end(Place(device: stamp.device, id: request.id), decision.reason ?? .addFailed, at: .distantFuture)
    case .effect(.dropped(let request, let reason)):
      end(Place(device: stamp.device, id: request.id), reason, at: stamp.moment.wall)
    case .outcome(.refused(let id, let reason)), .outcome(.removed(let id, let reason)):
      end(Place(device: stamp.device, id: id), reason, at: stamp.moment.wall)
    case .outcome(.delivered(let id, let presentation)):
      let place = Place(device: stamp.device, id: id)
      guard let index = latest[place] else { break }
      requests[index].fate = presentation.isExposed ? .ignored : .lost(.notPresented)
      if presentation.isExposed { visible[place] = index }
    case .truth(let event) where event.kind == .tapped:
      visible[Place(device: stamp.device, id: event.request)].map { requests[$0].fate = .tapped }
    case .truth(let event) where event.kind == .dismissed:
      visible[Place(device: stamp.device, id: event.request)].map { requests[$0].fate = .dismissed }
    case .person(.open), .happened(.openOwnApp): organicOpens += 1
    default: break
    }
  }

  private mutating func end(_ id: Place, _ reason: Reason, at wall: Instant) {
    guard let index = latest[id], requests[index].fate == nil else { return }
    requests[index].fate = .lost(reason)
    requests[index].isGone = requests[index].time > wall || requests[index].time >= end
  }

  /// Returns the rank of a fate. Among several requests for one occasion, the lowest rank is counted.
  private static func rank(_ fate: PersonOutcome.Fate) -> Int {
    switch fate {
    case .tapped: 0
    case .dismissed: 1
    case .ignored: 2
    default: fate.isLost ? 64 + Int(fate.rawValue & 0x7F) : 255
    }
  }

  /// The outcomes by occasion.
  var fates: [UInt64: PersonOutcome.Fate] {
    var fates: [UInt64: PersonOutcome.Fate] = [:]
    for request in requests where !request.isGone && (request.fate != nil || request.time < end) {
      let fate = request.fate ?? .waiting
      if let known = fates[request.key], Self.rank(known) <= Self.rank(fate) { continue }
      fates[request.key] = fate
    }
    return fates
  }
}
