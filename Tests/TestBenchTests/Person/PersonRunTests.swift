import CivilTime
import DeviceSimulation
import PersonModel
import PlatformRuns
import ReminderMatching
import ScenarioModel
import SimulationKernel
import Testing
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import Statistics
@testable import TestBench

/// Tests the person model tap-v1 in a scenario. The person responds to shown notifications at unlocks, unless
/// the time line declares the response.
@Suite struct PersonRunTests {
  /// A model in which the person taps each notification of the kind when they first see it.
  private static let eager =
    "model: tap-v1, contextRate: 1, engagementRate: 0, userRate: 0, ignoredShare: 1, chanceTakenIOS: 1"

  private func run(
    _ timeline: [String], reminders: String = "a: {when: every day 10:00, repeat: always, notify: A}",
    person: String = eager, more: String = "policy: {quietHours: none, minimumInterval: 0 s}"
  ) throws -> PersonRun {
    try PersonRun(
      """
      for: 7 days
      reminders:
        \(reminders)
      \(more)
      person: {\(person)}
      timeline: [\(timeline.joined(separator: ", "))]
      expect: [requests >= 0]

      """)
  }

  // MARK: Looks

  @Test func `a visible notification is tapped at the next unlock`() throws {
    let run = try run(["every day 10:20 unlock", "every day 10:30 lock"])
    #expect(run.acts == (2...8).map { "03-0\($0) 10:20:05 taps a" })
    #expect(try run.run.account("a").tapThrough == Ratio(7, of: 7))
  }

  @Test func `a person who is using the phone sees a notification immediately`() throws {
    let run = try run(["every day 09:59 unlock", "every day 10:30 lock"])
    #expect(run.acts.first == "03-02 10:00:05 taps a")
  }

  @Test func `an unseen notification has no response, and a seen one without a response is ignored`() throws {
    let run = try run(["09:00 unlock", "09:01 lock"])
    #expect(run.acts.isEmpty)
    let account = try run.run.account("a")
    #expect(account.exposed == 7 && account.ignored == 7 && account.tapThrough == Ratio(0, of: 7))
  }

  @Test func `the time to a response is drawn if the scenario declares no unlocks`() throws {
    let run = try run(["12:00 plug in"])
    #expect(run.acts.count > 3)
    #expect(Set(run.acts.map { $0.suffix(6) }) == ["taps a"])
    #expect(!run.acts.contains { $0.contains("10:00:00") })
  }

  @Test func `a notification that is removed first has no response`() throws {
    let run = try run([
      "every day 10:10 clear notifications", "every day 10:20 unlock", "every day 10:30 lock",
    ])
    #expect(run.acts.isEmpty && run.run.accounts.ignored.isEmpty)
    let off = try self.run(["10:20:02 power off", "10:20 unlock"].reversed())
    #expect(off.acts.isEmpty)
  }

