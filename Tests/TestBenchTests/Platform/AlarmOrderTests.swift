import CivilTime
import DeviceSimulation
import Journal
import PlatformRuns
import RandomScenarios
import ReminderMatching
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests that the pending alarms of one app on Android go off together, so that no alarm overtakes an earlier
/// one (AOSP, `LazyAlarmStore.removePendingAlarms`).
@Suite struct AlarmOrderTests {
  /// Checks that every alarm whose time has passed is delivered with the next alarm of the app.
  private struct OrderCheck: JournalSink {
    /// The times of the pending alarms, excluding repeating requests.
    private var pending: [RequestID: Instant] = [:]
    /// The instant of the last delivery of an alarm, and the alarms that were due by then.
    private var instant = Instant.distantPast
    private var owed: Set<RequestID> = []
    private(set) var faults: [String] = []

    mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
      if stamp.instant > instant, !owed.isEmpty {
        faults.append("\(owed.count) alarms were overtaken at \(instant.iso8601)")
        owed = []
      }
      switch body {
      // A journey or a clock change moves the times.
      case .truth(let event) where event.kind == .zoneChanged || event.kind == .clockChanged:
        pending = [:]
      case .effect(.add(let request)) where request.repeats == nil && request.deliverAt > stamp.moment.wall:
        pending[request.id] = request.deliverAt
      case .outcome(.removed(let id, _)), .outcome(.refused(let id, _)): forget(id)
      case .outcome(.delivered(let id, _)):
        guard pending[id] != nil else { return }
        forget(id)
        instant = stamp.instant
        owed = Set(pending.filter { $0.value <= stamp.moment.wall }.keys)
      default: break
      }
    }

    private mutating func forget(_ id: RequestID) {
      pending[id] = nil
      owed.remove(id)
    }
  }

  @Test func `no alarm overtakes an earlier one in any week; 2,000 weeks with TRIGGERBENCH_ALL`() throws {
    for seed in 1...(Trial.isWhole ? 2_000 : 150) as ClosedRange<UInt64> {
      let program = try PlatformRun.program(RandomStory(seed: seed, profile: "android").text)
      var world = World(program: program, engine: program.makeEngine())
      var check = OrderCheck()
      world.run(into: &check)
      #expect(check.faults.isEmpty, "seed \(seed): \(check.faults.prefix(3))")
    }
  }

  @Test func `an alarm also delivers earlier alarms that would be later on their own`() throws {
    for seed in 0..<20 {
      let run = try PlatformRun(
        "for: 1 day\nseed: \(seed)\nprofile: android\npolicy: {quietHours: none, minimumInterval: none}\nreminders:\n"
          + "  first: {when: every day 14:00 ahead 1, notify: {title: First, bucket: user}}\n"
          + "  second: {when: every day 14:05 ahead 1, notify: {title: Second, bucket: user}}\n"
          + "  woken: {when: every day 14:03, notify: {title: Woken, bucket: user}}\n"
          + "timeline: [08:01 open, 08:02 leave, 08:03 \(seed % 2 == 0 ? "terminate" : "lock")]\n"
          + "expect: [first fires once, second fires once, woken fires once]\n")
      run.expectSound("seed \(seed)")
      let times = try ["first", "woken", "second"].map { name in
        let reminder = try #require(run.program.reminders.reminder(named: name))
        return try #require(run.accounts.fires.first { $0.request.reminder == reminder }).instant
      }
      #expect(times == times.sorted(), "seed \(seed)")
    }
  }
}
