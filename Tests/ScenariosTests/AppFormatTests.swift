import DeviceSimulation
import ReminderMatching
import ScenarioSamples
import Scenarios
import Testing
import TriggerModel

@testable import ScenarioModel

/// Tests the sections of a scenario that describe the app under test.
@Suite struct AppFormatTests {
  private static let sections = """
    milestones:
      firstWorkout: {when: fact current changes, if: current >= 1, prime: first_workout}
      evening: {when: [open, unlock], if: [after 20:00, weekdays]}
    surfaces:
      insights: {unlockedBy: signedIn is true, benefit: Your weeks, remindedBy: milk}
      coach: {unlockedBy: [signedIn is true, current >= 3]}
    analytics: {consent: denied}
    """

  private func sample(_ timeline: [String] = ["08:10 unlock"], expect: [String] = ["milk fires"]) -> Sample {
    var sample = Sample()
    sample.head += "\n" + Self.sections
    sample.timeline = "timeline:\n" + timeline.map { "  - \($0)" }.joined(separator: "\n")
    sample.expect = "expect:\n" + expect.map { "  - \($0)" }.joined(separator: "\n")
    return sample
  }

  private func app(_ sections: String) -> [String] {
    var sample = Sample()
    sample.head += "\n" + sections
    return read(sample.text).problems.map { $0.replacing("sample.yaml:", with: "") }
  }

  @Test func `sections about the app are unchanged after reading and writing`() throws {
    let app = try scenario(sample()).app
    #expect(app.milestones.map(\.name) == ["firstWorkout", "evening"])
    #expect(app.milestones[0].triggers == [.factChanged("current")])
    #expect(app.milestones[0].conditions.count == 1 && app.milestones[1].conditions.count == 2)
    #expect(app.milestones.map(\.priming) == [PrimingID(0), nil] && app.primings == ["first_workout"])
    #expect(app.surfaces.map(\.name) == ["insights", "coach"])
    #expect(app.surfaces.map(\.unlockedBy.count) == [1, 2])
    #expect(app.surfaces.map(\.benefit) == ["Your weeks", ""])
    #expect(app.surfaces.map(\.remindedBy) == [["milk"], nil])
    #expect(app.analytics?.hasConsent == false)
    #expect(try scenario(Sample()).app.analytics == nil)
  }

  @Test func `actions have the same meaning in short and long form`() throws {
    let pairs: [(short: String, long: String, meaning: InAppAction)] = [
      ("prime first_workout", "{prime: first_workout}", .prime(PrimingID(0))),
      ("prime another", "{prime: another}", .prime(PrimingID(1))),
      ("skip priming", "{event: skipPriming}", .skipPriming),
      ("visit coach", "{visit: coach}", .visit(SurfaceID(1))),
      ("create account from insights", "{createAccountFrom: insights}", .callToAction(SurfaceID(0))),
      ("maybe later", "{event: maybeLater}", .maybeLater),
      ("give consent", "{event: giveConsent}", .consent(true)),
      ("withdraw consent", "{event: withdrawConsent}", .consent(false)),
    ]
    for (short, long, meaning) in pairs {
      #expect(try scenario(sample(["08:10 \(short)"])).events.map(\.event) == [.inApp(meaning)], "\(short)")
      let entry = "{at: 08:10, do: \(long)}"
      #expect(try scenario(sample([entry])).events.map(\.event) == [.inApp(meaning)], "\(long)")
    }
  }

  @Test func `expectations mean the same in short and long form, and are written as sentences`() throws {
    let pairs: [(short: String, long: String, event: AppEvent, count: ScenarioModel.Expectation.Count)] = [
      (
        "milestone firstWorkout is reached once at 18:30",
        "{app: milestone firstWorkout is reached, times: once, at: 18:30}", .milestone(MilestoneID(0)),
        .exactly(1)
      ),
      (
        "priming first_workout is shown", "{app: priming first_workout is shown}",
        .primingShown(PrimingID(0)), .atLeast(1)
      ),
      (
        "priming first_workout is never skipped", "{app: priming first_workout is skipped, times: never}",
        .primingSkipped(PrimingID(0)), .exactly(0)
      ),
      (
        "prompt is shown twice", "{app: prompt is shown, times: 2}", .permissionRequested(.notifications),
        .exactly(2)
      ),
      (
        "permission is granted at most once", "{app: permission is granted, times: at most once}",
        .permissionGranted(.notifications), .atMost(1)
      ),
      (
        "permission is never denied on day 2", "{app: permission is denied, times: 0, date: day 2}",
        .permissionDenied(.notifications), .exactly(0)
      ),
      (
        "location prompt is shown once", "{app: location prompt is shown, times: once}",
        .permissionRequested(.location), .exactly(1)
      ),
      (
        "screen time permission is denied", "{app: screen time permission is denied}",
        .permissionDenied(.screenTime), .atLeast(1)
      ),
      (
        "prompt is never early", "{app: prompt is early, times: never}", .promptEarly(.notifications),
        .exactly(0)
      ),
      (
        "location prompt is never stacked", "{app: location prompt is stacked, times: 0}",
        .promptStacked(.location), .exactly(0)
      ),
      (
        "settings banner is shown once", "{app: settings banner is shown, times: 1}", .settingsBannerShown,
        .exactly(1)
      ),
      (
        "surface coach is shown at least 2 times", "{app: surface coach is shown, times: at least 2 times}",
        .surfaceShown(SurfaceID(1)), .atLeast(2)
      ),
      (
        "surface coach is followed once", "{app: surface coach is followed, times: once}",
        .surfaceCallToAction(SurfaceID(1)), .exactly(1)
      ),
      (
        "surface coach is dismissed once", "{app: surface coach is dismissed, times: once}",
        .surfaceDismissed(SurfaceID(1)), .exactly(1)
      ),
      (
        "surface insights is unlocked once between 10:00 and 11:00",
        "{app: surface insights is unlocked, times: once, between: 10:00-11:00}",
        .surfaceUnlocked(SurfaceID(0)), .exactly(1)
      ),
    ]
    for (short, long, event, count) in pairs {
      let read = try scenario(sample(expect: [short, long]))
      guard case .app(let claim) = read.expectations[0].claim else {
        Issue.record("\(short) is no claim about the app")
        continue
      }
      #expect(claim.event == event && claim.count == count, "\(short)")
      #expect(read.expectations[1].claim == read.expectations[0].claim, "\(long)")
      let sentence = read.expectations[0].claim.sentence(reminders: [])
      let again = try scenario(sample(expect: [sentence]))
      #expect(again.expectations[0].claim == read.expectations[0].claim, "\(sentence)")
    }
  }