  @Test func `an expired notification has no response`() throws {
    let reminders = "a: {when: every day 10:00, repeat: always, notify: {title: A, usefulFor: 15 min}}"
    #expect(try run(["every day 10:20 unlock", "every day 10:30 lock"], reminders: reminders).acts.isEmpty)
    #expect(
      try run(["every day 10:10 unlock", "every day 10:30 lock"], reminders: reminders).acts.count == 7)
  }

  // MARK: Precedence

  @Test(arguments: ["tap", "dismiss", "ignore"])
  func `the time line declares the responses to its reminders, and the model generates the others`(
    verb: String
  ) throws {
    let reminders = """
      a: {when: every day 10:00, repeat: always, notify: A}
        b: {when: every day 11:00, repeat: always, notify: B}
      """
    let run = try run(
      ["every day 12:00 unlock", "every day 12:01 \(verb) b", "every day 12:30 lock"], reminders: reminders)
    #expect(run.acts == (2...8).map { "03-0\($0) 12:00:05 taps a" })
    let account = try run.run.account("b")
    #expect((account.tapped, account.dismissed) == (verb == "tap" ? 7 : 0, verb == "dismiss" ? 7 : 0))
    #expect(account.answerable == 7)
    #expect(run.run.accounts.ignored.isEmpty)
  }

  // MARK: Kinds

  @Test(arguments: [
    ("when: every day 10:00, notify: A", "", "context"),
    ("when: every day 10:00, notify: {title: A, bucket: user}", "", "user"),
    ("when: every day 10:00, withdraw: done is true, notify: A", "", "engagement"),
    ("when: 'closed for 1, 2, 3 days at 10:00', notify: A", "", "engagement"),
    ("when: every day 10:00, notify: A", ", kinds: {a: user}", "user"),
    ("when: every day 10:00, notify: {title: A, bucket: user}", ", kinds: {a: context}", "context"),
  ])
  func `the kind of a notification follows from its declaration unless the file declares it`(
    declaration: String, said: String, kind: String
  ) throws {
    for other in TapModel.Kind.allCases {
      let rates = TapModel.Kind.allCases.map { "\($0.rawValue)Rate: \($0 == other ? 1 : 0)" }
      let repeats = declaration.contains("closed") ? "" : "repeat: always, "
      let run = try run(
        ["every day 12:00 unlock", "every day 12:30 lock"], reminders: "a: {\(repeats)\(declaration)}",
        person: "model: tap-v1, ignoredShare: 1, chanceTakenIOS: 1, \(rates.joined(separator: ", "))\(said)",
        more: "facts: {done: false}\npolicy: {quietHours: none, minimumInterval: 0 s}")
      #expect(run.acts.isEmpty == (other.rawValue != kind), "\(declaration) as \(other)")
    }
  }

  @Test func `a snoozed notification counts as requested by the person`() throws {
    let rates = "contextRate: 0, userRate: 1, ignoredShare: 1, chanceTakenIOS: 1"
    let run = try run(
      ["10:05 snooze a for 2 h", "every day 12:30 unlock", "every day 12:40 lock"],
      person: "model: tap-v1, \(rates)")
    #expect(run.acts == ["03-02 12:30:05 taps a"])
  }

  // MARK: Opting out, and opening

  @Test func `a person who receives too many notifications for too long turns them off`() throws {
    let run = try run(
      ["every day 12:30 unlock", "every day 12:40 lock"],
      person: "model: tap-v1, tolerance: 3, optOutHazard: 0.999999, contextRate: 0, ignoredShare: 1")
    #expect(run.acts.count == 1 && run.acts[0].hasSuffix("optsOut"))
    #expect(run.run.accounts.optOuts.permission == 1)
    // The person tolerates three notifications. This is the fourth.
    #expect(try (4...6).contains(run.run.account("a").exposed))
    let patient = try self.run(
      ["every day 12:30 unlock"], person: "model: tap-v1, tolerance: 8, optOutHazard: 1, contextRate: 0")
    #expect(patient.run.accounts.optOuts.permission == 0)
  }

  @Test func `organic opens occur at the person's usual times in any zone`() throws {
    for zone in ["", "2026-03-04T00:00 travel to Asia/Tokyo"] {
      let run = try run(
        [zone, "every day 12:30 unlock"].filter { !$0.isEmpty },
        person: "model: tap-v1, number: 5, organicOpens: 4, waking: 08:00-20:00, contextRate: 0")
      let habit = OrganicOpens(perDay: 4, waking: .init(from: 480, to: 1_200))
      let expected = (0..<7).flatMap { day in
        habit.times(of: 5, seed: 0, on: .init(dayNumber: day)).map { (day, $0) }
      }
      let stays = zone.isEmpty ? expected : expected.filter { $0.0 < 2 || $0.0 > 2 }
      let opens = run.acts.filter { $0.hasSuffix("opens") }
      #expect(opens.count > 10)
      for (day, time) in stays {
        let minutes = time.milliseconds / 60_000
        let text = "03-0\(day + 2) \(PersonRun.two(minutes / 60)):\(PersonRun.two(minutes % 60))"
        #expect(opens.contains { $0.hasPrefix(text) }, "\(text) of \(opens)")
      }
    }
  }

  // MARK: Evidence

  @Test func `gates that depend on the model are based on assumed evidence`() throws {
    let run = try run(
      ["every day 10:20 unlock", "every day 10:30 lock"],
      more: "policy: {quietHours: none, minimumInterval: 0 s}\ngates: [tapThrough >= 25 %, fireRate >= 1 %]")
    #expect(run.run.result.gates.map(\.verdict) == [.pass, .pass])
    #expect(run.run.result.gates.map(\.evidence) == [.assumed, .instrumented])
    #expect(run.run.result.gates[0].estimate.unknown == 0)
  }
}

