package import Experiments
import CivilTime
import DeviceSimulation
package import PopulationFiles
import ScenarioModel
import Simulation
package import TextFormats
import TriggerModel

/// A policy over the people of a file, played on the full path: phone, app, engine and person.
///
/// What is the same for everybody is compiled once; a person is the sample of their days, and what becomes of it.
package struct PopulationArm: PolicyArm {
  private let sampler: PersonSampler
  /// By platform profile.
  private let programs: [(profile: String, program: Program)]
  private var sampled = SampledPerson()
  private var recorder: PersonRecorder

  /// - Throws: What a platform's program cannot be compiled for.
  package init(_ population: Population, in reach: ReachableFiles = .nothing) throws(Diagnostic) {
    sampler = PersonSampler(population)
    let profiles =
      population.habits.platform?.options.map(\.value) ?? [population.scenario.profile.value]
    var programs: [(profile: String, program: Program)] = []
    for profile in profiles {
      var scenario = population.scenario
      scenario.profile.value = profile
      programs.append((profile, try Program(scenario, in: reach)))
    }
    self.programs = programs
    recorder = PersonRecorder(programs[0].program)
  }

  package mutating func run(_ person: UInt64, into outcome: inout PersonOutcome) {
    sampler.sample(person, into: &sampled)
    guard let shared = programs.first(where: { $0.profile == sampled.profile })?.program else {
      preconditionFailure("every platform of a population has a program")
    }
    var story = PersonStory(number: person, notifications: sampled.notifications)
    story.facts = sampled.facts.map { ($0.fact, $0.value) }
    var next = ProgramEvent(instant: .distantPast, event: .lock, device: 0, position: .start)
    story.events = sampled.events.map {
      (next.instant, next.event) = ($0.instant, $0.event)
      return next
    }
    let program = Program(shared, story)
    swap(&outcome, &recorder.outcome)
    recorder.begin(sampled.notifications)
    let engine = program.makeEngine(explainsMisses: false)
    var world = World(program: program, person: person, scope: .acts) { _ in engine }
    world.run(into: &recorder)
    recorder.close()
    swap(&outcome, &recorder.outcome)
  }
}
