import CivilTime
import DeviceSimulation
import Journal
import NotificationGateway
import RandomScenarios
import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Scenarios
import TestSupport
import TextFormats
import TriggerModel

@testable import Simulation

/// A random week of a person with two devices and caps per person.
struct PersonCapHistory {
  /// The conditions of a history, such as the platform and the connection of the devices.
  struct Setting {
    var profile = "ideal"
    var delay = "10 s"
    var hasFaults = true
    /// Whether reminders make requests in advance.
    var plansAhead = true
  }

  /// The instant from which both devices are online and nothing else happens.
  let reunion: Instant
  let program: Program

  /// Compiles the parts that all histories of a setting have in common.
  static func base(_ setting: Setting) throws -> Program {
    let planned =
      "missed: {when: closed for 1 days at 18:00, notify: {title: M, type: tip}}\n"
      + "  evening: {when: every day 20:00 ahead 3, notify: {title: E, type: evening}}"
    let text = """
      kind: scenario
      version: 1
      title: Two devices
      start: 2026-03-02T07:00
      zone: Europe/Berlin
      for: 8 days
      profile: \(setting.profile)
      devices: {tablet: {profile: \(setting.profile)}}
      sync: {delay: \(setting.delay), caps: person}
      reminders:
        tip: {when: unlock, repeat: always, notify: {title: T, type: tip}}
        news: {when: charging starts, repeat: always, notify: {title: N, type: news}}
        alarm: {when: charging stops, repeat: always, notify: {title: A, type: alarm, bucket: critical}}
        hello: {when: open, repeat: always, notify: {title: H, type: hello}}
        call: {when: open, repeat: always, notify: {title: C, type: call, bucket: user}}
        \(setting.plansAhead ? planned : "")
      policy:
        quietHours: none
        dailyCap: 3
        typeDailyCap: 2
        typeWeeklyCaps: {tip: 7}
        criticalDailyCap: 1
        lifetimeCap: {call: 6, news: 8}
        minimumInterval: 20 min
      expect: [tip fires]

      """
    return try Program(Scenario.sample(text))
  }

  init(seed: UInt64, of base: Program, _ setting: Setting) {
    var random = SplitMix64(seed: seed)
    func draw(_ bound: Int) -> Int { Int(random.next() >> 33) % bound }
    let start = base.scenario.start
    var events: [ProgramEvent] = []
    func add(_ event: PhoneEvent, _ device: Int, at instant: Instant) {
      events.append(ProgramEvent(instant: instant, event: event, device: UInt8(device), position: .start))
    }
    // Separate the events by milliseconds, because two devices that make requests at the same instant cannot
    // take each other's into account.
    for number in 0..<(20 + draw(40)) {
      let instant = start + .minutes(Int64(draw(7 * 24 * 60))) + TimeSpan(milliseconds: Int64(number) * 20)
      let device = draw(2)
      switch draw(setting.hasFaults ? 13 : 9) {
      case 0, 1:
        add(.lock, device, at: instant)
        add(.unlock, device, at: instant + TimeSpan(milliseconds: 10))
      case 2, 3: add(.plugIn, device, at: instant)
      case 4: add(.unplug, device, at: instant)
      case 5, 6, 7, 8:
        add(.openOwnApp, device, at: instant)
        add(.leaveOwnApp, device, at: instant + TimeSpan(milliseconds: 10))
      case 9: add(.airplaneMode(true), device, at: instant)
      case 10: add(.airplaneMode(false), device, at: instant)
      case 11: add(.syncRefuses(UInt32(1 + draw(2))), device, at: instant)
      default: add(.syncRepeats, device, at: instant)
      }
    }
    reunion = start + .hours(7 * 24 + 3)
    for device in 0..<2 {
      let instant = reunion + TimeSpan(milliseconds: Int64(device) * 10)
      add(.airplaneMode(false), device, at: instant)
      add(.openOwnApp, device, at: instant)
    }
    let sorted = events.enumerated().sorted {
      ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset)
    }
    program = Program(
      scenario: base.scenario, reminders: base.reminders, policy: base.policy, devices: base.devices,
      links: base.links, app: base.app, person: base.person, events: ProgramEvents(sorted.map(\.element)),
      end: base.end, imports: base.imports, origin: base.origin)
  }
}

/// Compares every decision with a simple reference model: a single list of admitted requests for all devices.
struct OneAccount: JournalSink {
  private struct Delivery {
    var type: TypeID
    var bucket: Bucket
    var instant: Instant
    var day: CivilDate
  }

  private(set) var decisions = 0
  private(set) var wrong: [String] = []
  private(set) var denied = ReasonSet()
  private var admitted: [Delivery] = []
  private let scenario: Scenario
  private let types: [String]

  init(_ program: Program) {
    scenario = program.scenario
    types = program.reminders.names.types
  }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    guard case .effect(.decided(let request, let decision)) = body else { return }
    decisions += 1
    let delivery = Delivery(
      type: request.type, bucket: request.bucket, instant: stamp.moment.wall,
      day: scenario.zones[stamp.moment.zone].local(at: stamp.moment.wall).date)
    let expected = blockers(of: delivery)
    denied.formUnion(expected)
    if decision.blockers != expected || (decision.outcome == .admit) != expected.isEmpty {
      wrong.append(
        "\(types[request.type.index]) at \(stamp.moment.wall.iso8601) on \(stamp.device): \(decision)")
    }
    if decision.outcome == .admit { admitted.append(delivery) }
  }

  private func blockers(of delivery: Delivery) -> ReasonSet {
    var blockers = ReasonSet()
    let policy = scenario.policy
    let name = types[delivery.type.index]
    let alike = admitted.filter { $0.type == delivery.type }
    func check(_ reason: Reason, _ count: Int, _ limit: Int?) {
      if let limit, count >= limit { blockers.insert(reason) }
    }
    check(.lifetimeCap, alike.count, policy.lifetimeCap[name])
    switch delivery.bucket {
    case .user: break
    case .critical:
      check(
        .criticalDailyCap, admitted.count { $0.bucket == .critical && $0.day == delivery.day },
        policy.criticalDailyCap)
    case .standard:
      let standard = admitted.filter { $0.bucket == .standard }
      let monday = delivery.day + -delivery.day.weekday.days(since: .monday)
      check(.dailyCap, standard.count { $0.day == delivery.day }, policy.dailyCap)
      check(.typeDailyCap, alike.count { $0.day == delivery.day }, policy.typeDailyCap)
      check(
        .typeWeeklyCap, alike.count { $0.day >= monday && $0.day < monday + 7 }, policy.typeWeeklyCaps[name])
      if standard.contains(where: { delivery.instant - $0.instant < policy.minimumInterval }) {
        blockers.insert(.minimumInterval)
      }
    }
    return blockers
  }
}
