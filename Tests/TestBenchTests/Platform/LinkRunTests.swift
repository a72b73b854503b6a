import PlatformRuns
import ReminderEngine
import ReminderMatching
import ScenarioModel
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import Statistics
@testable import TestBench

/// Tests the destinations of taps in complete runs. They are numbered conformance cases that require a phone.
@Suite struct LinkRunTests {
  private static let setup = """
    for: 3 days
    links: {schemes: [app], startUp: 2 s}
    consumers:
      tabs: {patterns: "nav/{home|list}", fallback: nav/home}
    reminders:
      a: {when: unlock, repeat: always, notify: {title: A, link: "app://nav/list", bucket: user}}
      b: {when: unlock, repeat: always, notify: {title: B, link: "app://list", bucket: user}}

    """

  private func run(_ timeline: String, expecting: String = "a fires once") throws -> PlatformRun {
    try PlatformRun(
      Self.setup + "timeline:\n  - 10:00 unlock\n" + timeline + "\nexpect:\n  - \(expecting)\n")
  }

  @Test
  func `the shipped pack has four broken links, and every tap in the corrected pack is routed`()
    throws
  {
    let shipped = try PlatformRun(shipped: "links-as-shipped.yaml")
    shipped.expectSound()
    let lost = shipped.accounts.endings.filter { $0.reason == .linkUnresolved }.map {
      shipped.program.scenario.reminders[$0.reminder.index].declaration.id
    }
    #expect(lost == ["nutritionGap", "trainingDay", "restDay", "engagement"])
    #expect(shipped.warnings.count == 4, "check reports them too")
    for (name, warning) in zip(lost, shipped.warnings) { #expect(warning.message.contains("'\(name)'")) }

    let corrected = try PlatformRun(shipped: "links-corrected.yaml")
    corrected.expectSound()
    #expect(corrected.warnings.isEmpty)
    #expect(
      Figure(.routingSuccess, corrected.accounts.total, days: 1).description == "100.0 % (6 of 6)")
  }

  @Test func `case 77: only a tap on an unknown link counts as failed`() throws {
    let run = try run("  - 10:05 tap b\n  - 10:06 open link other://nav/home", expecting: "routed = 0")
    run.expectSound()
    #expect(try run.account("b").links.lost[.linkUnresolved] == 1)
    #expect(run.accounts.total.links.attempted == 1, "a link opened from elsewhere belongs to no reminder")
    #expect(run.accounts.links[0].attempted == 0, "another app's")
  }

  @Test(arguments: ["force quit", "terminate", "open", "leave", "unlock"])
  func `case 78: a tap is routed once if the app is killed, in the background or in front`(_ state: String)
    throws
  {
    let run = try run("  - 10:02 open\n  - 10:04 \(state)\n  - 10:05 tap a")
    #expect(run.accounts.contradictions.isEmpty)
    let links = try run.account("a").links
    #expect(links.attempted == 1 && links.routed == 1 && links.lost.total == 0)
  }

  @Test func `case 78: a tap on a cancelled reminder's notification leads to the fallback`() throws {
    // Cancelling a reminder does not remove its delivered notification from the list.
    let run = try run("  - 10:04 cancel a\n  - 10:05 tap a")
    #expect(try run.account("a").links.routed == 1)
    #expect(try run.account("a").links.fallbacks == 1)
  }

  @Test func `case 79: a tap is routed after the permission was revoked and the app restarted`() throws {
    for between in ["deny notifications", "terminate", "reboot"] {
      let run = try run("  - 10:03 \(between)\n  - 10:10 unlock\n  - 10:11 tap a")
      #expect(run.accounts.contradictions.isEmpty)
      let account = try run.account("a")
      #expect(account.tapped == account.links.routed, "after \(between)")
    }
  }

