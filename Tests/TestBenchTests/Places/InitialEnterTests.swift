import CivilTime
import DeviceSimulation
import Journal
import PlatformRuns
import RandomScenarios
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests how the app handles a report that the phone is already in a region when the app registers it
/// (INITIAL_TRIGGER_ENTER, rules L6 and L15).
@Suite struct InitialEnterTests {
  typealias Story = PhoneStoryTests.Story

  private static func head(
    _ profile: String = "android", knobs: String = "regionLatency: 0", phone: String = ""
  ) -> String {
    "for: 1 day\nprofile: \(profile)\nknobs: {\(knobs)}\n\(phone)"
      + "policy: {quietHours: none, minimumInterval: none}\nplaces: {home: {at: [46.05, 14.5], radius: 150 m}}\n"
      + "reminders:\n  old: {when: enter home, repeat: always, notify: {title: Old, bucket: user}}\n"
      + "  new: {exists: later, when: enter home, repeat: always, notify: {title: New, bucket: user}}\n"
      + "edits: {old: {other: {when: enter home, repeat: always, notify: {title: Other, bucket: user}}}}\n"
  }

  private static let atHome = "phone: {at: home}\n"
  private static let firstFix =
    "timeline: [08:01 open, \"08:30 at [46.05, 14.5]\", \"09:30 at [46.05, 14.5]\"]\n"

  static let stories = [
    Story(
      "a reminder that is created in its place fires there, and the others do not fire again",
      head(phone: atHome) + "timeline: [08:01 open, 08:02 create new]\n"
        + "expect: [new fires once at 08:02, old fires once at 07:00, old fires once]"),
    Story(
      "a reminder that is edited in its place fires there",
      head(phone: atHome) + "timeline: [08:01 open, 08:02 edit old to other]\n"
        + "expect: [old fires once at 08:02, old fires 2 times]"),
    Story(
      "a reminder that is created after an enter fires when it is created",
      head()
        + "timeline: [\"08:00 at [46.5, 14.5]\", 08:01 open, 09:00 at home, 09:30 create new, 10:00 reboot]\n"
        + "expect: [new fires once at 09:30, old fires once at 09:00, old fires once, new fires once]"),
    Story(
      "a reminder that is created in its place waits for the next enter on iOS",
      head("ios", phone: atHome)
        + "timeline: [08:01 open, 08:02 create new, 08:03 leave, 09:00 exit home, 10:00 enter home]\n"
        + "expect: [new fires once between 10:00 and 10:30]"),
    Story(
      "a position that becomes known in a region is an enter",
      head()
        + "\(firstFix)expect: [old fires once at 08:30]"
    ),
    Story(
      "a position that becomes known in a region is no enter on iOS",
      head("ios")
        + "\(firstFix)expect: [old never]"
    ),
    Story(
      "a reboot in a region is no arrival",
      head()
        + "timeline: [08:01 open, 09:00 enter home, 10:00 reboot]\nexpect: [old fires once at 09:00, old fires once]"
    ),
    Story(
      "a force stop in a region is no arrival",
      head() + "timeline: [08:01 open, 09:00 enter home, 10:00 force stop, 10:10 open]\n"
        + "expect: [old fires once at 09:00, old fires once]"),
    Story(
      "switching location off and on in a region is no arrival",
      head()
        + "timeline: [08:01 open, 09:00 enter home, 10:00 location services off, 10:10 location services on,\n"
        + "  10:20 open]\nexpect: [old fires once at 09:00, old fires once]"),
    Story(
      "an enter after an exit that the app did not observe is an arrival",
      head()
        + "timeline: [08:01 open, 09:00 enter home, 10:00 power off, 11:00 exit home, 12:00 power on,\n"
        + "  13:00 enter home]\nexpect: [old fires once at 09:00, old fires once at 13:00]"),
    Story(
      "an arrival while the phone is off is reported when it is on again",
      head() + "timeline: [08:01 open, 08:30 power off, 09:00 enter home, 10:00 power on]\n"
        + "expect: [old fires once between 10:00 and 10:05]"),
    Story(
      "a new installation does not know where it is",
      head() + "timeline: [08:01 open, 09:00 enter home, 10:00 reinstall, 10:01 grant notifications,\n"
        + "  10:02 location always, 10:03 open]\nexpect: [old requests = 2]"),
  ]