  @Test func `a reminder's name takes precedence over a word of the app`() throws {
    var sample = Sample()
    sample.reminders = "reminders: {permission: {when: unlock, notify: P}}"
    sample.expect = "expect: [permission is denied]"
    guard case .ends = try scenario(sample).expectations[0].claim else {
      Issue.record("it is about the reminder of that name")
      return
    }
  }

  @Test func `errors are reported at their own position`() {
    let cases: [(sections: String, message: String)] = [
      ("milestones: {a: {when: every day 09:00}}", "a milestone needs an event"),
      ("milestones: {a: {when: closed for 3 days at 09:00}}", "a milestone needs an event"),
      ("milestones: {a: {when: enter shop}}", "a milestone needs an event"),
      ("milestones: {a: {when: unlock, if: inside shop}}", "a condition of a milestone cannot name a place"),
      ("milestones: {a: {if: charging}}", "the key 'when' is missing"),
      ("milestones: {a: {when: unlock, prime: 1x}}", "'1x' is not a name"),
      ("surfaces: {a: {benefit: much}}", "the key 'unlockedBy' is missing"),
      ("surfaces: {a: {unlockedBy: signdIn is true}}", "unknown fact 'signdIn'"),
      ("surfaces: {a: {unlockedBy: signedIn is true, remindedBy: mlk}}", "unknown notification type 'mlk'"),
      ("analytics: {consent: maybe}", "'maybe' is not granted or denied"),
      ("analytics: {}", "the key 'consent' is missing"),
    ]
    for (sections, message) in cases {
      let problems = app(sections)
      #expect(problems.count == 1 && problems[0].contains(message), "\(sections): \(problems)")
      #expect(problems.first?.first?.isNumber == true, "\(sections) has a line")
    }
  }

  @Test func `unknown names are reported with the nearest known name`() {
    let cases: [(entry: String, message: String)] = [
      ("08:10 visit insigths", "unknown surface 'insigths'"),
      ("08:10 create account from nowhere", "unknown surface 'nowhere'"),
      ("08:10 prime 1", "'1' is not a name"),
      ("08:10 skip primng", "'skip primng' is not an action"),
    ]
    for (entry, message) in cases {
      let problems = read(sample([entry]).text).problems
      #expect(problems.count == 1 && problems[0].contains(message), "\(entry): \(problems)")
    }
    let expectations: [(text: String, message: String)] = [
      ("milestone firstWorkot is reached", "unknown milestone 'firstWorkot'"),
      ("surface coach is shwn", "is not a claim about the app"),
      ("surface coach", "the expectation makes no claim about the app"),
      ("priming never is shown", "nothing primes for 'never'"),
      ("prompt is shown somewhen", "unexpected 'somewhen'"),
      ("prompt is never shown twice", "'never' takes no count"),
    ]
    for (text, message) in expectations {
      let problems = read(sample(expect: [text]).text).problems
      #expect(problems.count == 1 && problems[0].contains(message), "\(text): \(problems)")
    }
  }

  @Test func `consent requires analytics`() {
    let problems = read(Sample.timeline("08:10 give consent").text).problems
    #expect(
      problems.count == 1 && problems[0].contains("no analytics, so there is no consent to change"),
      "\(problems)")
  }

  @Test func `the name of a reminder's analytics event must be in snake case`() throws {
    func event(_ name: String) -> String { "{a: {when: unlock, notify: {title: A, event: \(name)}}}" }
    var good = Sample(reminders: "reminders: " + event("nutrition_gap"), expect: "expect: [a fires]")
    #expect(try scenario(good).reminders[0].declaration.notification.event == "nutrition_gap")
    for wrong in ["Nutrition", "a__b", "_a", "a_", "a-b", "é", "9a"] {
      good.reminders = "reminders: " + event(wrong)
      #expect(read(good.text).problems.first?.contains("snake case") == true, "\(wrong)")
    }
  }
}
