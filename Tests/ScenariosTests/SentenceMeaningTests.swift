import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Scenarios
import Testing
import TextFormats
import TriggerModel

/// Tests that a sentence declares the same reminder as the corresponding mapping.
@Suite struct SentenceMeaningTests {
  /// Sentences with the corresponding mappings.
  static let pairs: [(sentence: String, mapping: String)] = [
    (
      "Remind me to call mum when I unlock my phone after 18:00",
      "{when: unlock, if: after 18:00, notify: Call mum}"
    ),
    (
      "remind me to call mum, when I plug in or I unlock my phone and while charging and on weekdays.",
      "{when: [charging starts, unlock], if: [charging, weekdays], notify: Call mum}"
    ),
    (
      "Remind me to buy milk when I enter the shop or leave shop or arrive at the shop, inside the shop, on the weekend",
      "{when: [enter shop, exit shop, enter shop], if: [inside shop, weekend], notify: Buy milk}"
    ),
    (
      "Remind me \"when I am home\" when I open maps or open app maps or open the app or unplug",
      "{when: [open app maps, open app maps, open, charging stops], notify: when I am home}"
    ),
    (
      "Remind me to \"look\" every weekday 08:10 or when fact steps changes or goal changes, every time",
      "{when: [every weekday 08:10, fact steps changes, fact goal changes], repeat: always, notify: look}"
    ),
    (
      "Remind me to pay rent monthly on 31 at 09:00 from 2026-01-31 skip omit ahead 2, before 10:00, at most once a month",
      "{when: monthly on 31 at 09:00 from 2026-01-31 skip omit ahead 2, if: before 10:00, repeat: monthly, notify: Pay rent}"
    ),
    (
      "Remind me to meet Ann on the first monday of the month at 09:00 5 times, on monday, friday, between 09:00 and 17:00",
      "{when: first monday of the month 09:00 5 times, if: [\"on monday, friday\", between 09:00 and 17:00], notify: Meet Ann}"
    ),
    (
      "Remind me to drink every 2 h from 09:00 until 21:00, until 2026-04-01T12:00",
      "{when: every 2 h from 09:00 until 21:00, expires: 2026-04-01T12:00, notify: Drink}"
    ),
    (
      "Remind me to go on after the break every day 08:00, 20:00 not before 2026-03-05, while not charging",
      "{when: \"every day 08:00, 20:00 not before 2026-03-05\", if: not charging, notify: Go on after the break}"
    ),
    (
      "Remind me \"Soon\" then \"Now\" saying \"Today\" 30, 7, 0 days before birthday every year at 09:00, if steps / goal < 50 % else staleData and signedIn is true and plan in free, trial, after 16:00",
      "{when: \"30, 7, 0 days before birthday every year at 09:00\", if: [steps / goal < 50 % else staleData, signedIn is true, \"plan in free, trial\", after 16:00], notify: {stages: [{title: Soon}, {title: Now, body: Today}]}}"
    ),
    (
      "Remind me to call mum when the app stays closed for 3, 5, 7 days at 18:00, taken back as soon as signedIn is true or plan is paid",
      "{when: \"closed for 3, 5, 7 days at 18:00\", withdraw: [signedIn is true, plan is paid], notify: Call mum}"
    ),
    (
      "Remind me to call mum on 2026-03-04 at 09:00 (bucket user; link app://a/b; critical if steps = 0 and signedIn is false; priority 3; useful for 4 h; event call_mum; type calls; created later)",
      "{when: on 2026-03-04 at 09:00, exists: later, notify: {title: Call mum, bucket: user, link: \"app://a/b\", criticalIf: [steps = 0, signedIn is false], priority: 3, usefulFor: 4 h, event: call_mum, type: calls}}"
    ),
    (
      "Remind me to call when I enter \"while\", inside \"while\", during 22:00-07:00 (link \"a; b)\")",
      "{when: enter while, if: [inside while, 22:00-07:00], notify: {title: Call, link: \"a; b)\"}}"
    ),
    (
      "Remind me to water the {plant} for each plant 7 days after plant.watered at 09:00",
      "{for: each plant, when: 7 days after plant.watered at 09:00, notify: \"Water the {plant}\"}"
    ),
    (
      #"Remind me "a\n\"b\" \u{2028}\\" when I unlock my phone"#,
      #"{when: unlock, notify: "a\n\"b\" \u2028\\"}"#
    ),
    (
      "Remind me to call mum every week at 09:00 from 2026-03-04, every time",
      "{when: {scheduled: {frequency: weekly, start: 2026-03-04, at: 09:00}}, repeat: always, notify: Call mum}"
    ),
  ]

