import PlatformRuns
import Simulation
import Statistics
import TestBench
import Testing
import TextFormats
import TriggerModel

/// Compares the chronology of a run with its counts.
@Suite struct ChronologyTests {
  @Test(arguments: ["ideal", "ios", "android"])
  func `each fire, denial, deferral and miss of a run is listed once, in chronological order`(profile: String)
    throws
  {
    let formats = FormatCache()
    var seen: Set<String> = []
    var tried = 0
    var seed: UInt64 = 0
    while tried < 30 {
      seed += 1
      guard let program = try AnyScenario.program(seed: seed, profile: profile, formats) else { continue }
      let result = ScenarioRun(program, stopwatch: { 0 }).run().result
      let chronology = result.chronology
      guard chronology.listsMisses, chronology.omitted == 0 else { continue }
      tried += 1
      let entries = chronology.entries
      #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.instant <= $1.instant }, "seed \(seed)")
      for index in result.accounts.reminders.indices {
        let own = entries.filter { $0.reminder.index == index }
        let problems = Self.differences(own, result.accounts, ReminderID(index), &seen)
        #expect(problems.isEmpty, "\(profile), seed \(seed), reminder \(index): \(problems)")
      }
    }
    #expect(
      seen.isSuperset(of: [
        "denied", "deferred", "notRequested", "exposed", "unasked", "takenBack", "several times",
      ]))
  }

  private static func differences(
    _ entries: [ChronologyEntry], _ accounts: RunAccounts, _ reminder: ReminderID, _ seen: inout Set<String>
  ) -> [String] {
    let account = accounts.reminders[reminder.index]
    func told(_ isOne: (ChronologyEntry) -> Bool) -> Int { entries.filter(isOne).reduce(0) { $0 + $1.count } }
    if entries.contains(where: { $0.count > 1 }) { seen.insert("several times") }
    var pairs: [(String, told: Int, counted: Int)] = []
    for reason in Reason.allCases {
      let cause = ChronologyEntry.Cause.reason(reason)
      pairs.append(("denied", told { $0.fate == .denied && $0.cause == cause }, account.denied[reason]))
      pairs.append(
        ("notRequested", told { $0.fate == .notRequested && $0.cause == cause }, account.noRequest[reason]))
    }
    let deferred = accounts.endings.count { $0.reminder == reminder && $0.kind == .deferred }
    pairs.append(("deferred", told { if case .deferred = $0.fate { true } else { false } }, deferred))
    pairs.append(("unasked", told { $0.fate == .missed }, Array(accounts.missedRequests(reminder)).count))
    let exposed = told { $0.fate.isExposed }
    pairs.append(("exposed", exposed, accounts.appeared.count { $0.request.reminder == reminder }))
    let taps = entries.count { $0.response?.response == .tapped }
    pairs.append(
      ("tapped", taps, accounts.appeared.count { $0.request.reminder == reminder && $0.response == .tapped }))
    // A withdrawn plan is not a loss.
    let takenBack = told { $0.fate == .withdrawn }
    pairs.append(("takenBack", takenBack, account.replaced + account.lost[.superseded]))
    for pair in pairs where pair.counted > 0 { seen.insert(pair.0) }
    return pairs.filter { $0.told != $0.counted }.map { "\($0.0): told \($0.told), counted \($0.counted)" }
  }

  /// A reminder is denied at every unlock of a year. Each series of denials must be one entry, up to the
  /// limit.
  @Test func `repeated denials are one entry, so the chronology of a long run is short`() throws {
    let text = """
      for: 400 days
      reminders:
        a: {when: unlock, repeat: always, notify: A}
        b: {when: unlock, repeat: always, notify: B}
      policy: {quietHours: none, minimumInterval: 0 s, dailyCap: 2}
      timeline:
        - every 2 h unlock
      expect: [a fires at least once]
      """
    let result = ScenarioRun(try PlatformRun.program(text), stopwatch: { 0 }).run().result
    let chronology = result.chronology
    #expect(chronology.listsMisses)
    #expect(chronology.entries.count == Chronology.limit)
    let fires = result.accounts.fires.count
    let told = chronology.entries.count { $0.fate == .delivered(.banner) }
    #expect(fires > told && told > 0)
    let denied = chronology.entries.filter { $0.fate == .denied }
    #expect(denied.contains { $0.count == 11 && $0.last != nil })
    let all = chronology.entries.reduce(chronology.omitted) { $0 + $1.count }
    #expect(all == fires + result.accounts.total.denied.nonZero.reduce(0) { $0 + $1.count })
  }

  @Test func `the denials of very many reminders are counted but not listed`() throws {
    let reminders = (0..<300).map { "  r\($0): {when: unlock, repeat: always, notify: R}" }.joined(
      separator: "\n")
    let text = """
      for: 400 days
      reminders:
      \(reminders)
      timeline:
        - every 1 h unlock
      expect: [r0 fires at least once]
      """
    let result = ScenarioRun(try PlatformRun.program(text), stopwatch: { 0 }).run().result
    #expect(!result.chronology.listsMisses)
    #expect(result.chronology.entries.allSatisfy { $0.fate != .denied && $0.fate != .notRequested })
    #expect(result.chronology.entries.contains { $0.fate == .delivered(.banner) })
  }
}