  @Test func `a region that is chosen because the phone is inside it is entered once`() throws {
    try PlatformRun(
      "for: 1 day\nprofile: android\nknobs: {regionLimit: 2, regionLatency: 0}\nphone: {at: near}\n"
        + "policy: {quietHours: none, minimumInterval: none}\nplaces:\n"
        + "  far: {at: [52.62, 13.4], radius: 150 m}\n  farther: {at: [52.72, 13.4], radius: 150 m}\n"
        + "  near: {at: [52.52, 13.4], radius: 150 m}\nreminders:\n"
        + ["far", "farther", "near"].map {
          "  \($0): {when: enter \($0), repeat: always, notify: {title: a, bucket: user}}\n"
        }.joined() + "timeline: [08:01 open, 08:02 leave, 09:00 reboot]\nexpect: [near fires once]\n"
    ).expectSound()
  }

  @Test(arguments: stories) func story(_ story: Story) throws {
    try PlatformRun(story.text).expectSound()
  }

  /// A model that computes the required requests from the app's observations.
  private struct Model: JournalSink {
    private var isInside = false
    private var exists = [true, false]
    private var isNew = [false, false]
    private var expected: [Int] = []
    private var requests: [Int] = []
    private(set) var faults: [String] = []
    /// The number of initial enters that were not an arrival, and of those that were one only for a new
    /// reminder.
    private(set) var (known, new) = (0, 0)

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      switch body {
      case .observed(let event):
        compare(stamp)
        observed(event)
      case .effect(.request(let request)): requests.append(request.id.reminder.index)
      default: break
      }
    }

    mutating func compare(_ stamp: RecordStamp) {
      if requests.sorted() != expected {
        faults.append("\(stamp.instant.iso8601): \(requests), not \(expected)")
      }
      (requests, expected) = ([], [])
    }

    private mutating func observed(_ event: ObservedEvent) {
      let reminder = Int(event.subject)
      switch event.kind {
      case .regionEntered where event.value != ObservedEvent.reportedState:
        let isKnown = event.value == ObservedEvent.initialEnter && isInside
        expected = [0, 1].filter { exists[$0] && (!isKnown || isNew[$0]) }
        if isKnown { if expected.isEmpty { known += 1 } else { new += 1 } }
        isInside = true
        isNew = [false, false]
      case .regionExited:
        isInside = false
        isNew = [false, false]
      case .edit: (exists[reminder], isNew[reminder]) = (true, isInside)
      case .create where !exists[reminder]: (exists[reminder], isNew[reminder]) = (true, isInside)
      case .cancel: (exists[reminder], isNew[reminder]) = (false, false)
      case .reinstalled: (isInside, exists, isNew) = (false, [true, false], [false, false])
      default: break
      }
    }
  }

  @Test(
    arguments: [
      ("android", ""), ("android", "regionLatency: 0"),
      ("ios", "initialTrigger: enter, regionLatency: 0, storeNeedsFirstUnlock: false"),
    ])
  func
    `an initial enter is an arrival for what does not know it; 2,000 stories each with TRIGGERBENCH_ALL`(
      profile: String, knobs: String
    ) throws
  {
    let words = [
      "enter home", "exit home", "enter home", "exit home", "reboot", "force stop", "open", "open", "leave",
      "terminate", "location services off", "location services on", "power off", "power on", "create new",
      "cancel new", "create new", "edit old to other", "reinstall", "location always", "airplane mode on",
      "airplane mode off",
    ]
    var (known, new) = (0, 0)
    for seed in 1...(Trial.isWhole ? 2_000 : 150) as ClosedRange<UInt64> {
      var dice = Dice(seed)
      var lines = ""
      var minute = 0
      for _ in 0..<40 {
        minute += 1 + dice.below(30)
        lines += "  - +\(minute)min \(dice.one(of: words))\n"
      }
      let start = dice.below(2) == 0 ? "phone: {at: home}\n" : ""
      let text = Self.head(profile, knobs: knobs, phone: start)
      let program = try PlatformRun.program("\(text)timeline:\n\(lines)expect: [requests >= 0]\n")
      var world = World(program: program, engine: program.makeEngine())
      var sinks = TeeSink(RunAccounts(program), Model())
      world.run(into: &sinks)
      sinks.first.close()
      let faults = sinks.first.contradictions + sinks.second.faults
      #expect(faults.isEmpty, "\(profile), seed \(seed): \(faults.prefix(3))")
      known += sinks.second.known
      new += sinks.second.new
    }
    // On iOS, regions survive a reboot.
    #expect(new > 20 && (known > 20 || profile == "ios"), "\(known), \(new)")
  }
}