/// A run and the actions of its person.
struct PersonRun {
  let run: PlatformRun
  /// The actions in chronological order, with the time on the phone's clock, such as "03-02 10:20:05 taps a".
  let acts: [String]

  init(_ text: String) throws {
    run = try PlatformRun(text)
    run.expectSound()
    let program = run.program
    var world = World(program: program, engine: program.makeEngine())
    var sink = RecordingSink()
    world.run(into: &sink)
    acts = sink.records.compactMap { record in
      guard case .person(let act) = record.body else { return nil }
      let local = program.scenario.zones[record.moment.zone].local(at: record.instant)
      let date = String(local.date.iso8601.dropFirst(5))
      let seconds = Int64(local.millisecondOfDay / 1_000)
      let time = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map(Self.two).joined(separator: ":")
      func name(_ id: RequestID) -> String { program.scenario.reminders[id.reminder.index].declaration.id }
      let words =
        switch act {
        case .tap(let id): "taps \(name(id))"
        case .dismiss(let id): "dismisses \(name(id))"
        case .optOut: "optsOut"
        case .open: "opens"
        case .set: "sets"
        case .snooze: "snoozes"
        }
      return "\(date) \(time) \(words)"
    }
  }

  static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Tests the declared ends of taps. A tap keeps the app in the foreground until the person leaves it. If the
/// story does not declare when, the phone uses its default.
@Suite struct DeclaredTapEndTests {
  /// Returns, for each tap in order, whether the next event declares the end.
  private static func ends(_ timeline: [String]) throws -> [Bool] {
    let program = try PlatformRun.program(
      """
      for: 1 day
      profile: ios
      apps: [maps]
      devices: {tablet: {profile: ios}}
      reminders: {a: {when: unlock, notify: A}}
      timeline: [\(timeline.joined(separator: ", "))]
      expect: [requests >= 0]

      """)
    return program.events.compactMap { event in
      if case .tap = event.event { event.hasDeclaredEnd } else { nil }
    }
  }

  @Test func `the next foreground event of the app declares the end of a tap`() throws {
    let stories: [(timeline: [String], ends: [Bool])] = [
      (["08:00 tap a"], [false]), (["08:00 tap a", "08:10 leave"], [true]),
      (["08:00 tap a", "08:01 lock", "08:02 plug in", "08:10 force quit"], [true]),
      (["08:00 tap a", "08:10 open app maps"], [true]), (["08:00 tap a", "08:10 power off"], [true]),
      (["08:00 tap a", "08:10 open", "08:20 leave"], [false]),
      (["08:00 tap a", "08:10 tap a", "08:20 leave"], [false, true]),
      (["08:00 tap a", "08:10 leave", "08:20 tap a"], [true, false]),
      (["08:00 tap a", "on tablet 08:10 leave"], [false]),
      (["08:00 tap a", "on tablet 08:05 tap a", "08:10 leave"], [true, false]),
    ]
    for (timeline, ends) in stories { #expect(try Self.ends(timeline) == ends, "\(timeline)") }
  }
}
