import DeviceSimulation
import PlatformRuns
import ReminderEngine
import ReminderMatching
import ScenarioModel
import Simulation
import Testing
import TriggerModel

@testable import Journal
@testable import Statistics
@testable import TestBench

/// Tests exposures and responses, and the checks that their accounts add up.
@Suite("Exposures and responses")
struct ExposureTests {
  // MARK: Suppressed banners

  /// Returns the account of a reminder whose notification appears at 10:00 on each of two days.
  private func run(_ timeline: String, profile: String = "ios") throws -> ReminderAccount {
    let run = try PlatformRun(
      """
      for: 2 days
      profile: \(profile)
      reminders: {a: {when: every day 10:00 ahead 5, notify: {title: A, bucket: user, actions: snooze 3 days}}}
      timeline: [07:01 open, 07:02 leave, \(timeline)]
      expect: [delivered = 2]
      """)
    run.expectSound("\(timeline)")
    return try run.account("a")
  }

  @Test(
    "focus, provisional permission and the summary expose in the list, where a tap is possible")
  func alike() throws {
    let taps = "10:05 tap a, 10:06 leave, day 2 19:00 tap a, 19:01 tap a"
    for (reason, listed) in [
      ("07:03 focus on", 2), ("07:03 notifications provisional", 2), ("07:03 focus off", 0),
    ] {
      let account = try run("\(reason), \(taps)")
      #expect(account.exposed == 2 && account.listed == listed, "\(reason)")
      #expect(account.tapThrough == Ratio(2, of: 2), "\(reason)")
    }
    // The summary holds the notification, so the person cannot tap it at 10:05.
    let held = try run("07:03 summary on, 10:05 tap a, day 2 10:05 tap a")
    // The tap on the second day applies to the notification of the first day.
    #expect(held.exposed == 2 && held.listed == 2 && held.tapThrough == Ratio(1, of: 2))
    #expect(try run("07:03 summary on, \(taps)").tapThrough == Ratio(2, of: 2))
    // While the app is in the foreground, the notification is not visible.
    let front = try run("09:59 open, \(taps)")
    #expect(front.exposed == 1 && front.tapThrough == Ratio(1, of: 1))
  }

  @Test func `a notification held for the summary fires with it, unless the run ends first`() throws {
    let story = """
      profile: ios
      reminders: {a: {when: every day 10:00 ahead 5, notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave, 07:03 summary on, 10:05 tap a]

      """
    let day = try PlatformRun("for: 1 day\n" + story + "expect: [{exact: [a at 18:00]}, tapThrough = 0 %]\n")
    day.expectSound()
    let short = try PlatformRun(
      "for: 9 h\n" + story + "expect: [a never, a is lost to notPresented once, delivered = 1, exposed = 0]\n"
    )
    short.expectSound()
    #expect(short.accounts.fires.map(\.exposure) == [.held])
  }

  // MARK: Known responses

  @Test func `a declared response makes all responses to its reminder known, but no others`() throws {
    for (line, tapped, dismissed) in [
      ("10:05 tap a, 10:06 leave", 1, 0), ("10:05 dismiss a", 0, 1), ("07:05 ignore a", 0, 0),
      ("07:05 tap a", 0, 0), ("07:05 press snooze 3 days on a", 0, 0),
    ] {
      let account = try run(line)
      #expect(account.answerable == 2 && account.exposed == 2, "\(line)")
      #expect(account.tapped == tapped && account.dismissed == dismissed, "\(line)")
      #expect(account.ignored == 2 - tapped - dismissed, "\(line)")
    }
    let silent = try run("10:05 unlock")
    #expect(silent.answerable == 0 && silent.exposed == 2)
    #expect(Figure(.tapThrough, silent, days: 2).description.hasPrefix("unknown: no response is stated to 2"))
    // A dismissal is a response, even though the app cannot observe it.
    #expect(try run("10:05 dismiss a").acknowledgement == Ratio(1, of: 2))
  }

  @Test func `a replaced plan is not counted in any step and is not a loss`() throws {
    let run = try PlatformRun(
      """
      for: 8 days
      profile: ios
      reminders: {a: {when: 'closed for 2, 3, 4 days at 18:00', notify: {title: A, bucket: user}}}
      timeline: [07:01 open, 07:02 leave, day 2 07:01 open, 07:02 leave]
      expect: [a is lost to superseded 3 times on day 2, delivered = 3]
      """)
    run.expectSound()
    let account = try run.account("a")
    #expect(account.replaced >= 3 && account.lost.total == 0)
    #expect(account.requests == account.admitted && account.admitted == account.delivered + account.pending)
    #expect(account.matches == account.requests + account.replaced && account.dueRequests == 3)
  }

  // MARK: Checks of every run

  @Test func `a run with contradictory records reports the figure that does not add up`() throws {
    let program = try PlatformRun(
      """
      for: 2 days
      profile: ios
      places: {home: {at: [52.52, 13.4], radius: 150 m}}
      reminders: {a: {when: every day 10:00 ahead 5, notify: {title: A, bucket: user}}}
      timeline:
        [07:01 open, 07:02 leave, 08:00 enter home, 09:00 summary on, 19:00 dismiss a, 20:00 exit home, 21:00 summary off,
         day 2 10:05 tap a]
      expect: [tapped = 1, dismissed = 1]
      """
    ).program
    var sound = RecordingSink()
    var world = World(program: program, engine: program.makeEngine())
    world.run(into: &sound)
    /// Returns the problems of a run in which each selected record occurs a given number of times.
    func problems(times: Int, _ isChosen: (JournalRecord.Body) -> Bool) -> String {
      var accounts = RunAccounts(program)
      for record in sound.records {
        for _ in 0..<(isChosen(record.body) ? times : 1) { accounts.record(record) }
      }
      accounts.close()
      return accounts.contradictions.joined(separator: "\n")
    }
    func truth(_ kind: ObservedEvent.Kind) -> (JournalRecord.Body) -> Bool {
      { if case .truth(let event) = $0 { event.kind == kind } else { false } }
    }
    #expect(problems(times: 1) { _ in true } == "")
    #expect(problems(times: 2, truth(.tapped)).contains("a: request 1 is tapped but was not exposed"))
    #expect(
      problems(times: 2, truth(.dismissed)).contains("a: request 0 is dismissed but was not exposed"))
    #expect(problems(times: 2, truth(.regionEntered)).contains("home is entered twice in a row"))
    #expect(problems(times: 0, truth(.regionExited)) == "", "the phone may stay inside")
    #expect(problems(times: 2, truth(.regionExited)).contains("home is left twice in a row"))
    let late = problems(times: 2) { if case .outcome(.presentedLate) = $0 { true } else { false } }
    #expect(late.contains("a: request 0 is shown late but was not held"))
    let unseen = problems(times: 0) { if case .outcome(.presentedLate) = $0 { true } else { false } }
    #expect(unseen.contains("a: request 0 is dismissed but was not exposed"))
    let often = problems(times: 2) { if case .outcome(.delivered) = $0 { true } else { false } }
    #expect(often.contains("a: request 0 changes to delivered unexpectedly"))
    let many = problems(times: 2) { if case .effect(.request) = $0 { true } else { false } }
    #expect(many.contains("a: requests: 14, but 7 admitted, 0 denied"), "\(many)")
    let undue = problems(times: 2) { if case .due = $0 { true } else { false } }
    #expect(undue == "", "a due request that was not made has its reason")
  }
}
