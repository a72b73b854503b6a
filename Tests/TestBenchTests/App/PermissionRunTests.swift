import DeviceSimulation
import Foundation
import NotificationGateway
import PlatformRuns
import TestSupport
import Testing
import TriggerModel

@testable import Journal
@testable import Simulation
@testable import Statistics
@testable import TestBench

/// Tests the permission flow in complete runs, following the numbered cases of the conformance list.
@Suite struct PermissionRunTests {
  private static let reminders = "reminders: {a: {when: unlock, repeat: always, notify: A}}\n"

  private func run(
    _ timeline: String..., expecting: [String], profile: String = "ios", permission: String = "notDetermined"
  ) throws -> PlatformRun {
    try PlatformRun(
      Self.reminders + "for: 5 days\nprofile: \(profile)\nphone: {notifications: \(permission)}\ntimeline:\n"
        + timeline.map { "  - \($0)\n" }.joined() + "expect:\n" + expecting.map { "  - \($0)\n" }.joined())
  }

  @Test func `case 50: an undecided permission denies, and priming does not count as a request`() throws {
    let run = try run(
      "08:00 open", "08:10 unlock", "08:20 prime first_workout", "08:21 prompt authorized", "09:00 unlock",
      expecting: [
        "a is denied by permission once at 08:10", "priming first_workout is shown once at 08:20",
        "prompt is shown once", "permission is granted once at 08:21", "a fires once at 09:00",
        "settings banner is never shown", "requests = 2",
      ], profile: "ideal")
    run.expectSound()
    #expect(run.accounts.app.primed == 1 && run.accounts.app.granted == 1 && run.accounts.app.row == .on)
  }

  @Test(arguments: [("ios", 1, 2), ("android", 2, 1), ("ideal", 3, 0)])
  func `case 56: the number of prompts depends on the platform`(
    _ profile: String, _ prompts: Int, _ ignored: Int
  ) throws {
    let run = try run(
      "08:00 open", "08:10 prompt denied", "08:20 prompt denied", "08:30 prompt authorized",
      expecting: ["permission is denied at least once"], profile: profile)
    run.expectSound()
    #expect(run.accounts.app.prompts == prompts)
    #expect(run.accounts.ignored["promptAlreadyAnswered"] ?? 0 == ignored)
    #expect(run.accounts.app.denied == min(prompts, 2) && run.accounts.app.granted == (prompts == 3 ? 1 : 0))
  }

  @Test func `an app with the permission does not ask again, and its accounts add up`() throws {
    let run = try run(
      "08:04 prompt authorized", "08:05 prompt denied", "08:06 prompt authorized", "09:00 unlock",
      expecting: ["prompt is shown once", "permission is granted once at 08:04", "a fires once at 09:00"],
      profile: "ideal")
    run.expectSound()
    #expect(run.accounts.ignored == ["promptAlreadyAnswered": 2])
    #expect(run.accounts.app.denied == 0 && run.accounts.app.row == .on)
    #expect(run.accounts.optOuts.permission == 0)
  }

  @Test func `every prompt is granted, denied or closed on every platform`() throws {
    var random = SplitMix64(seed: 3)
    let actions = [
      "prompt authorized", "prompt denied", "prompt notDetermined", "grant notifications",
      "deny notifications", "prime goal", "skip priming", "leave", "open", "reinstall",
    ]
    for round in 0..<30 {
      var lines = ["08:00 open"]
      for minute in 1..<25 {
        lines.append(String(format: "08:%02d ", minute) + random.one(of: actions))
      }
      let run = try PlatformRun(
        Self.reminders + "profile: \(["ideal", "ios", "android"][round % 3])\n"
          + "phone: {notifications: notDetermined}\ntimeline:\n"
          + lines.map { "  - \($0)\n" }.joined() + "expect: [requests >= 0]\n")
      run.expectSound("round \(round)")
      let app = run.accounts.app
      let closed = PromptCounter.closed(run.program)
      #expect(app.prompts == app.granted + app.denied + closed, "round \(round)")
    }
  }

