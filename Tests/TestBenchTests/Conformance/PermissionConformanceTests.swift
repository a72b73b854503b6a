import DeviceSimulation
import PlatformRuns
import Testing
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import Statistics
@testable import TestBench

/// Tests the conformance cases for the permission and the app's own settings, in complete runs.
@Suite struct PermissionConformanceTests {
  private static let reminders = """
    for: 3 days
    policy: {lifetimeCap: {a: 1}}
    reminders:
      a: {when: unlock, repeat: always, notify: A}

    """

  @Test func `case 49: a denied permission consumes nothing, and a later grant delivers`() throws {
    let run = try PlatformRun(
      Self.reminders
        + """
        phone: {notifications: denied}
        timeline: [10:00 unlock, 14:30 unlock, day 2 09:00 grant notifications, 10:00 unlock, 15:00 unlock]
        expect:
          - a is denied by permission twice on day 1
          - a fires once at 10:00 on day 2
          - a is denied by lifetimeCap once
        """)
    run.expectSound()
  }

  @Test func `case 50: an undecided permission denies and consumes nothing`() throws {
    let run = try PlatformRun(
      Self.reminders
        + """
        phone: {notifications: notDetermined}
        timeline: [10:00 unlock, 12:00 prompt authorized, 14:30 unlock]
        expect: [a is denied by permission once at 10:00, a fires once at 14:30, delivered = 1]
        """)
    run.expectSound()
    #expect(run.accounts.optOuts == OptOuts())
  }

  @Test func `case 51: a provisional permission delivers quietly and counts`() throws {
    let run = try PlatformRun(
      Self.reminders
        + """
        phone: {notifications: provisional}
        timeline: [10:00 unlock, 15:00 unlock]
        expect: [a fires once at 10:00, a is denied by lifetimeCap once at 15:00]
        """)
    run.expectSound()
    var sink = RecordingSink()
    var world = World(program: run.program, engine: run.program.makeEngine())
    world.run(into: &sink)
    let shown = sink.records.compactMap {
      if case .outcome(.delivered(_, let presentation)) = $0.body { presentation } else { nil }
    }
    #expect(shown == [.listed(.provisional)])
  }

  @Test func `case 55: a revoked permission permanently removes pending requests`() throws {
    let run = try PlatformRun(
      """
      for: 3 days
      reminders: {a: {when: every day 18:00 ahead 1, notify: A}}
      timeline: [10:00 deny notifications, 11:00 grant notifications, 11:05 open]
      expect: [a is lost to permissionRevoked once at 10:00]
      """)
    run.expectSound()
    #expect(run.accounts.optOuts.permission == 1 && run.accounts.optOuts.total == 1)
    let first = try #require(run.accounts.fires.first)
    #expect(first.request.occurrence != 0, "the notification after the grant is another request")
  }

  @Test func `case 56: the person cannot answer twice if the system asks only once`() throws {
    let answers = """
      phone: {notifications: notDetermined}
      timeline: [09:00 prompt denied, 10:00 prompt authorized, 11:00 unlock]
      """
    let once = try PlatformRun(
      "profile: ios\n" + Self.reminders + answers + "\nexpect: [fires = 0]")
    once.expectSound()
    #expect(once.accounts.ignored == ["promptAlreadyAnswered": 1])
    let always = try PlatformRun(
      "knobs: {permissionPrompt: always}\n" + Self.reminders + answers + "\nexpect: [a fires once at 11:00]")
    always.expectSound()
    #expect(always.accounts.ignored.isEmpty)
  }

  @Test func `preferences take precedence over caps, withdraw pending requests, and are not counted as caps`()
    throws
  {
    let run = try PlatformRun(
      """
      for: 4 days
      preferences: {off: quiet, dailyCap: 1}
      policy: {minimumInterval: 0 s}
      reminders:
        a: {when: unlock, repeat: always, notify: {title: A, type: loud}}
        b: {when: unlock, repeat: always, notify: {title: B, type: quiet}}
        c: {when: every day 20:00 ahead 2, notify: {title: C, bucket: user}}
      timeline:
        - 10:00 unlock                    # a; not b
        - 11:00 unlock                    # a second one is more than the person wants
        - 12:00 turn on quiet
        - 12:01 own daily cap none
        - 13:00 unlock                    # b
        - 14:00 turn off c
        - day 2 10:00 turn off all notifications
        - 10:05 unlock
        - day 3 10:00 turn on all notifications
        - 10:05 unlock
      expect:
        - b is denied by userDisabled once at 10:00 on day 1
        - a is denied by userDailyCap once at 11:00 on day 1
        - b fires once at 13:00 on day 1
        - c is lost to userDisabled at 14:00 on day 1
        - c never
        - a is denied by userDisabled once on day 2
        - a fires once on day 3
      """)
    run.expectSound()
    var expected = OptOuts()
    expected.types = 1
    expected.all = 1
    #expect(run.accounts.optOuts == expected, "a preference before the start of the story is not an opt-out")
    #expect(run.accounts.total.denied[.dailyCap] == 0)
  }

  @Test func `preferences survive a restart of the process but not a reinstall`() throws {
    let run = try PlatformRun(
      """
      for: 2 days
      profile: ios
      reminders: {a: {when: open, repeat: always, notify: {title: A, bucket: user}}}
      timeline:
        - 09:00 open
        - 09:05 turn off a
        - 09:06 leave
        - 10:00 terminate
        - 11:00 open
        - 11:01 leave
        - 12:00 reinstall
        - 12:30 grant notifications
        - 13:00 open
      expect: [a is denied by userDisabled once at 11:00, a is denied once, a requests = 3]
      """)
    run.expectSound()
  }
}