  @Test(
    "a link that is pending when the process ends, or is replaced by a later one, is unconsumed")
  func pendingIsNotConsumed() throws {
    let killed = try run("  - 10:04:59 force quit\n  - 10:05 tap a\n  - 10:05:01 force quit\n  - 10:06 open")
    #expect(try killed.account("a").links.lost[.linkUnconsumed] == 1)
    #expect(try killed.account("a").links.routed == 0)

    let replaced = try run(
      "  - 10:04:59 force quit\n  - 10:05 tap a\n  - 10:05:01 open link app://nav/home",
      expecting: "a is lost to linkUnconsumed once at 10:05:01")
    replaced.expectSound()
    #expect(replaced.accounts.links[0].routed == 1)
  }

  @Test func `a link that has not reached the app before its process ends is lost`() throws {
    let run = try run(
      "  - 10:04 next tap late by 5 s\n  - 10:05 tap a\n  - 10:05:02 force quit\n  - 10:06 open")
    #expect(try run.account("a").links.lost[.linkLost] == 1)
  }

  @Test func `a resolved link that no screen observes is unconsumed`() throws {
    let run = try PlatformRun(
      """
      for: 2 days
      links: {schemes: [app], startUp: 2 s}
      consumers:
        lists: {patterns: "list/{rest...}", observed: false}
        tabs: "nav/{tab}"
      reminders:
        a: {when: unlock, repeat: always, notify: {title: A, link: "app://list/milk/2", bucket: user}}
        b: {when: unlock, repeat: always, notify: {title: B, link: "app://nav/home", bucket: user}}
      analytics: {consent: granted}
      timeline: [10:00 unlock, 10:04:59 force quit, 10:05 tap a, 10:06 tap b, 10:07 open link app://list]
      expect:
        - a is lost to linkUnconsumed once at 10:05:02
        - b routed = 1
      """)
    run.expectSound()
    #expect(
      run.warnings.map(\.message)
        == ["'a' links to app://list/milk/2, which leads to 'lists', but the app does not observe that"])
    #expect(try run.account("a").links.onTheWay == 0)
    #expect(run.accounts.links[0].lost[.linkUnconsumed] == 1, "opened from elsewhere")
  }

  @Test func `a link with an undeclared scheme or domain opens another app`() throws {
    for (link, opens) in [
      ("https://a.example/nav/home", false), ("other://nav/home", false), ("app://unknown", true),
      ("app://nav/home", true),
    ] {
      let run = try PlatformRun(
        """
        links: {schemes: [app]}
        consumers: {tabs: "nav/{tab}"}
        reminders: {a: {when: open, notify: {title: A, link: "app://nav/a", bucket: user}}}
        timeline: [10:00 open link \(link)]
        expect: [\(opens ? "a fires once" : "a never")]
        """)
      run.expectSound("\(link)")
      #expect(run.accounts.ignored == (opens ? [:] : ["opensElsewhere": 1]), "\(link)")
      #expect((run.accounts.links.first?.attempted ?? 0) == (opens ? 1 : 0), "\(link)")
    }
  }

  @Test func `a universal link with a declared domain opens the app`() throws {
    let run = try PlatformRun(
      """
      links: {domains: a.example}
      consumers: {tabs: "nav/{tab}"}
      reminders: {a: {when: open, notify: {title: A, link: "app://nav/a", bucket: user}}}
      timeline: ["10:00 open link https://A.example/nav/home"]
      expect: [a fires once]
      """)
    run.expectSound()
    #expect(run.accounts.links[0].routed == 1)
  }

  @Test func `duplicate, late and lost links are distinguished`() throws {
    let cases: [(fault: String, routed: Int, lost: Int, duplicates: Int, again: Int)] = [
      ("next tap lost", 0, 1, 0, 0), ("next tap late by 5 s", 1, 0, 0, 0),
      ("next tap again after 0 s", 1, 0, 1, 0), ("next tap again after 200 ms", 1, 0, 1, 0),
      ("next tap again after 201 ms", 1, 0, 1, 0), ("next tap again after 5 min", 1, 0, 1, 0),
    ]
    for (fault, routed, lost, duplicates, again) in cases {
      let run = try run("  - 10:04 open\n  - 10:04:30 \(fault)\n  - 10:05 tap a")
      run.expectSound("\(fault)")
      let links = try run.account("a").links
      #expect(links.attempted == 1 && links.routed == routed && links.lost.total == lost, "\(fault)")
      #expect(links.duplicates == duplicates && links.routedAgain == again, "\(fault)")
    }
  }

  /// The system may pass a tap to the app again at any time, whether or not the app is in the foreground.
  @Test func `the link of a tap is routed once, however late the system passes it again`() throws {
    for seed in UInt64(0)..<300 {
      var random = SplitMix64(seed: seed)
      var lines: [String] = []
      let taps = random.int(1...3)
      for tap in 0..<taps {
        let hour = 10 + 3 * tap
        lines.append("\(hour):20 unlock")
        lines.append("\(hour):30 next tap again after \(random.int(0...9_000)) s")
        lines.append("\(hour):30 tap a")
        lines.append("\(hour):\(random.int(40...49)) \(random.one(of: ["leave", "lock", "unlock"]))")
        lines.append("\(hour):\(random.int(50...59)) open")
      }
      let run = try run("  - " + lines.joined(separator: "\n  - "), expecting: "a routed = \(taps)")
      let links = try run.account("a").links
      #expect(run.result.failedExpectations == 0, "seed \(seed): \(lines)")
      #expect(links.routedAgain == 0 && links.routed == taps, "seed \(seed): \(lines)")
    }
  }

  @Test func `a late link is shown when it arrives, not when it was tapped`() throws {
    let run = try PlatformRun(
      Self.setup + "timeline: [10:00 unlock, 10:04 next tap late by 90 s, 10:05 tap a]\nexpect: [routed = 1]")
    var sink = RecordingSink()
    var world = World(program: run.program, engine: run.program.makeEngine())
    world.run(into: &sink)
    let steps: [(TriggerModel.Instant, LinkRecord)] = sink.records.compactMap {
      if case .link(let link) = $0.body { ($0.instant, link) } else { nil }
    }
    #expect(steps.map(\.1.step).first == .attempted)
    #expect(steps.count == 2 && steps[1].0 - steps[0].0 == .seconds(90))
  }

  @Test func `an edit has a link of its own`() throws {
    let run = try PlatformRun(
      Self.setup
        + """
        edits:
          b: {right: {when: unlock, repeat: always, notify: {title: B, link: "app://nav/home", bucket: user}}}
        timeline: [09:00 edit b to right, 10:00 unlock, 10:05 tap b]
        expect: [b routed = 1]
        """)
    run.expectSound()
  }

  @Test func `a type that no consumer lists is denied as notRegistered`() throws {
    let run = try PlatformRun(
      """
      consumers: {tabs: {types: a, patterns: "nav/{tab}"}}
      reminders:
        a: {when: unlock, notify: {title: A, link: "app://nav/a"}}
        b: {when: unlock, notify: {title: B, link: "app://nav/b"}}
      timeline: [10:00 unlock]
      expect: [a fires once, b is denied by notRegistered once]
      """)
    run.expectSound()
  }

  @Test func `without consumers, the links of taps are not modelled and have no metrics`() throws {
    let run = try PlatformRun(
      """
      reminders: {a: {when: unlock, notify: {title: A, link: "app://nav/a"}}}
      timeline: [10:00 unlock, 10:05 tap a]
      expect: [tapped = 1, routed = 0]
      """)
    run.expectSound()
    #expect(run.program.links == nil && run.warnings.isEmpty)
    let figure = Figure(.routingSuccess, run.accounts.total, days: 1)
    #expect(figure.denominator == 0 && figure.order(millionths: 990_000) == nil)
  }

  @Test func `a copy of the world routes independently`() throws {
    let run = try run("  - 10:04:59 force quit\n  - 10:05 tap a")
    var world = World(program: run.program, engine: run.program.makeEngine())
    var early = RunAccounts(run.program)
    world.run(until: Array(run.program.events)[2].instant + .seconds(1), into: &early)
    var copy = world
    var one = early
    var other = early
    world.run(into: &one)
    copy.run(into: &other)
    #expect(one.total.links.routed == 1 && one.links == other.links)
    #expect(early.total.links.routed == 0 && early.total.links.attempted == 1, "pending at the copy")
  }
}
