import CivilTime
import ScenarioModel
import ScenarioSamples
import Scenarios
import Testing
import TextFormats

@testable import ScenarioModel
@testable import Scenarios

/// A small valid scenario whose parts tests can replace.
struct Sample {
  var head = """
    kind: scenario
    version: 1
    title: A sample
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    facts:
      signedIn: false
      current: 20
      target: 90
      score: number
      onboarding: 2026-02-28T18:00
      plan: [free, trial, paid]
    apps: [maps, music]
    places:
      shop: {at: [52.52, 13.405], radius: 150 m}
      home: {at: [52.501, 13.39], radius: 0.1 km}
    """
  var reminders = """
    reminders:
      milk: {when: unlock, notify: Buy milk}
      bread: {when: unlock, notify: Buy bread}
    edits:
      milk:
        later: {when: "on day 2 09:00", notify: Buy milk later}
    """
  var timeline = "timeline: [08:10 unlock]"
  var expect = "expect: [milk fires]"

  var text: String { [head, reminders, timeline, expect].joined(separator: "\n") + "\n" }

  /// Returns the sample with the given trigger in YAML.
  static func trigger(_ yaml: String) -> Sample {
    Sample(reminders: "reminders:\n  milk:\n    when: \(yaml)\n    notify: Buy milk")
  }

  /// Returns the sample with the given condition in YAML.
  static func condition(_ yaml: String) -> Sample {
    Sample(reminders: "reminders:\n  milk:\n    when: unlock\n    if: \(yaml)\n    notify: Buy milk")
  }

  /// Returns the sample with the given entries as its time line.
  static func timeline(_ entries: String..., length: String? = nil) -> Sample {
    var sample = Sample()
    if let length { sample.head += "\nfor: \(length)" }
    sample.timeline = "timeline:\n" + entries.map { "  - \($0)" }.joined(separator: "\n")
    return sample
  }

  /// Returns the sample with the given expectations.
  static func expect(_ entries: String...) -> Sample {
    Sample(expect: "expect:\n" + entries.map { "  - \($0)" }.joined(separator: "\n"))
  }
}

/// Parses a text as the file `sample.yaml`. Every recording counts as existing.
func read(_ text: String) -> ScenarioFile.Outcome {
  ScenarioFile.read(Array(text.utf8), file: "sample.yaml") { _ in true }
}

/// Returns the scenario of a sample. Throws an error if it is invalid.
func scenario(_ sample: Sample) throws -> Scenario { try scenario(sample.text) }

func scenario(_ text: String) throws -> Scenario { try read(text).get() }

extension Scenario {
  var events: [TimelineEvent] { Array(TimelineStream(timeline, from: start, to: end, zones: zones)) }

  /// The instants of the events, as local times of the phone.
  var eventTimes: [String] {
    events.map { event in
      let local = zones[timeline.zone(at: event.instant)].local(at: event.instant)
      return "\(local.date.text) \(Clock.text(local.millisecondOfDay))"
    }
  }
}

/// A scenario whose reminders are sentences.
enum SentenceSample {
  static let head = """
    kind: scenario
    version: 1
    title: Sentences
    start: 2026-03-02T07:00
    zone: Europe/Berlin
    facts:
      steps: 0
      goal: 10000
      signedIn: false
      plan: [free, trial, paid]
      birthday: 1990-03-05
    items:
      plant:
        attributes: {watered: instant, room: text}
        list:
          basil: {watered: 2026-03-01T18:00, room: hall}
          fern: {watered: 2026-03-01T18:00}
    apps: [maps]
    places:
      shop: {at: [52.52, 13.405], radius: 150 m}
      while: {at: [52.6, 13.405], radius: 150 m}

    """

  static func text(_ reminders: String...) -> String {
    head + "reminders:\n" + reminders.map { "  " + $0 }.joined(separator: "\n")
      + "\nexpect: [fires >= 0]\n"
  }

  /// Returns the sentences as a YAML list, unquoted.
  static func list(_ sentences: String...) -> String {
    head + "reminders:\n" + sentences.map { "  - '\($0.replacing("'", with: "''"))'" }.joined(separator: "\n")
      + "\nexpect: [fires >= 0]\n"
  }

  static func read(_ text: String) -> ScenarioFile.Outcome {
    ScenarioFile.read(Array(text.utf8), file: "sample.yaml") { _ in true }
  }

  static func scenario(_ text: String) throws -> Scenario { try read(text).get() }
}
