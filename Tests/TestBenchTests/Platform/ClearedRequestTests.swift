import DeviceSimulation
import PlatformRuns
import Scenarios
import Simulation
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Journal
@testable import Statistics

/// Tests that a request that the system clears is lost with the cause of the clearing.
@Suite("Requests that the system clears")
struct ClearedRequestTests {
  @Test(arguments: [
    ("12:00 reboot", Reason.clearedByReboot), ("12:00 update app", .clearedByUpdate),
    ("12:00 force stop", .clearedByForceStop), ("12:00 exact alarms off", .exactAlarmsRevoked),
    ("12:00 deny notifications", .permissionRevoked), ("12:00 cancel pill", .cancelled),
  ])
  func `a cleared request is lost with the cause of the clearing`(event: String, reason: Reason) throws {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: android
      knobs: {exactAlarms: granted, dozeAfter: 0, bootStart: never, updateLosesPending: true, updateStarts: false}
      reminders: {pill: {when: every day 18:00 ahead 1, notify: {title: Pill, bucket: user}}}
      timeline: [08:01 open, 08:02 leave, \(event)]
      expect: [pill is lost to \(reason.name) once]
      """)
    run.expectSound("\(event)")
    #expect(try run.account("pill").lost[reason] == 1)
  }

  @Test func `the first event that clears a request is its cause`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: android
      knobs: {exactAlarms: granted, dozeAfter: 0, bootStart: never}
      reminders: {pill: {when: every day 18:00 ahead 1, notify: {title: Pill, bucket: user}}}
      timeline: [08:01 open, 08:02 leave, 10:00 force stop, 12:00 reboot]
      expect: [pill is lost to clearedByForceStop once]
      """)
    run.expectSound()
  }

  @Test(arguments: ["ios", "android"])
  func `only the app cancels requests`(profile: String) throws {
    var cleared = 0
    try AnyScenario.each(Trial.isWhole ? 2_000 : 60, profile: profile) { seed, program in
      var world = World(program: program, engine: program.makeEngine())
      var sink = CancellationSink()
      world.run(into: &sink)
      cleared += sink.cleared
      #expect(sink.unexplained == 0, "\(profile), seed \(seed)")
    }
    if profile == "android" { #expect(cleared > 0) }
  }

  /// Counts the removals with the reason `cancelled` at instants at which the app cancelled nothing.
  private struct CancellationSink: JournalSink {
    var unexplained = 0
    var cleared = 0
    private var cancelledAt: Set<Instant> = []

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      switch body {
      case .effect(.remove(_, .cancelled)), .effect(.withdraw(_, .cancelled)):
        cancelledAt.insert(stamp.instant)
      case .happened(.reinstall): cancelledAt.insert(stamp.instant)
      case .outcome(.removed(_, .cancelled)): if !cancelledAt.contains(stamp.instant) { unexplained += 1 }
      case .outcome(.removed(_, .clearedByReboot)), .outcome(.removed(_, .clearedByForceStop)),
        .outcome(.removed(_, .clearedByUpdate)), .outcome(.removed(_, .exactAlarmsRevoked)):
        cleared += 1
      default: break
      }
    }
  }
}
