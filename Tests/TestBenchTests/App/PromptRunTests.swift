import DeviceSimulation
import Foundation
import PlatformRuns
import RandomScenarios
import ScenarioModel
import TestSupport
import Testing
import TextFormats
import TriggerModel

@testable import Simulation
@testable import Statistics
@testable import TestBench

/// Tests the location and Screen Time prompts in complete runs, and their timing.
@Suite struct PromptRunTests {
  private static let head = """
    for: 2 days
    phone: {notifications: notDetermined, location: notDetermined, screenTime: notDetermined, chosenApps: []}
    apps: [maps, mail]
    places: {shop: {at: [52.52, 13.405], radius: 150 m}}
    reminders:
      plain: {exists: later, when: unlock, repeat: always, notify: {title: P, bucket: user}}
      place: {exists: later, when: enter shop, repeat: always, notify: {title: L, bucket: user}}
      inside: {exists: later, when: unlock, if: inside shop, notify: {title: I, bucket: user}}
      other: {exists: later, when: open app mail, repeat: always, notify: {title: O, bucket: user}}

    """

  private func run(
    _ timeline: [String], expecting: [String] = ["requests >= 0"], profile: String = "ios",
    head: String = Self.head
  ) throws -> PlatformRun {
    try PlatformRun(
      head + "profile: \(profile)\ntimeline:\n" + timeline.map { "  - \($0)\n" }.joined() + "expect:\n"
        + expecting.map { "  - \($0)\n" }.joined())
  }

  // MARK: - Comparison with an independent model

  /// An independent model of the location prompts, based on each platform's sources.
  private struct PlaceModel {
    var profile: String
    /// One of `notDetermined`, `denied`, `once`, `whenInUse` and `always`.
    var state = "notDetermined"
    var denials = 0
    var wasOfferedAlways = false
    var shown = 0
    var granted = 0
    var denied = 0
    var isInFront = false

    mutating func take(_ line: String) {
      switch line {
      case "open": isInFront = true
      case "leave":
        if isInFront, state == "once" { state = "notDetermined" }
        isInFront = false
      case "reinstall":
        isInFront = false
        if profile == "ideal" { return }
        (state, denials, wasOfferedAlways) = ("notDetermined", 0, false)
      case _ where line.hasPrefix("location "): state = String(line.dropFirst(9))
      case _ where line.hasPrefix("prompt location "): ask(String(line.dropFirst(16)))
      default: break
      }
    }

    private mutating func ask(_ answer: String) {
      switch state {
      case "always", "once": return
      case "whenInUse": askForAlways(answer)
      default:
        let mayAsk =
          switch profile {
          case "ios": state == "notDetermined"
          case "android": state == "notDetermined" || denials == 1
          default: true
          }
        guard mayAsk, profile == "ideal" || answer != "always" else { return }
        shown += 1
        if answer == "notDetermined" { return }
        state = answer
        if answer == "denied" {
          denials += 1
          denied += 1
        } else {
          granted += 1
        }
      }
    }

    private mutating func askForAlways(_ answer: String) {
      if profile == "android" || profile == "ios" && wasOfferedAlways { return }
      if answer == "once" || answer == "whenInUse" { return }
      wasOfferedAlways = true
      shown += 1
      if answer == "always" {
        state = "always"
        granted += 1
      } else if answer == "denied" {
        denied += 1
      }
    }
  }

  @Test(
    "prompts for location follow each platform's sources in any history")
  func placeModel() throws {
    var random = SplitMix64(seed: 14)
    let words =
      LocationAnswer.allCases.map { "prompt location \($0)" }
      + LocationAnswer.allCases.filter { $0 != .denied }.map { "prompt location \($0)" }
      + ["open", "leave", "open", "leave", "location denied", "location whenInUse", "reinstall"]
    var tally: [String: Int] = [:]
    for round in 0..<60 {
      let profile = ["ios", "android", "ideal"][round % 3]
      var model = PlaceModel(profile: profile)
      var lines: [String] = []
      for minute in 0..<30 {
        let word = random.one(of: words)
        model.take(word)
        lines.append("+\(minute + 1)m \(word)")
      }
      let run = try run(lines, profile: profile)
      run.expectSound("round \(round)")
      let app = run.accounts.app
      #expect(app.count(.permissionRequested(.location)) == model.shown, "round \(round): \(lines)")
      #expect(app.count(.permissionGranted(.location)) == model.granted, "round \(round): \(lines)")
      #expect(app.count(.permissionDenied(.location)) == model.denied, "round \(round): \(lines)")
      tally[profile, default: 0] += model.shown
    }
    #expect(tally.count == 3 && tally.values.allSatisfy { $0 > 40 }, "\(tally)")
  }

