import Foundation
import ScenarioModel
import Scenarios
import Testing
import TextFormats

/// A small population whose habits tests can replace.
struct PopulationSample {
  var head = """
    kind: population
    version: 1
    title: A sample
    start: 2026-03-27T00:00
    zone: Europe/Berlin
    for: 10 days
    profile: ios
    seed: 5
    facts:
      signedIn: false
      steps: number
      plan: [free, trial, paid]
    places:
      home: {at: [52.50, 13.39], radius: 100 m}
      office: {at: [52.52, 13.40], radius: 100 m}
      gym: {at: [52.53, 13.45], radius: 100 m}
    reminders:
      walk: {when: exit home, repeat: always, notify: Walk}
      evening: {when: every day 19:00, if: signedIn is false, repeat: always, notify: Sign in}
    policy: {quietHours: none}
    """
  var habits = """
    habits:
      platform: {ios: 60 %, android: 40 %}
      wake: {median: 07:00, spread: 1 h, daily: 20 min}
      sleep: {median: 00:10, spread: 40 min, daily: 20 min}
      unlocksPerHour: {median: 3, sigma: 0.5}
      charging: {overnight: 80 %, daytime: 30 %}
      commute:
        {from: home, to: office, leaves: {median: 08:30, daily: 10 min}, takes: 30 min, returns: 17:30,
        people: 70 %, stops: {gym: 30 %}}
      facts: {signedIn: 30 %, plan: {free: 70 %, trial: 10 %, paid: 20 %}, steps: {mean: 50, spread: 20, most: 90}}
      routines:
        run: {do: set steps = 80, at: {median: 18:00, daily: 1 h}, perWeek: {2: 50 %, 4: 50 %}, people: 80 %}
        count: {set: steps, to: {mean: 40, spread: 10, daily: 10, most: 90}, at: 12:00, chance: 50 %}
    """

  var text: String { head + "\n" + habits + "\n" }

  var outcome: PopulationFile.Outcome { PopulationFile.read(Array(text.utf8), file: "sample.yaml") }

  /// The errors in the population.
  var problems: [String] {
    switch outcome {
    case .population: []
    case .otherKind(let kind): ["the kind \(kind)"]
    case .unusable(let diagnostics): diagnostics.map(\.summary)
    }
  }

  func population(sourceLocation: SourceLocation = #_sourceLocation) throws -> Population {
    guard case .population(let population, _) = outcome else {
      Issue.record("\(problems.joined(separator: "\n"))", sourceLocation: sourceLocation)
      throw Unusable()
    }
    return population
  }

  struct Unusable: Error {}
}
