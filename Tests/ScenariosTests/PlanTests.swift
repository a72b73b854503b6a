import CivilTime
import DeviceSimulation
import ReminderMatching
import ScenarioSamples
import Scenarios
import Testing
import TextFormats
import TriggerModel

@testable import ScenarioModel

/// Tests plans and subscriptions, and the facts and conditions to which they are translated.
@Suite struct PlanTests {
  private static let plans = """
    plans:
      free: {reminders: 3, triggers: [unlock, time], compound: false}
      paid: {products: {monthly: month, yearly: year}}
      trial: {as: paid, lasts: 7 days, ends: midnight, then: paid}
    subscription: {start: free, gracePeriod: 16 days, billingRetry: 60 days}
    """

  private func sample(_ timeline: [String] = ["08:10 unlock"], sections: String = Self.plans) -> Sample {
    var sample = Sample()
    // The section `plans` declares this fact.
    sample.head = sample.head.replacing("\n  plan: [free, trial, paid]", with: "")
    sample.head += "\n" + sections
    sample.timeline = "timeline:\n" + timeline.map { "  - \($0)" }.joined(separator: "\n")
    return sample
  }

  private func problems(_ sample: Sample) -> [String] {
    read(sample.text).problems.map { $0.replacing("sample.yaml:", with: "") }
  }

  /// Returns the instants at which the time line changes a fact of the kind `name`, with the new names.
  private func changes(of fact: String, _ scenario: Scenario) -> [(instant: Instant, name: String)] {
    guard let index = scenario.facts.firstIndex(where: { $0.name == fact }) else { return [] }
    return scenario.events.compactMap { event in
      guard case .fact(FactID(index), let value) = event.event else { return nil }
      return (event.instant, scenario.facts[index].names[Int(value.bits)])
    }
  }

