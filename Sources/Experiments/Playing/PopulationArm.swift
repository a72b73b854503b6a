import CivilTime
import DeviceSimulation
import NotificationGateway
import ReminderMatching
import ScenarioModel
package import Scenarios
package import Simulation
package import TextFormats
package import TriggerModel

/// A policy that is applied to the people of a file. Each person is simulated with phone, app, engine and
/// person model.
///
/// The data that all people share is compiled once. Each person adds only their sampled days.
package struct PopulationArm: PolicyArm {
  private let sampler: PersonSampler
  /// The programs, one for each combination of platform profile, zone and missing devices.
  private let programs: [Variant]
  private var sampled = SampledPerson()
  /// The recorder for each program, in the order of the programs.
  private var recorders: [PersonRecorder]

  private let fingerprint: Fingerprint?
  private let dailyCap: Int
  /// The last person who was simulated, or `nil`.
  private var played: UInt64?
  /// The person whose days are in ``sampled``, or `nil`.
  private var known: UInt64?
  /// Whether the daily cap had no effect on the last person.
  private var isWithinCap = false

  /// Hashes with which two policies of an experiment are compared.
  package struct Fingerprint: Hashable, Sendable {
    /// A hash of everything that affects the people.
    package var people: UInt64
    /// A hash of everything except the daily cap.
    package var policy: UInt64
  }

  private struct Variant {
    var profile: String
    var zone: String?
    var lacks: DeviceSet
    var program: Program
    /// The engine before its first event. All people can share it, because the engine observes the permission only at
    /// launch.
    var engine: any EngineUnderTest
  }

  /// - Parameters:
  ///   - fingerprint: The hashes, or `nil` if the arm must not be considered equivalent to any other.
  ///   - followUp: The duration of the follow-up (see ``Experiments/ObservationPeriod``), or `nil` to count every
  ///     response before the end.
  /// - Throws: An error if the program cannot be compiled for a platform.
  package init(
    _ population: Population, in reach: ReachableFiles = .nothing, fingerprint: Fingerprint? = nil,
    followUp: TimeSpan? = nil
  ) throws(Diagnostic) {
    self.fingerprint = fingerprint
    dailyCap = population.scenario.policy.dailyCap ?? .max
    sampler = PersonSampler(population)
    let profiles =
      population.habits.platform?.options.map(\.value) ?? [population.scenario.profile.value]
    let zones: [String?] = population.elsewhere.isEmpty ? [nil] : population.elsewhere.map(\.zone)
    var programs: [Variant] = []
    for profile in profiles {
      for zone in zones {
        for lacks in population.possibleLacks {
          var scenario = population.scenario(in: zone, without: lacks)
          scenario.profile.value = profile
          let program = try Program(scenario, in: reach)
          programs.append(
            Variant(
              profile: profile, zone: zone, lacks: lacks, program: program,
              engine: program.makeEngine(explainsMisses: false)))
        }
      }
    }
    self.programs = programs
    recorders = programs.map { PersonRecorder($0.program, followUp: followUp) }
  }

  /// Returns the index of an arm with the same policy, or with a lower daily cap.
  ///
  /// An arm with a lower cap qualifies only if its cap had no effect on the person. This arm then has the same
  /// outcome.
  package mutating func equivalentArm(for person: UInt64, among others: ArraySlice<any PolicyArm>) -> Int? {
    played = nil
    guard let fingerprint else { return nil }
    for index in others.indices {
      guard let other = others[index] as? PopulationArm, let kin = other.fingerprint,
        kin.people == fingerprint.people
      else { continue }
      if other.played == person, kin.policy == fingerprint.policy,
        other.dailyCap == dailyCap || other.isWithinCap && other.dailyCap < dailyCap
      {
        return index
      }
      if other.known == person, known != person {
        sampled = other.sampled
        known = person
      }
    }
    return nil
  }

  /// The number of notification types of the population.
  package var typeCount: Int { programs[0].program.reminders.names.types.count }

  /// The program of one person.
  package struct Story: Sendable {
    fileprivate let person: UInt64
    /// The person's program, which shares tables with the programs of other people.
    fileprivate let program: Program
    /// The index of the shared program.
    fileprivate let shared: Int
  }

  /// Draws the days of a person and returns the person's program.
  package mutating func story(of person: UInt64) -> Story {
    if known != person { sampler.sample(person, into: &sampled) }
    known = person
    let own = programs.firstIndex {
      $0.profile == sampled.profile && $0.zone == sampled.zone && $0.lacks == sampled.lacks
    }
    guard let own else { preconditionFailure("no program for the profile, zone and devices of a person") }
    var story = PersonTimeline(number: person, allowsNotifications: sampled.allowsNotifications)
    story.facts = sampled.facts.map { ($0.fact, $0.value) }
    var next = ProgramEvent(instant: .distantPast, event: .lock, device: 0, position: .start)
    story.events = sampled.events.map {
      (next.instant, next.event, next.device) = ($0.instant, $0.event, $0.device)
      return next
    }
    return Story(person: person, program: Program(programs[own].program, story), shared: own)
  }

  /// Returns the world of a person before the first day.
  package func world(of story: Story) -> World {
    World(program: story.program, person: story.person, scope: .acts) { _ in programs[story.shared].engine }
  }

  package mutating func run(_ person: UInt64, into outcome: inout PersonOutcome) {
    let story = story(of: person)
    let own = story.shared
    swap(&outcome, &recorders[own].outcome)
    recorders[own].begin(story.program)
    var world = world(of: story)
    world.run(until: recorders[own].end, into: &recorders[own])
    if recorders[own].awaitsAnswers { world.run(into: &recorders[own]) }
    recorders[own].close()
    swap(&outcome, &recorders[own].outcome)
    played = person
    isWithinCap = !recorders[own].dailyCapApplied
  }
}
