import CivilTime
import DeviceSimulation
import NotificationGateway
import ReminderMatching
import ScenarioModel
package import Scenarios
package import Simulation
package import TextFormats
package import TriggerModel

/// A policy over the people of a file, played on the full path: phone, app, engine and person.
///
/// What is the same for everybody is compiled once; a person is the sample of their days, and what becomes of it.
package struct PopulationArm: PolicyArm {
  private let sampler: PersonSampler
  /// By platform profile, zone, and the devices that people do not have.
  private let programs: [Variant]
  private var sampled = SampledPerson()
  /// By the position among ``programs``.
  private var recorders: [PersonRecorder]

  private let kinship: Kinship?
  private let dailyCap: Int
  /// Who was played last; nil: nobody.
  private var played: UInt64?
  /// Whose days are in ``sampled``; nil: nobody's.
  private var known: UInt64?
  /// The daily cap denied nothing then, and would have denied nothing.
  private var isWithinCap = false

  /// What two policies of an experiment have in common, as numbers that stand for it.
  package struct Kinship: Hashable, Sendable {
    /// All on which people depend.
    package var people: UInt64
    /// All but the daily cap.
    package var policy: UInt64

    package init(people: UInt64, policy: UInt64) {
      self.people = people
      self.policy = policy
    }
  }

  private struct Variant {
    var profile: String
    var zone: String?
    var lacks: DeviceSet
    var program: Program
    /// Before its first event, the same for everybody: whether notifications are allowed it is told at its launch.
    var engine: any EngineUnderTest
  }

  /// - Parameters:
  ///   - kinship: Nil: it is like no other.
  ///   - followUp: For how long people are followed at the end of the population's time, see ``Experiments/Watch``; nil:
  ///     not at all, and what is answered before the end counts.
  /// - Throws: What a platform's program cannot be compiled for.
  package init(
    _ population: Population, in reach: ReachableFiles = .nothing, kinship: Kinship? = nil,
    followUp: TimeSpan? = nil
  ) throws(Diagnostic) {
    self.kinship = kinship
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

  /// A daily cap that no check of a person's notifications met does the same as any higher one.
  package mutating func twin(of person: UInt64, among others: ArraySlice<any PolicyArm>) -> Int? {
    played = nil
    guard let kinship else { return nil }
    for index in others.indices {
      guard let other = others[index] as? PopulationArm, let kin = other.kinship, kin.people == kinship.people
      else { continue }
      if other.played == person, kin.policy == kinship.policy,
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

  /// How many types of notifications the population has.
  package var typeCount: Int { programs[0].program.reminders.names.types.count }

  /// The days of one person.
  package struct Story: Sendable {
    fileprivate let person: UInt64
    /// Its tables are shared with everybody's.
    fileprivate let program: Program
    /// The position of what is shared among the programs.
    fileprivate let shared: Int
  }

  /// Draws a person.
  package mutating func story(of person: UInt64) -> Story {
    if known != person { sampler.sample(person, into: &sampled) }
    known = person
    let own = programs.firstIndex {
      $0.profile == sampled.profile && $0.zone == sampled.zone && $0.lacks == sampled.lacks
    }
    guard let own else { preconditionFailure("everybody who can be drawn has a program") }
    var story = PersonStory(number: person, allowsNotifications: sampled.allowsNotifications)
    story.facts = sampled.facts.map { ($0.fact, $0.value) }
    var next = ProgramEvent(instant: .distantPast, event: .lock, device: 0, position: .start)
    story.events = sampled.events.map {
      (next.instant, next.event, next.device) = ($0.instant, $0.event, $0.device)
      return next
    }
    return Story(person: person, program: Program(programs[own].program, story), shared: own)
  }

  /// A person before the first day.
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
    isWithinCap = !recorders[own].hasMetDailyCap
  }
}