  @Test
  func
    `the first reminders created are active, never more than the limit, and a higher limit keeps all of them`()
  {
    for limit in 0...5 {
      for bits in 0..<64 {
        let isLocked = (0..<6).map { bits >> $0 & 1 == 1 }
        let order = [4, 2, 0, 5, 1]
        let places = ReminderLimit(fact: FactID(0), limits: [limit]).places(order, at: 0, isLocked: isLocked)
        // The oracle assigns places to the reminders one by one.
        var expected: [Int] = []
        for reminder in order where !isLocked[reminder] && expected.count < limit {
          expected.append(reminder)
        }
        #expect(order.filter { places[$0] } == expected)
        #expect(
          places[3] == (expected.count < limit), "it does not exist: it would have a place where one is free")
        let extended = ReminderLimit(fact: FactID(0), limits: [limit + 1]).places(
          order, at: 0, isLocked: isLocked)
        #expect(zip(places, extended).allSatisfy { !$0 || $1 })
        let open = ReminderLimit(fact: FactID(0), limits: [nil]).places(order, at: 0, isLocked: isLocked)
        #expect(order.allSatisfy { open[$0] != isLocked[$0] })
      }
    }
  }

  @Test func `a trial until midnight ends when the phone's date is a week later for the first time`()
    throws
  {
    let zones = [
      "Europe/Berlin", "America/New_York", "Pacific/Apia", "Asia/Tokyo", "Pacific/Honolulu", "Asia/Kolkata",
      "America/Sao_Paulo", "Australia/Lord_Howe",
    ]
    for from in zones {
      for to in zones where to != from {
        var sample = sample(["08:10 start trial", "day 7 12:00 travel to \(to)"])
        sample.head = sample.head.replacing("zone: Europe/Berlin", with: "zone: \(from)\nfor: 12 days")
        let scenario = try scenario(sample)
        let start = scenario.zones[scenario.zone].local(at: scenario.start).date
        let travel = try #require(scenario.timeline.stays.last?.from)
        let changes = changes(of: "plan", scenario)
        #expect(changes.map(\.name) == ["trial", "paid"])
        let end = try #require(changes.last?.instant)
        func date(_ instant: Instant) -> CivilDate {
          scenario.zones[scenario.timeline.zone(at: instant)].local(at: instant).date
        }
        #expect(date(end) >= start + 7, "\(from) to \(to)")
        // If midnight passes during the journey, the trial ends on arrival.
        if end > travel { #expect(date(end - TimeSpan(milliseconds: 1)) < start + 7, "\(from) to \(to)") }
      }
    }
  }

  @Test func `an exact trial is independent of zones`() throws {
    let sections = Self.plans.replacing("ends: midnight, ", with: "")
    var sample = sample(
      ["08:10 start trial", "day 7 12:00 travel to America/New_York"], sections: sections)
    sample.head = sample.head.replacing("zone: Europe/Berlin", with: "zone: Europe/Berlin\nfor: 12 days")
    let changes = changes(of: "plan", try scenario(sample))
    #expect(changes.count == 2 && changes[1].instant - changes[0].instant == .days(7))
  }

  @Test
  func `a failed renewal keeps the plan for the grace period, and the store retries for 60 days`()
    throws
  {
    var sample = sample(["08:00 buy monthly", "day 11 08:00 renewal fails"])
    sample.head = sample.head.replacing("zone: Europe/Berlin", with: "zone: Europe/Berlin\nfor: 100 days")
    let scenario = try scenario(sample)
    let bought = changes(of: "plan", scenario)
    #expect(bought.map(\.name) == ["paid", "free"])
    #expect(bought[1].instant - bought[0].instant > .days(25))
    let states = changes(of: "subscription", scenario)
    #expect(states.map(\.name) == ["subscribed", "inGracePeriod", "inBillingRetryPeriod", "expired"])
    // The grace period begins only after the paid month.
    #expect(states[1].instant - states[0].instant == .days(31) - .hours(1))
    #expect(bought[1].instant == states[2].instant)
    #expect(states[2].instant - states[1].instant == .days(16))
    #expect(states[3].instant - states[1].instant == .days(60))
  }

  @Test func `a renewal that recovers within the grace period continues and does not fail again`() throws {
    var sample = sample([
      "08:00 buy monthly", "day 11 08:00 renewal fails", "day 40 09:00 renewal recovers",
    ])
    sample.head = sample.head.replacing("zone: Europe/Berlin", with: "zone: Europe/Berlin\nfor: 200 days")
    let scenario = try scenario(sample)
    #expect(changes(of: "plan", scenario).map(\.name) == ["paid"])
    let states = changes(of: "subscription", scenario).map(\.name)
    #expect(states == ["subscribed", "inGracePeriod", "subscribed"])
  }

  @Test func `a renewal that recovers within the grace period keeps the billing dates`() throws {
    var sample = sample([
      "08:00 buy monthly", "day 11 08:00 renewal fails", "day 62 09:00 renewal recovers",
      "day 70 08:00 cancel subscription",
    ])
    sample.head = sample.head.replacing("zone: Europe/Berlin", with: "zone: Europe/Berlin\nfor: 200 days")
    sample.head = sample.head.replacing("2026-03-02T07:00", with: "2026-01-31T07:00")
    // The renewal on 28 February fails. The renewal on 31 March is due while the store still retries.
    let late = changes(of: "subscription", try scenario(sample)).map(\.name)
    #expect(late == ["subscribed", "inGracePeriod", "inBillingRetryPeriod", "subscribed", "expired"])
    // It recovers on 5 March, is billed on 31 March, and ends on 30 April.
    sample.timeline = sample.timeline.replacing("day 62", with: "day 34")
    let changes = changes(of: "subscription", try scenario(sample))
    #expect(changes.map(\.name) == ["subscribed", "inGracePeriod", "subscribed", "expired"])
    let end = try Zone(identifier: "Europe/Berlin").local(at: #require(changes.last).instant)
    #expect(end.date == CivilDate(year: 2026, month: 4, day: 30))
    #expect(end.millisecondOfDay == 8 * 3_600_000)
  }

  @Test func `a subscription bought on the 31st is billed on the last day of shorter months`()
    throws
  {
    // The last day of February differs between the two years. The purchase is on 31 January, before a journey
    // to another zone.
    for (year, last) in [(2026, 28), (2028, 29)] {
      let berlin = try Zone(identifier: "Europe/Berlin")
      for (cancelled, month, day) in [(2, 2, last), (40, 3, 31), (65, 4, 30)] {
        let end = CivilDate(year: year, month: month, day: day)
        let cancel = "day \(cancelled) 09:00 cancel subscription"
        let flight = "day 20 12:00 travel to America/New_York"
        let rest = cancelled < 20 ? [cancel, flight] : [flight, cancel]
        var sample = sample(["08:10:17 buy monthly"] + rest)
        sample.head = sample.head.replacing("zone: Europe/Berlin", with: "zone: Europe/Berlin\nfor: 100 days")
        sample.head = sample.head.replacing("2026-03-02T07:00", with: "\(year)-01-31T06:00")
        let ended = try #require(changes(of: "plan", try scenario(sample)).last)
        #expect(ended.name == "free")
        let morning = LocalTime(date: end, millisecondOfDay: 29_417_000)
        #expect(berlin.local(at: ended.instant) == morning, "\(year), cancelled on day \(cancelled)")
      }
    }
  }

  @Test func `a cancellation takes effect after the period, and a refund takes effect immediately`() throws {
    var sample = sample(["08:00 buy monthly", "day 2 08:00 cancel subscription"])
    sample.head = sample.head.replacing("zone: Europe/Berlin", with: "zone: Europe/Berlin\nfor: 100 days")
    let cancelled = try scenario(sample)
    #expect(changes(of: "subscription", cancelled).map(\.name) == ["subscribed", "expired"])
    #expect(changes(of: "plan", cancelled).map(\.name) == ["paid", "free"])
    sample.timeline = "timeline:\n  - 08:00 buy yearly\n  - day 2 08:00 refund"
    let refunded = try scenario(sample)
    #expect(changes(of: "subscription", refunded).map(\.name) == ["subscribed", "revoked"])
    #expect(changes(of: "plan", refunded).map(\.name) == ["paid", "free"])
  }

  @Test func `subscription steps have the same meaning in short and long form`() throws {
    for (short, long) in [("start trial", "{event: startTrial}"), ("buy yearly", "{buy: yearly}")] {
      let one = try scenario(sample(["08:10 \(short)"]))
      let other = try scenario(sample(["{at: 08:10, do: \(long)}"]))
      #expect(one.events.map(\.event) == other.events.map(\.event) && one.events.count == 3, "\(short)")
    }
  }

  @Test func `a reminder that a plan can lock has a condition and a withdrawal`()
    throws
  {
    let scenario = try scenario(sample())
    for reminder in scenario.reminders.map(\.declaration) {
      let reasons = reminder.conditions.compactMap {
        if case .fact(let fact) = $0 { fact.reason } else { nil }
      }
      #expect(reasons.contains(.notEntitled), "\(reminder.id)")
      #expect(reminder.withdrawals.contains { $0.reason == .notEntitled }, "\(reminder.id)")
    }
    #expect(scenario.app.reminderLimit?.limits == [3, nil, nil])
  }

  @Test func `written plans are parsed as the same scenario`() throws {
    let scenario = try scenario(sample(["08:10 start trial", "day 2 08:00 cancel subscription"]))
    let document = try ScenarioDocument.write(scenario)
    let outcome = ScenarioDocument.read(document, file: "sample.yaml") { _ in true }
    let again = try outcome.get()
    #expect(again.withoutSources == scenario.withoutSources)
  }

  @Test
  func `an authored scenario has only the author's conditions and steps, and is unchanged after writing`()
    throws
  {
    let scenario = try scenario(
      sample(["08:10 start trial", "day 2 08:00 cancel subscription", "day 9 08:00 buy yearly"]))
    let authored = scenario.asAuthored
    #expect(authored.plans?.products == ["monthly", "yearly"])
    for (own, made) in zip(authored.reminders, scenario.reminders) {
      #expect(made.declaration.conditions.starts(with: own.declaration.conditions))
      #expect(made.declaration.conditions.count > own.declaration.conditions.count)
    }
    let steps = authored.timeline.entries.flatMap(\.actions)
    #expect(steps == [.subscription(.startTrial), .subscription(.cancel), .subscription(.buy(1))])
    let document = try ScenarioDocument.write(authored)
    let facts = try #require(document["facts"])
    #expect(facts["plan"] == nil && facts["subscription"] == nil && document["plans"] != nil)
    let again = try ScenarioDocument.read(document, file: "sample.yaml", fileExists: { _ in true }).get()
    #expect(again.withoutSources == scenario.withoutSources)
    #expect(try ScenarioDocument.write(again.asAuthored) == document)
  }

  @Test func `a step that changes no fact is not an entry of the time line`() throws {
    let steps = [
      "08:10 buy monthly", "08:20 buy monthly", "day 3 08:00 renewal fails", "day 4 08:00 renewal recovers",
    ]
    let scenario = try scenario(sample(steps))
    #expect(scenario.timeline.entries.allSatisfy { !$0.actions.isEmpty })
    #expect(scenario.timeline.entries.count == 1)
    #expect(scenario.asAuthored.timeline.entries.count == steps.count)
  }

  @Test func `each error has a position and a hint`() {
    func wrong(
      _ old: String = "start: free", _ new: String = "start: free", timeline: [String] = ["08:10 unlock"]
    ) -> [String] {
      problems(sample(timeline, sections: Self.plans.replacing(old, with: new)))
    }
    func first(_ problems: [String], _ words: String...) -> Bool {
      problems.count == 1 && words.allSatisfy { problems[0].contains($0) }
        && problems[0].contains(": error: ")
    }
    #expect(first(wrong("start: free", "start: fre"), "unknown plan 'fre'", "did you mean 'free'?"))
    #expect(first(wrong("as: paid", "as: payd"), "unknown plan 'payd'"))
    #expect(
      first(wrong("triggers: [unlock, time]", "triggers: [unlok]"), "'unlok'", "did you mean 'unlock'?"))
    #expect(first(wrong("monthly: month", "monthly: monh"), "'monh'"))
    #expect(first(wrong("lasts: 7 days", "lasts: 7 h"), "lasts whole days"))
    #expect(first(wrong(timeline: ["08:10 buy weekly"]), "unknown product 'weekly'"))
    #expect(first(wrong(timeline: ["08:10 refund"]), "there is nothing to pay back then"))
    #expect(
      first(wrong(timeline: ["08:10 cancel subscription"]), "there is no subscription that renews then"))
    #expect(first(wrong(timeline: ["08:10 renewal recovers"]), "no renewal has failed then"))
    #expect(first(wrong(timeline: ["08:10 start trial", "08:20 start trial"]), "has a subscription already"))
    #expect(first(wrong(timeline: ["every day 08:10 until day 3 start trial"]), "cannot repeat"))
    #expect(first(problems(sample(["08:10 start trial"], sections: "seed: 1")), "there are no plans"))
  }
}
