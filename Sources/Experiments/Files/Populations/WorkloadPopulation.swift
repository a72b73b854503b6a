package import NotificationGateway
package import PersonModel
import Scenarios
package import TextFormats
import TriggerModel

/// A published workload as the people of an experiment.
package struct WorkloadPopulation: ExperimentPopulation {
  package let workload: PopulationWorkload
  package let policy: CapPolicy

  package static let popcap1 = WorkloadPopulation(workload: .popcap1, policy: PopulationRun.policy)

  package var name: String { workload.name }
  package var types: [String] { PopulationRun.types(of: workload) }
  package let standardSeed: UInt64 = 1
  package let standardDays = 30
  package let standardSensitivity = (people: 2_000, draws: 100)

  /// Nobody here opens the app without a notification, so openings by one are taps.
  package var metrics: [PeopleMetric.Kind] {
    [.tapThrough, .firesPerDay, .tapsPerDay, .fireRate, .optOuts, .reach]
  }

  package var assumptions: [Assumption] { WorkloadTraits.assumptions }

  package var sections: [Node.Entry] {
    let writer = Writer(context: NoContext())
    let policy = Node(Format<CapPolicy>.policy.write(policy, writer))
    return [Node.Entry(key: "policy", keyPosition: .start, value: policy)]
  }

  package func read(
    _ sections: [Node.Entry], seed: UInt64, watch: Watch, _ reader: Reader
  ) -> ReadPolicy? {
    reader.names.types = NameList(types)
    let errors = reader.errorCount
    var (policy, traits) = (policy, WorkloadTraits())
    for section in sections {
      switch section.key {
      case "policy":
        guard let own = Format<CapPolicy>.policy.read(section.value, reader) else { continue }
        policy = own
        checkQuietAction(own, section.value, reader)
      case "person":
        traits = Format<WorkloadTraits>.traits.read(section.value, reader) ?? traits
      default:
        reader.error(
          "'\(section.key)' cannot be set for \(name)", at: section.keyPosition,
          hint: "it has the sections policy and person")
      }
    }
    guard reader.errorCount == errors else { return nil }
    do {
      let run = try PopulationRun(
        traits.applied(to: workload), policy: policy, seed: seed, days: watch.days, followUp: watch.followUp)
      let writer = Writer(context: NoContext())
      let identity: JSONValue = [
        "policy": Format<CapPolicy>.policy.write(policy, writer),
        "person": Format<WorkloadTraits>.traits.write(traits, writer),
      ]
      return ReadPolicy(arm: run.arm, identity: identity)
    } catch {
      reader.error("\(error)", at: sections.first?.value.position ?? .start)
      return nil
    }
  }

  /// Each candidate is decided once, when it comes.
  private func checkQuietAction(_ policy: CapPolicy, _ node: Node, _ reader: Reader) {
    if policy.quietHours != nil,
      policy.quietAction[.standard] == .defer || policy.quietAction[.critical] == .defer
    {
      reader.error(
        "\(name) decides each request when it is made: quiet hours cannot defer it",
        at: node["quietAction"]?.position ?? node.position, hint: "leave quietAction at drop")
    }
  }
}

private final class NoContext: WritingContext {}