  @Test func `early and stacked prompts are those that a scan of the time line finds`() throws {
    var random = SplitMix64(seed: 41)
    let kinds: [(name: String, kind: PermissionKind, needs: Set<String>)] = [
      ("prompt ", .notifications, ["plain", "place", "inside", "other"]),
      ("prompt location ", .location, ["place", "inside"]), ("prompt screen time ", .screenTime, ["other"]),
    ]
    var words =
      ["open", "leave", "open", "lock"] + ["plain", "place", "inside", "other"].map { "create \($0)" }
    words += ["prompt denied", "prompt location denied", "prompt screen time denied"]
    words += ["delete place", "delete other"]
    var (early, stacked) = (0, 0)
    for round in 0..<60 {
      var made: Set<String> = []
      var there: Set<String> = []
      var prompts = 0
      var expected: [AppEvent] = []
      var lines: [String] = []
      for minute in 0..<20 {
        let word = random.one(of: words)
        if word.hasPrefix("delete "), !there.contains(String(word.dropFirst(7))) { continue }
        lines.append("+\(minute + 1)m \(word)")
        switch word {
        case "open": prompts = 0
        case "leave", "lock": break
        case _ where word.hasPrefix("create "):
          made.insert(String(word.dropFirst(7)))
          there.insert(String(word.dropFirst(7)))
        case _ where word.hasPrefix("delete "): there.remove(String(word.dropFirst(7)))
        default:
          // The ideal profile shows each of these prompts.
          guard let asked = kinds.last(where: { word.hasPrefix($0.name) }) else { continue }
          if asked.needs.isDisjoint(with: made) { expected.append(.promptEarly(asked.kind)) }
          if prompts > 0 { expected.append(.promptStacked(asked.kind)) }
          prompts += 1
        }
      }
      let run = try run(lines, profile: "ideal")
      run.expectSound("round \(round)")
      let got = run.accounts.app.entries.map(\.event).filter {
        switch $0 {
        case .promptEarly, .promptStacked: true
        default: false
        }
      }
      #expect(got == expected, "round \(round): \(lines)")
      let warnings = run.result.warnings.count { $0.message.hasPrefix("this prompt is too early") }
      let untimely = expected.count { if case .promptEarly = $0 { true } else { false } }
      #expect(warnings == untimely, "each has a line of its own: round \(round)")
      early += untimely
      stacked += expected.count - untimely
    }
    #expect(early > 40 && stacked > 20, "\(early), \(stacked)")
  }

  // MARK: - Stories

  @Test func `a location reminder that the plan refuses needs no permission`() throws {
    let head = """
      for: 2 days
      phone: {location: notDetermined}
      places: {shop: {at: [52.52, 13.405], radius: 150 m}}
      plans:
        free: {reminders: 3, triggers: [unlock, time]}
        paid: {products: {monthly: month}}
      subscription: {start: free}
      reminders:
        place: {exists: later, when: enter shop, notify: {title: L, bucket: user}}

      """
    let run = try run(
      [
        "08:00 open", "08:01 create place", "08:02 prompt location notDetermined", "08:03 buy monthly",
        "08:04 leave", "08:05 open", "08:06 prompt location whenInUse",
      ],
      expecting: [
        "creating place is refused once", "location prompt is shown twice",
        "location prompt is early once at 08:02", "location prompt is never stacked",
      ], profile: "ideal", head: head)
    run.expectSound()
  }

  @Test func `initial reminders, edits and milestones need the permissions that they use`() throws {
    let head = """
      for: 2 days
      phone: {location: notDetermined, screenTime: notDetermined}
      apps: [mail]
      places: {shop: {at: [52.52, 13.405], radius: 150 m}}
      reminders: {a: {when: unlock, notify: {title: A, bucket: user}}}
      edits: {a: {there: {when: enter shop, notify: {title: A, bucket: user}}}}
      milestones: {firstMail: {when: open app mail}}

      """
    let run = try run(
      [
        "08:00 prompt location notDetermined", "08:01 prompt screen time notDetermined",
        "08:02 edit a to there", "08:03 prompt location denied",
      ],
      expecting: [
        "location prompt is early once at 08:00", "screen time prompt is never early",
      ], profile: "ideal", head: head)
    run.expectSound()
  }

