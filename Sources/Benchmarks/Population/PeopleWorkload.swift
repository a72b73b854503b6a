import NotificationGateway
import ScenarioModel
package import Scenarios
import TextFormats
package import TriggerModel

/// People with the reminders of the pack `fitme`. Each person has a phone, an app, an engine, caps and a
/// person model.
///
/// On average, a person unlocks the phone fifty times a day. People commute, exercise and eat, and receive
/// reminders.
package struct PeopleWorkload: Sendable {
  /// The name for `--workload`.
  package static let name = "fitme"
  /// The platform profiles that are measured. With `ideal`, the app observes every event.
  package static let profiles = ["ios", "ideal"]

  package var profile: String
  package var seed: UInt64
  package var days: Int
  package var minimumInterval: TimeSpan
  /// The maximum number of notifications in the bucket `standard` per day.
  package var dailyCap: Int

  /// - Parameter minimumInterval: The minimum interval in seconds.
  package init(profile: String, minimumInterval: Int64 = 14_400, dailyCap: Int = 3, seed: UInt64, days: Int) {
    self.profile = profile
    self.seed = seed
    self.days = days
    self.minimumInterval = .seconds(minimumInterval)
    self.dailyCap = dailyCap
  }

  /// Returns the population.
  ///
  /// - Throws: ``BenchError`` if ``text`` is invalid, which would be a bug.
  package func population() throws -> Population {
    switch PopulationFile.read([UInt8](text.utf8), file: "\(Self.name).yaml") {
    case .population(var population, _):
      population.change { scenario in
        scenario.policy.minimumInterval = minimumInterval
        scenario.policy.dailyCap = dailyCap
      }
      return population
    case .unusable(let diagnostics): throw BenchError(diagnostics.map(\.summary).joined(separator: "\n"))
    case .otherKind(let kind): throw BenchError("the workload is of kind \(kind)")
    }
  }

  private var text: String {
    """
    kind: population
    version: 1
    title: People of a fitness app
    include: fitme
    start: 2026-03-02T00:00
    zone: Europe/Berlin
    for: \(days) days
    profile: \(profile)
    seed: \(seed)
    facts: {onboarding: 2026-03-01T18:00}
    places:
      home: {at: [52.5010, 13.3900], radius: 100 m}
      office: {at: [52.5200, 13.4050], radius: 150 m}
    person: {model: tap-v1, organicOpens: 0.8}
    habits:
      wake: {median: 06:50, spread: 50 min, daily: 20 min}
      sleep: {median: 23:00, spread: 50 min, daily: 30 min}
      unlocksPerHour: {median: 2.65, sigma: 0.3}
      unlockLength: 2 min
      charging: {overnight: 92 %, daytime: 15 %}
      commute:
        from: home
        to: office
        leaves: {median: 08:10, spread: 35 min, daily: 10 min}
        takes: 35 min
        returns: {median: 17:20, spread: 45 min, daily: 30 min}
        people: 65 %
      facts:
        account.signedIn: 40 %
        health.authorized: 55 %
        workouts.total: {mean: 12, spread: 14, most: 60}
      routines:
        plan: {do: set training.plannedToday = true, at: {median: 07:30, spread: 40 min}, perWeek: 3}
        workout: {do: set workouts.today = 1, at: {median: 18:10, spread: 90 min, daily: 40 min}, chance: 40 %}
        score: {set: readiness.score, to: {mean: 62, spread: 8, daily: 14, most: 100}, at: {median: 07:05, spread: 40 min}, people: 55 %}
        signals: {set: readiness.signals, to: {mean: 2, daily: 1, most: 4}, at: {median: 07:00, spread: 40 min}, people: 55 %}
        lunch: {set: protein.current, to: {mean: 50, spread: 12, daily: 12, most: 120}, at: {median: 12:50, spread: 25 min, daily: 15 min}, chance: 70 %, people: 70 %}
        dinner: {set: protein.current, to: {mean: 95, spread: 20, daily: 20, most: 220}, at: {median: 19:40, spread: 40 min, daily: 25 min}, chance: 70 %, people: 70 %}

    """
  }
}