  @Test(arguments: pairs.indices) func `a sentence has the same meaning as its mapping`(number: Int) throws {
    let pair = Self.pairs[number]
    // Both forms reject a repeated trigger.
    let sentence = pair.sentence.replacing(" or arrive at the shop", with: "")
      .replacing(" or open app maps", with: "")
    let mapping = pair.mapping.replacing("exit shop, enter shop", with: "exit shop")
      .replacing("open app maps, open app maps", with: "open app maps")
    let quoted = "'" + sentence.replacing("'", with: "''") + "'"
    let spoken = try SentenceSample.scenario(SentenceSample.text("it: \(quoted)"))
    let written = try SentenceSample.scenario(SentenceSample.text("it: \(mapping)"))
    #expect(spoken.reminders.map(\.declaration) == written.reminders.map(\.declaration))
    let again = SentenceSample.text(
      "it: '" + SentenceWriter(spoken).text(spoken.reminders[0].declaration).replacing("'", with: "''") + "'")
    #expect(
      try SentenceSample.scenario(again).reminders[0].declaration.triggers
        == spoken.reminders[0].declaration.triggers)
  }

  @Test func `the name of a reminder in a list is either given or derived from its title`() throws {
    let text = SentenceSample.text(
      "- Remind me to call mum when I unlock my phone",
      "- pills: Remind me to take them every day at 08:00",
      "- Remind me \"3 × Übung, und dann noch viel mehr davon\" when I plug in",
      "- Remind me \"👍\" when I unplug",
      "- long: {when: unlock, notify: Long}",
      "- Remind me to water {plant} when I open the app, for each plant")
    let scenario = try SentenceSample.scenario(text)
    #expect(
      scenario.reminders.map(\.declaration.id) == [
        "call-mum", "pills", "reminder-3-übung-und-dann-noch-viel", "reminder", "long",
        "water-plant for basil", "water-plant for fern",
      ])
    #expect(scenario.reminders.map(\.declaration.notification.copy[0].title).last == "Water fern")
  }

  @Test func `an edit can be a sentence`() throws {
    let text =
      SentenceSample.text("milk: {when: enter shop, notify: Buy milk}")
      + "edits: {milk: {later: Remind me to buy milk when I leave shop}}\n"
    let edit = try #require(try SentenceSample.scenario(text).edits.first)
    #expect(edit.declaration.triggers == [.regionExited("shop")] && edit.declaration.id == "milk")
  }

  @Test func `a sentence replaces a pack's declaration, and a mapping changes the sentence of a pack`()
    throws
  {
    let pack = """
      kind: pack
      version: 1
      title: A pack
      reminders:
        - milk: Remind me to buy milk every day at 09:00, after 08:00
        - bread: Remind me to buy bread every day at 09:00, after 08:00
      """
    let story = """
      kind: scenario
      version: 1
      title: A story
      include: pack.yaml
      start: 2026-03-02T07:00
      zone: UTC
      reminders:
        milk: {if: before 10:00}
        bread: Remind me to buy rolls when I unlock my phone
        - cake
      expect: [fires >= 0]
      """
    let outcome = ScenarioFile.read(
      Array(story.replacing("  - cake\n", with: "").utf8), file: "sample.yaml", fileExists: { _ in true },
      packFile: { _ in PackBytes(name: "pack.yaml", bytes: Array(pack.utf8)) })
    let scenario = try outcome.get()
    let words = SentenceWriter(scenario)
    #expect(
      scenario.reminders.map { words.text($0.declaration) } == [
        "Remind me to buy milk every day at 09:00, before 10:00",
        "Remind me to buy rolls when I unlock my phone",
      ])
    #expect(
      outcome.warnings.contains { $0.contains("'bread' replaces what the pack declares and drops its keys") })
  }

  /// An implementation that scans the rest of the sentence at each word would exceed the time limit.
  @Test(.timeLimit(.minutes(2))) func `a sentence of any length is parsed in one pass`() throws {
    let conditions = (0..<4_000).map { "after \(10 + $0 % 10):00, if steps > \($0) and goal in 1, 2, 3" }
    let text = "Remind me to buy milk when I unlock my phone, " + conditions.joined(separator: ", ")
    let scenario = try SentenceSample.scenario(SentenceSample.list(text))
    let declaration = scenario.reminders[0].declaration
    #expect(declaration.conditions.count == 12_000)
    let printed = SentenceWriter(scenario).text(declaration)
    #expect(printed == text)
    let title = String(repeating: "a b ", count: 50_000)
    guard case .unusable = SentenceSample.read(SentenceSample.list("Remind me to \(title)")) else {
      Issue.record("a sentence without a trigger was taken")
      return
    }
  }
}