  @Test(
    "the app observes other apps only with Screen Time and if they were chosen",
    arguments: [
      "ideal", "ios",
    ])
  func otherApps(_ profile: String) throws {
    func story(_ lines: String...) throws -> PlatformRun {
      let run = try run(
        ["08:00 open", "08:01 create other"] + lines + ["10:00 open app mail", "10:20 lock"],
        profile: profile,
        head: Self.head.replacing("notifications: notDetermined", with: "notifications: authorized"))
      run.expectSound()
      return run
    }
    func misses(_ run: PlatformRun) throws -> [String] {
      run.accounts.devices.flatMap { $0.missedRequests(ReminderID(3)) }.map(\.cause.name)
    }
    #expect(try misses(story()) == ["screenTimeDenied"])
    #expect(
      try misses(story("08:02 prompt screen time denied", "08:03 choose apps mail")) == ["screenTimeDenied"])
    #expect(try misses(story("08:02 prompt screen time approved")) == ["appNotChosen"])
    let others = try story(
      "08:02 prompt screen time approved", "08:03 choose apps mail", "08:04 choose apps maps")
    #expect(try misses(others) == ["appNotChosen"], "the choice takes the place of the one before")
    let told = try story("08:02 prompt screen time approved", "08:03 choose apps maps, mail")
    #expect(try misses(told).isEmpty && !told.accounts.fires.isEmpty)
    let revoked = try story(
      "08:02 screen time approved", "08:03 choose apps mail", "09:00 screen time denied")
    #expect(try misses(revoked) == ["screenTimeDenied"])
  }

  @Test func `a prompt for a permission that Android grants only in its settings has no effect`()
    throws
  {
    let run = try run(
      ["08:00 prompt screen time approved", "08:01 prompt location always", "08:02 screen time approved"],
      expecting: ["screen time prompt is never shown", "location prompt is never shown"], profile: "android")
    run.expectSound()
    #expect(run.accounts.ignored == ["settingsOnly": 2])
    #expect(run.result.warnings.count == 2)
  }

  @Test func `location permission enables regions, and 'once' expires when the app is left`() throws {
    let head = Self.head.replacing("notifications: notDetermined", with: "notifications: authorized")
    let run = try run(
      [
        "08:00 open", "08:01 create place", "08:02 prompt location once", "08:03 leave", "08:10 open",
        "08:11 prompt location whenInUse", "08:12 leave", "08:20 open", "08:21 prompt location always",
        "08:30 leave", "10:00 enter shop", "10:30 exit shop",
      ],
      expecting: ["location prompt is shown 3 times", "place fires once"], head: head)
    run.expectSound()
    let kept = try self.run(
      [
        "08:00 open", "08:01 create place", "08:11 prompt location whenInUse", "08:12 leave", "08:20 open",
        "08:21 prompt location denied", "08:22 prompt location always", "08:30 leave", "10:00 enter shop",
        "10:30 exit shop",
      ],
      expecting: [
        "location prompt is shown twice", "location permission is denied once at 08:21", "place never",
      ], head: head)
    kept.expectSound()
    #expect(kept.accounts.ignored == ["promptAlreadyAnswered": 1])
  }

  @Test func `a copy of the world continues with its own prompts and choices`() throws {
    let run = try run([
      "08:00 open", "08:01 prompt location once", "08:02 create other", "08:03 prompt screen time approved",
      "08:04 choose apps mail", "08:05 leave", "09:00 open", "09:01 prompt location whenInUse", "09:02 leave",
      "10:00 open app mail", "10:20 lock", "11:00 open", "11:01 prompt location always",
    ])
    for cut in run.program.events.map(\.instant) {
      var first = RunAccounts(run.program)
      var world = World(program: run.program, engine: run.program.makeEngine())
      world.run(until: cut + .seconds(1), into: &first)
      var copy = world
      var second = first
      world.run(into: &first)
      copy.run(into: &second)
      #expect(first.app.entries == second.app.entries && first.app.entries == run.accounts.app.entries)
    }
  }
}