  @Test func `case 56: a dismissed prompt decides nothing and is shown again`() throws {
    let run = try run(
      "08:00 open", "08:10 prompt notDetermined", "08:20 prompt notDetermined", "08:30 prompt authorized",
      expecting: ["prompt is shown 3 times", "permission is granted once", "permission is never denied"],
      profile: "android")
    run.expectSound()
  }

  @Test func `after a denial, the next opening shows the settings banner once`() throws {
    let run = try run(
      "08:00 open", "08:10 prompt denied", "08:15 leave", "08:20 terminate", "09:00 open", "09:10 leave",
      "10:00 open", "10:05 leave", "10:10 grant notifications", "10:20 open", "10:25 leave",
      "10:30 deny notifications", "10:40 open",
      expecting: ["settings banner is shown once at 09:00"])
    run.expectSound()
    #expect(run.accounts.app.row == .openSettings)
  }

  @Test func `a reinstall restarts the flow with the system's current permission`() throws {
    let run = try run(
      "08:00 open", "08:10 prompt denied", "08:15 leave", "08:20 reinstall", "08:30 open", "08:31 leave",
      "09:00 notifications notDetermined", "09:10 open", "09:20 prime again", "09:30 prompt denied",
      "09:40 leave", "10:00 open",
      expecting: [
        "settings banner is shown once at 10:00", "priming again is shown once", "prompt is shown twice",
      ])
    run.expectSound()
  }

  @Test func `a priming view waits for the foreground and is lost when the process ends`() throws {
    let waits = try run(
      "08:00 prime goal", "08:30 terminate", "09:00 open", "09:05 skip priming", "09:10 skip priming",
      expecting: ["priming goal is shown once at 09:00", "priming goal is skipped once at 09:05"])
    waits.expectSound()
    #expect(waits.accounts.ignored["nothingToSee"] == 1, "it is skipped once")
    let ended = try run(
      "08:00 open", "08:01 prime goal", "08:02 leave", "08:03 terminate", "08:10 open", "08:11 skip priming",
      expecting: ["priming goal is shown once", "priming goal is never skipped"])
    ended.expectSound()
  }

  @Test func `for a decided permission, no priming view is shown, but the attempt is counted`() throws {
    for permission in ["authorized", "denied", "provisional"] {
      let run = try run(
        "08:00 open", "08:10 prime goal", expecting: ["priming goal is never shown"], permission: permission)
      run.expectSound("\(permission)")
      #expect(run.accounts.ignored["promptAlreadyAnswered"] == 1, "\(permission)")
    }
  }

  @Test func `only one priming view is shown at a time`() throws {
    let run = try run(
      "08:00 open", "08:10 prime goal", "08:11 prime other", "08:12 skip priming", "08:13 prime other",
      expecting: ["priming goal is shown once", "priming other is shown once at 08:13"])
    run.expectSound()
    #expect(run.accounts.ignored == ["alreadySo": 1])
  }

  @Test func `a copy of the world continues with its own permission, priming and banner`() throws {
    let run = try run(
      "08:00 open", "08:10 prime goal", "08:20 prompt denied", "08:30 leave", "09:00 open",
      expecting: ["prompt is shown once"])
    for cut in run.program.events.map(\.instant) {
      var first = RunAccounts(run.program)
      var world = World(program: run.program, engine: run.program.makeEngine())
      world.run(until: cut + .seconds(1), into: &first)
      var copy = world
      var second = first
      world.run(into: &first)
      copy.run(into: &second)
      #expect(first.app.entries == second.app.entries)
      #expect(first.app.entries == run.accounts.app.entries)
    }
  }
}

/// Counts the unanswered prompts on the phone's truth track.
private struct PromptCounter: JournalSink {
  private var count = 0

  static var wantsEveryFix: Bool { false }

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    if body == .outcome(.prompted(.notifications(.notDetermined))) { count += 1 }
  }

  static func closed(_ program: Program) -> Int {
    var counter = PromptCounter()
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &counter)
    return counter.count
  }
}
