import CivilTime
import DeviceSimulation
import NotificationGateway
import PersonModel
import Recordings
import ScenarioModel
package import Scenarios
import SimulationKernel
package import TextFormats
import TriggerModel

/// The people of a population file. Each person is simulated with phone, app, engine and person model.
package struct FilePopulation: ExperimentPopulation {
  package let name: String
  package let types: [String]
  package let defaultSeed: UInt64
  package let defaultDays: Int
  /// The default numbers of people and draws.
  ///
  /// The numbers are small because simulating one person takes about as long as simulating a hundred people of a
  /// workload. They suffice because all values of an assumption use the same people and random numbers.
  package let defaultSensitivity = (people: 300, draws: 30)
  /// The population and its packs in long form.
  private let document: [JSONValue.Member]
  private let reach: ReachableFiles
  private let habits: Habits
  /// The operating systems of the people's phones.
  private let systems: Set<PlatformProfile.System>

  /// The sections that a policy can change.
  private static let keys = ["policy", "person", "habits", "knobs", "reminders"]

  /// - Parameter name: The name that the experiment uses.
  package init(_ population: Population, name: String) throws(Diagnostic) {
    self.name = name
    reach = population.scenario.sources.reach ?? .nothing
    habits = population.habits
    let scenario = population.scenario
    let profiles = habits.platform?.options.map(\.value) ?? [scenario.profile.value]
    systems = Set(profiles.compactMap(PlatformProfile.system))
    types = scenario.types
    defaultSeed = scenario.seed
    defaultDays = scenario.zones[scenario.zone].wholeDays(in: scenario.start..<scenario.end)
    let written: JSONValue
    do throws(UnwritableScenario) {
      written = try PopulationFile.write(population)
    } catch {
      throw Diagnostic("the population cannot be written: \(error)", file: name)
    }
    if case .object(let members) = written { document = members } else { document = [] }
  }

  package var metrics: [PeopleMetric.Kind] {
    [.tapThrough, .incrementalOpens, .firesPerDay, .tapsPerDay, .fireRate, .optOuts, .reach]
  }

  package var sections: [Node.Entry] {
    Self.keys.compactMap { key in
      guard let member = document.first(where: { $0.key == key }) else { return nil }
      return Node.Entry(key: key, keyPosition: .start, value: Node(member.value))
    }
  }

  package var assumptions: [Assumption] {
    relevantConstants.map { constant in
      let row = constant.row
      return Assumption(
        name: constant.name, meaning: row.meaning, standard: Self.millionths(row.value),
        range: Self.millionths(row.sweep.lowerBound)...Self.millionths(row.sweep.upperBound), unit: row.unit,
        evidence: row.evidence, source: row.source)
    }
  }

  private static func millionths(_ value: Double) -> Int64 { Int64((value * 1_000_000).rounded()) }

  private var relevantConstants: [TapConstant] { TapConstant.allCases.filter(isRelevant) }

  /// Returns whether a constant affects the results. Response latencies do not, because these people respond when
  /// they unlock their phones.
  private func isRelevant(_ constant: TapConstant) -> Bool {
    switch constant {
    case .medianLatencyIOS, .medianLatencyAndroid, .latencySigma: false
    case .chanceTakenIOS, .permissionIOS: systems.contains(.ios)
    case .chanceTakenAndroid, .permissionAndroid: systems.contains(.android)
    default: true
    }
  }

  package func read(_ sections: [Node.Entry], seed: UInt64, watch: ObservationPeriod, _ reader: Reader)
    -> ReadPolicy?
  {
    for section in sections where !Self.keys.contains(section.key) {
      reader.error(
        "'\(section.key)' cannot be set for \(name)", at: section.keyPosition,
        hint: "use the sections \(Self.keys.joined(separator: ", "))")
      return nil
    }
    let rest = document.filter { member in !sections.contains { $0.key == member.key } }
    let entries = rest.map { Node.Entry(key: $0.key, keyPosition: .start, value: Node($0.value)) } + sections
    let outcome = PopulationFile.read(entries) { [reach] in
      let own = Reader(source: reader.files.own, parts: .timeline, fileExists: reach.holds)
      own.take(filesOf: reader)
      // Paths of recordings are relative to the population file.
      own.reach = reach
      return own
    }
    switch outcome {
    case .otherKind: return nil
    case .unusable(let diagnostics):
      report(diagnostics, sections, reader)
      return nil
    case .population(var population, _):
      guard population.scenario.types == types else {
        reader.error(
          "all policies must send the same types of notifications",
          at: sections.first { $0.key == "reminders" }?.keyPosition ?? .start,
          hint: "keep the names and the 'type' of reminders")
        return nil
      }
      population.change { scenario in
        let zone = scenario.zones[scenario.zone]
        var end = zone.local(at: scenario.start)
        end.date = end.date + watch.days
        scenario.end = zone.instant(of: end)
        scenario.seed = seed
      }
      let model = population.scenario.person?.model ?? TapModel()
      let policy = Format<CapPolicy>.policy.write(population.scenario.policy, Writer(context: NoContext()))
      do {
        let written = try PopulationFile.write(population)
        let identity = Self.identity(of: written, population.habits)
        let fingerprint = Self.fingerprint(of: written, population.habits)
        var resolved = [Node.Entry(key: "policy", keyPosition: .start, value: Node(policy))]
        if let person = written["person"] {
          resolved.append(Node.Entry(key: "person", keyPosition: .start, value: Node(person)))
        }
        population.change { $0.end = $0.end + watch.followUp }
        return ReadPolicy(
          arm: try PopulationArm(population, in: reach, fingerprint: fingerprint, followUp: watch.followUp),
          identity: identity, assumptions: relevantConstants.map { Self.millionths(model[$0]) },
          resolved: resolved)
      } catch let problem as Diagnostic {
        reader.report(problem)
      } catch {
        reader.error("\(error)", at: .start)
      }
      return nil
    }
  }

  /// Returns the population's declaration with the digests of its recordings.
  private static func identity(of written: JSONValue, _ habits: Habits) -> JSONValue {
    guard case .recorded(let phones) = habits.days else { return written }
    return [
      "population": written, "recordings": .array(phones.map { .string("\($0.name) \($0.digest)") }),
    ]
  }

  private static func fingerprint(of written: JSONValue, _ habits: Habits) -> PopulationArm.Fingerprint? {
    guard case .object(let members) = written else { return nil }
    let recorded: String
    if case .recorded(let phones) = habits.days {
      recorded = phones.map { "\($0.name) \($0.digest)" }.joined(separator: ", ")
    } else {
      recorded = ""
    }
    func number(_ members: [JSONValue.Member]) -> UInt64 {
      RandomKey.nameNumber(recorded + JSONValue.object(members).line)
    }
    let withoutCap = members.map { member in
      guard member.key == "policy", case .object(let policy) = member.value else { return member }
      return JSONValue.Member("policy", .object(policy.filter { $0.key != "dailyCap" }))
    }
    return PopulationArm.Fingerprint(
      people: number(members.filter { $0.key != "policy" }), policy: number(withoutCap))
  }

  package var digest: UInt64 {
    var text = JSONValue.object(document).line
    if case .recorded(let phones) = habits.days { text += phones.map { "\($0.name) \($0.digest)" }.joined() }
    return RandomKey.nameNumber(text)
  }

  package var origins: [String] {
    guard case .recorded(let phones) = habits.days else { return [] }
    return phones.map { recording in
      let days = recording.phone.days
      let files = [recording.screen, recording.battery].compactMap(\.self).joined(separator: ", ")
      let dates = [days.first, days.last].compactMap { $0?.date.text }.joined(separator: " to ")
      return "'\(recording.name)': \(files); \(days.count) whole days, \(dates), \(recording.zone)"
    }
  }

  /// Reports errors without a position in a file at the first section that the experiment changes.
  ///
  /// The changes cause these errors, because the unchanged population is valid.
  private func report(_ diagnostics: [Diagnostic], _ sections: [Node.Entry], _ reader: Reader) {
    let place = sections.map(\.keyPosition).first { $0 != .start } ?? .start
    for diagnostic in diagnostics {
      if diagnostic.position == .start {
        reader.error(
          "this makes \(name) invalid: \(diagnostic.message)", at: place, hint: diagnostic.hint)
      } else {
        reader.report(diagnostic)
      }
    }
  }
}

