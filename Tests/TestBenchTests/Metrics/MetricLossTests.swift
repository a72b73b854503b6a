import PlatformRuns
import ReminderMatching
import ScenarioModel
import Testing
import TriggerModel

@testable import Statistics
@testable import TestBench

/// Tests that a failed metric lists the losses before its step, but none after it.
@Suite("Losses of a failed metric")
struct MetricLossTests {
  /// Returns an account of eleven requests. Three are in quiet hours, three exceed the cap of the type, and
  /// one is deferred past the end of the run. Of the other four, one is due after the end, one is delivered
  /// while the app is in the foreground, one is dismissed, and one is ignored. In addition, two triggers fail
  /// their condition.
  private func account() -> ReminderAccount {
    var account = ReminderAccount()
    account.dueRequests = 12
    account.notObserved = ["notRunning": 1]
    account.noRequest[.conditionFailed] = 2
    account.requests = 11
    account.denied[.quietHours] = 3
    account.denied[.typeDailyCap] = 3
    account.held = 1
    account.admitted = 4
    account.ahead = 1
    account.delivered = 3
    account.exposed = 2
    account.answerable = 2
    account.dismissed = 1
    return account
  }

  private static let all = "lost on the way: 3 quietHours, 3 typeDailyCap, 1 held at the end, 1 notRunning"
  private static let unasked = "trigger observed, no request: 2 conditionFailed"

  @Test(arguments: [
    (Metric.requests, ["lost on the way: 1 notRunning", unasked]),
    (.admitted, ["lost on the way: 3 quietHours, 3 typeDailyCap, 1 held at the end, 1 notRunning", unasked]),
    (.admittedPerDay, ["\(all), 1 pending at the end"]),
    (.fireRate, ["lost on the way: 3 quietHours, 3 typeDailyCap, 1 held at the end"]),
    (.deliveryRate, ["\(all), 1 pending at the end"]),
    (
      .fires,
      [
        "lost on the way: 3 quietHours, 3 typeDailyCap, 1 held at the end, 1 notPresented, 1 notRunning, "
          + "1 pending at the end", unasked,
      ]
    ),
    (
      .tapped,
      [
        "lost on the way: 3 quietHours, 3 typeDailyCap, 1 dismissed, 1 held at the end, 1 ignored, 1 notPresented, "
          + "1 notRunning, 1 pending at the end", unasked,
      ]
    ),
    (.tapThrough, ["exposed, not tapped: 1 dismissed, 1 ignored"]),
    (.acknowledgement, ["exposed, not acknowledged: 1 ignored"]),
    (.routingSuccess, []), (.denied, []), (.optIn, []),
  ])
  func `a failed metric lists the losses before its step`(metric: Metric, lines: [String]) {
    #expect(account().losses(before: metric) == lines)
  }

  @Test func `a count and its losses add up to the due requests`() {
    let account = account()
    let perDay = Figure(.admittedPerDay, account, days: 1).numerator
    for (metric, count) in [
      (Metric.admitted, account.admitted), (.admittedPerDay, perDay), (.fires, account.exposed),
    ] {
      let words = account.losses(before: metric)[0].split(separator: " ").compactMap { Int($0) }
      #expect(count + words.reduce(0, +) == account.dueRequests, "\(metric)")
    }
  }

  @Test func `only a failed metric of a run has a list of losses`() throws {
    let run = try PlatformRun(
      """
      for: 2 days
      profile: ideal
      reminders: {a: {when: every day 23:00, notify: A}}
      policy: {quietHours: 22:00-07:00}
      timeline: [07:01 open]
      expect: [a fires >= 2, a requests <= 1, tapThrough >= 25 %]
      """)
    let results = run.result.expectations
    let lost = "lost on the way: 2 quietHours"
    #expect(results.map(\.passed) == [false, false, false])
    #expect(results.map(\.reasons) == [[lost], [], [lost]])
  }
}
