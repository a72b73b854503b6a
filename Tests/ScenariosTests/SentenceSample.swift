import ScenarioModel
import ScenarioSamples
import Scenarios
import Testing

/// A story whose reminders are sentences.
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

  /// A list of sentences, as they are.
  static func list(_ sentences: String...) -> String {
    head + "reminders:\n" + sentences.map { "  - '\($0.replacing("'", with: "''"))'" }.joined(separator: "\n")
      + "\nexpect: [fires >= 0]\n"
  }

  static func read(_ text: String) -> ScenarioFile.Outcome {
    ScenarioFile.read(Array(text.utf8), file: "sample.yaml") { _ in true }
  }

  static func scenario(_ text: String) throws -> Scenario { try read(text).get() }
}