extension PopulationCatalogue {
  /// Returns the catalogue of the built-in populations and of files relative to an experiment.
  ///
  /// - Parameter reach: The files that the experiment and the population's packs may read.
  package static func nextTo(_ experiment: String, in reach: ReachableFiles) -> PopulationCatalogue {
    PopulationCatalogue(inFile: { (name: String) throws(Diagnostic) -> (any ExperimentPopulation)? in
      guard name.hasSuffix(".yaml") || name.hasSuffix(".yml") else { return nil }
      let shown =
        name.hasPrefix("/") ? name : experiment.lastIndex(of: "/").map { experiment[...$0] + name } ?? name
      switch reach.place(of: name) {
      case .missing: return nil
      case .outside:
        throw Diagnostic("the population \(ReachableFiles.problem)", file: shown, hint: ReachableFiles.remedy)
      case .file: break
      }
      switch PopulationFile.load(shown, in: reach.of(shown)) {
      case .otherKind(let kind):
        throw Diagnostic(
          SourceText.kinds.contains(kind)
            ? "this is a file of the kind '\(kind)', not a population" : "this is not a population",
          file: shown, hint: "use a file with 'kind: population', or popcap-1")
      case .unusable(let diagnostics):
        throw diagnostics.first ?? Diagnostic("the file cannot be used", file: shown)
      case .population(let population, _):
        return try FilePopulation(population, name: name)
      }
    })
  }
}
