package import ExperimentFiles
package import Experiments
import CivilTime
import PersonModel
package import PopulationFiles
import ScenarioFiles
import ScenarioGrammar
import ScenarioModel
package import TextFormats
import TriggerModel

/// The people of a file, for experiments: each is played on the full path.
package struct FilePopulation: ExperimentFiles.Population {
  package let name: String
  package let types: [String]
  package let standardDays: Int
  /// A person takes some hundred times as long as one of a workload on paper. The people are the same ones with the
  /// same luck under every value, so that what an assumption does is seen in few of them.
  package let standardSensitivity = (people: 300, draws: 30)
  /// All that the file and its packs say, in the long forms.
  private let document: [JSONValue.Member]
  private let reach: ReachableFiles
  private let habits: Habits

  /// What a policy can change.
  private static let keys = ["policy", "person", "habits", "knobs", "reminders"]

  /// - Parameter name: By which the experiment calls it.
  package init(_ population: PopulationFiles.Population, name: String) throws(Diagnostic) {
    self.name = name
    reach = population.scenario.sources.reach ?? .nothing
    habits = population.habits
    let scenario = population.scenario
    types = scenario.types
    standardDays = scenario.zones[scenario.zone].localDays(in: scenario.start..<scenario.end)
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
    TapConstant.allCases.filter(isRelevant).map { constant in
      let row = constant.row
      func millionths(_ value: Double) -> Int64 { Int64((value * 1_000_000).rounded()) }
      return Assumption(
        constant.name, row.meaning, standard: millionths(row.value),
        range: millionths(row.sweep.lowerBound)...millionths(row.sweep.upperBound), unit: row.unit,
        evidence: row.evidence,
        source: row.source)
    }
  }

  /// Whether anything can come of another value: all of these people unlock their phones.
  private func isRelevant(_ constant: TapConstant) -> Bool {
    let profiles = habits.platform?.options.map(\.value) ?? [profile]
    return switch constant {
    case .medianLatencyIOS, .medianLatencyAndroid, .latencySigma: false
    case .chanceTakenIOS, .permissionIOS: profiles.contains { $0 != "android" }
    case .chanceTakenAndroid, .permissionAndroid: profiles.contains("android")
    default: true
    }
  }

  private var profile: String {
    if case .string(let name)? = document.first(where: { $0.key == "profile" })?.value { name } else { "" }
  }

  package func read(_ sections: [Node.Entry], seed: UInt64, days: Int, _ reader: Reader) -> ReadPolicy? {
    for section in sections where !Self.keys.contains(section.key) {
      reader.error(
        "'\(section.key)' cannot be set for \(name)", at: section.keyPosition,
        hint: "it has the sections \(Self.keys.joined(separator: ", "))")
      return nil
    }
    let rest = document.filter { member in !sections.contains { $0.key == member.key } }
    let entries = rest.map { Node.Entry(key: $0.key, keyPosition: .start, value: Node($0.value)) } + sections
    let own = Reader(source: reader.files.own, parts: .timeline, fileExists: { _ in false })
    own.take(filesOf: reader)
    switch PopulationFile.read(Node(content: .mapping(entries), position: .start), own) {
    case .otherKind: return nil
    case .unusable(let diagnostics):
      report(diagnostics, sections, reader)
      return nil
    case .population(var population, _):
      guard population.scenario.types == types else {
        reader.error(
          "a policy sends the types of notifications that all others send",
          at: sections.first { $0.key == "reminders" }?.keyPosition ?? .start,
          hint: "change a reminder, and leave its name and its 'type' as they are")
        return nil
      }
      let zone = population.scenario.zones[population.scenario.zone]
      var end = zone.local(at: population.scenario.start)
      end.date = end.date + days
      population.scenario.end = zone.instant(of: end)
      population.scenario.seed = seed
      do {
        return ReadPolicy(
          arm: try PopulationArm(population, in: reach), identity: try PopulationFile.write(population))
      } catch let problem as Diagnostic {
        reader.report(problem)
      } catch {
        reader.error("\(error)", at: .start)
      }
      return nil
    }
  }

  /// What the population itself says has no place in the experiment's file; it was right before the experiment changed
  /// something else.
  private func report(_ diagnostics: [Diagnostic], _ sections: [Node.Entry], _ reader: Reader) {
    let place = sections.map(\.keyPosition).first { $0 != .start } ?? .start
    for diagnostic in diagnostics {
      if diagnostic.position == .start {
        reader.error(
          "with this, \(name) is no population: \(diagnostic.message)", at: place, hint: diagnostic.hint)
      } else {
        reader.report(diagnostic)
      }
    }
  }
}

extension PopulationCatalogue {
  /// Those with names of their own, and the files beside an experiment.
  ///
  /// - Parameter reach: What may be read: by the experiment, and by the population with its packs.
  package static func beside(_ experiment: String, in reach: ReachableFiles) -> PopulationCatalogue {
    PopulationCatalogue(inFile: { (name: String) throws(Diagnostic) -> (any ExperimentFiles.Population)? in
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
          "this is \(SourceText.kinds.contains(kind) ? "a file of kind '\(kind)'" : "something else"), and no population",
          file: shown,
          hint: "name one that says 'kind: population', or popcap-1")
      case .unusable(let diagnostics):
        throw diagnostics.first ?? Diagnostic("the file cannot be used", file: shown)
      case .population(let population, _):
        return try FilePopulation(population, name: name)
      }
    })
  }
}
