import ReminderMatching
import ScenarioModel
import ScenarioSamples
import Testing
import TriggerModel

/// Tests how templates are expanded for each item, and the positions of errors in them.
@Suite struct ItemTemplateTests {
  private static func story(title: String, condition: String = "plant.room = kitchen") -> String {
    """
    kind: scenario
    version: 1
    title: Plants
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    items:
      plant:
        attributes: {room: [kitchen, bedroom], latin: text}
        list:
          basil: {room: kitchen, latin: Ocimum}
          fern: {room: bedroom}
    reminders:
      water:
        for: each plant
        when: unlock
        if: \(condition)
        notify: {title: '\(title)'}
    timeline: [08:00 unlock]
    expect: [fires >= 0]

    """
  }

  @Test(arguments: [
    ("{plant}", ["basil", "fern"]),
    ("a{plant}b{plant.room}c", ["abasilbkitchenc", "afernbbedroomc"]),
    ("plant {} {plant", ["plant {} {plant", "plant {} {plant"]),
    ("{ plant} {{ {plant}", ["{ plant} {{ basil", "{ plant} {{ fern"]),
    ("{plant}ation", ["basilation", "fernation"]),
  ])
  func `placeholders are replaced by the item's values`(_ title: String, _ titles: [String]) throws {
    let scenario = try scenario(Self.story(title: title))
    #expect(scenario.reminders.map { $0.declaration.notification.copy.first?.title } == titles)
  }

  /// Returns the column of a text in the first line that contains it.
  private static func column(_ words: String, in line: String) -> Int {
    line.distance(from: line.startIndex, to: line.firstRange(of: words)?.lowerBound ?? line.startIndex) + 1
  }

  @Test(arguments: [
    ("Water {plant.rom}", "rom}", "did you mean 'room'?"),
    ("Née {plant.rom}", "rom}", "did you mean 'room'?"),
    ("Water {plant} {plan}", "plan}", "is not a placeholder here"),
  ])
  func `an error in a text has a position`(_ title: String, _ wrong: String, _ complaint: String) {
    let text = Self.story(title: title)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let number = lines.firstIndex { $0.contains(title) } ?? 0
    let place = "sample.yaml:\(number + 1):\(Self.column(wrong, in: lines[number])): error:"
    let problems = read(text).problems
    #expect(problems.contains { $0.hasPrefix(place) && $0.contains(complaint) }, "\(problems)")
  }

  @Test(arguments: [
    ("plant.rom = kitchen", "rom", "did you mean 'room'?"),
    ("plant.latin = kitchen", "latin", "is a text, which conditions cannot use"),
  ])
  func `an error in a sentence has a position`(_ condition: String, _ wrong: String, _ complaint: String) {
    let text = Self.story(title: "Water", condition: condition)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let number = lines.firstIndex { $0.contains(condition) } ?? 0
    let place = "sample.yaml:\(number + 1):\(Self.column(wrong, in: lines[number])): error:"
    let problems = read(text).problems
    #expect(problems.contains { $0.hasPrefix(place) && $0.contains(complaint) }, "\(problems)")
  }

  @Test func `a warning about a template is reported once for all items`() {
    let warnings = read(Self.story(title: "Water", condition: "between 10:00 and 10:00")).warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("this never holds") == true, "\(warnings)")
  }

  /// An error in a template is reported once, regardless of the number of items.
  @Test func `an item that lacks an attribute in a text is reported`() {
    let problems = read(Self.story(title: "Water {plant.latin}")).problems
    #expect(problems.count == 1)
    #expect(
      problems.first?.hasPrefix("sample.yaml:11:7: error: 'fern' has no 'latin'") == true, "\(problems)")
  }

  @Test func `an entry with the name of a template's reminder changes only that reminder`() throws {
    let text = Self.story(title: "{plant}")
      .replacing(
        "reminders:\n", with: "reminders:\n  water for fern: {if: charging, notify: {bucket: user}}\n")
    let scenario = try scenario(text)
    // The reminders are in the order of the template. Keys that the entry omits keep the template's values.
    #expect(scenario.reminders.map(\.declaration.id) == ["water for basil", "water for fern"])
    let (basil, fern) = (scenario.reminders[0].declaration, scenario.reminders[1].declaration)
    #expect(basil.notification.bucket == .standard && fern.notification.bucket == .user)
    #expect(fern.notification.copy.first?.title == "fern" && fern.triggers == basil.triggers)
    #expect(fern.conditions == [.charging(true)] && basil.conditions != fern.conditions)
    // An error in such an entry is reported at the entry. An entry that matches no expanded reminder is an
    // ordinary reminder.
    let wrong = text.replacing("bucket: user", with: "bucket: usr")
    #expect(read(wrong).problems.count == 1 && read(wrong).problems[0].hasPrefix("sample.yaml:13:"))
    let unknown = text.replacing("water for fern", with: "water for rose")
    #expect(read(unknown).problems.contains { $0.contains("the key 'when' is missing") })
  }
}
