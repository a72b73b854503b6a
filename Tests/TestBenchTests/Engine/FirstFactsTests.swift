import PlatformRuns
import Statistics
import Testing
import TriggerModel

@testable import TestBench

/// Tests the facts that the app knows at its first start.
@Suite("First facts")
struct FirstFactsTests {
  @Test func `the first value of a fact is not a change`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      facts: {score: 50, goal: {kind: number}}
      reminders:
        changed: {when: fact score changes, repeat: always, notify: {title: r, bucket: user}}
      timeline:
        - 09:00 set score = 50
        - 10:00 set score = 49
      expect:
        - changed fires once at 10:00
        - changed fires = 1
      """)
    run.expectSound()
    #expect(try run.account("changed").dueRequests == 1)
  }

  @Test(arguments: ["ideal", "ios"])
  func `the plans of the first start use the initial facts`(profile: String) throws {
    let run = try PlatformRun(
      """
      for: 4 days
      profile: \(profile)
      facts: {account.signedIn: false, onboarding: 2026-03-02T07:00}
      reminders:
        register:
          when: every day 14:00 ahead 3
          if: [account.signedIn is false, "days since onboarding in 0, 2"]
          notify: {title: r}
        back:
          when: closed for 2 days at 18:00
          if: account.signedIn is false
          notify: {title: r}
      policy: {minimumInterval: 1 h}
      expect:
        - register fires once at 14:00 on day 1
        - register fires once at 14:00 on day 3
        - back fires once at 18:00 on day 3
      """)
    run.expectSound("\(profile)")
  }

  @Test func `the age of an initial value is counted from the start`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      facts: {score: 30}
      reminders:
        fresh: {when: unlock, if: age(score) < 3 h, repeat: always, notify: {title: r, bucket: user}}
      timeline: [09:59 unlock, 10:00 unlock]
      expect: [{exact: [fresh at 09:59]}]
      """)
    run.expectSound()
  }

  @Test func `facts survive a reinstall, and the new installation observes missed changes`() throws {
    let run = try PlatformRun(
      """
      for: 1 day
      profile: ios
      knobs: {presentsInForeground: true}
      facts: {account.signedIn: false, score: 50}
      reminders:
        guest: {when: open, if: account.signedIn is false, repeat: always, notify: {title: r, bucket: user}}
        low: {when: open, if: score < 40, repeat: always, notify: {title: r, bucket: user}}
      timeline:
        - 09:00 terminate
        - 09:10 set score = 30
        - 09:20 reinstall
        - 09:30 grant notifications
        - 10:00 open
      expect: [guest fires at least once, low fires at least once]
      """)
    run.expectSound()
  }
}
