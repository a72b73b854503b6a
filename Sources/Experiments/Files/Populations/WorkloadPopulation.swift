package import NotificationGateway
package import PersonModel
import Scenarios
import SimulationKernel
package import TextFormats
import TriggerModel

/// A published workload as the population of an experiment.
package struct WorkloadPopulation: ExperimentPopulation {
  package let workload: PopulationWorkload
  package let policy: CapPolicy

  package static let popcap1 = WorkloadPopulation(workload: .popcap1, policy: PopulationRun.policy)

  package var name: String { workload.name }
  package var digest: UInt64 { RandomKey.nameNumber(name + Setting.words(sections).joined(separator: ", ")) }
  package var types: [String] { PopulationRun.types(of: workload) }
  package let defaultSeed: UInt64 = 1
  package let defaultDays = 30
  package let defaultSensitivity = (people: 2_000, draws: 100)

  /// All metrics except `incrementalOpens`, because in a workload taps are the only way to open the app.
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
    _ sections: [Node.Entry], seed: UInt64, watch: ObservationPeriod, _ reader: Reader
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
        checkOrder(own, section.value, reader)
      case "person":
        traits = Format<WorkloadTraits>.traits.read(section.value, reader) ?? traits
      default:
        reader.error(
          "'\(section.key)' cannot be set for \(name)", at: section.keyPosition,
          hint: "use the sections policy and person")
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
      let resolved = ["policy", "person"].compactMap { key in
        identity[key].map { Node.Entry(key: key, keyPosition: .start, value: Node($0)) }
      }
      return ReadPolicy(
        arm: run.arm, identity: identity, assumptions: traits.values, resolved: resolved)
    } catch {
      reader.error("\(error)", at: sections.first?.value.position ?? .start)
      return nil
    }
  }

  /// Reports caps over longer periods than a day that the policy declares but does not check. Such caps are possible
  /// because a workload has its own order of checks.
  private func checkOrder(_ policy: CapPolicy, _ node: Node, _ reader: Reader) {
    let ofTypes = TypeCap.allCases.filter { $0 != .daily && !policy[$0].isEmpty }.map { ($0.key, $0.reason) }
    let ofBucket = TypeCap.ofBuckets.filter { policy[ofBucket: $0] != nil }.compactMap(\.ofBucket).map {
      ($0.key, $0.reason)
    }
    for (key, reason) in ofTypes + ofBucket where !policy.checkOrder.contains(reason) {
      reader.error(
        "the checks of \(name) leave \(reason.name) out, so '\(key)' has no effect",
        at: node[key]?.position ?? node.position, hint: "add \(reason.name) to checkOrder")
    }
  }

  /// Reports `defer` as an error, because a workload decides each request as soon as it is made.
  private func checkQuietAction(_ policy: CapPolicy, _ node: Node, _ reader: Reader) {
    if policy.quietHours != nil,
      policy.quietAction[.standard] == .defer || policy.quietAction[.critical] == .defer
    {
      reader.error(
        "quiet hours cannot defer requests of \(name), which decides them immediately",
        at: node["quietAction"]?.position ?? node.position, hint: "set quietAction to drop")
    }
  }
}

final class NoContext: WritingContext {}

/// A workload's assumptions about people, in millionths. Experiments can vary them.
struct WorkloadTraits: Hashable, Sendable {
  var baseRates: Int64 = 1_000_000
  var eagernessSpread: Int64 = 1_000_000
  var eveningFactor: Int64 = 1_250_000
  var tiring: Int64 = 125_000
  var optOuts: Int64 = 1_000_000
  var permission: Int64 = 650_000

  /// Returns the workload with these traits. The default traits do not change it.
  func applied(to workload: PopulationWorkload) -> PopulationWorkload {
    var workload = workload
    workload.taps.base = workload.taps.base.map { UInt32(Self.share(baseRates, of: Int64($0))) }
    let mean = workload.eagerness.reduce(0, +) / UInt32(workload.eagerness.count)
    workload.eagerness = workload.eagerness.map {
      UInt32(max(0, Int64(mean) + Self.share(eagernessSpread, of: Int64($0) - Int64(mean))))
    }
    workload.taps.eveningFactor = UInt32(Self.share(eveningFactor, of: 256))
    workload.taps.tiring = UInt32(Self.share(tiring, of: 256))
    workload.taps.optOuts = UInt64(Self.share(optOuts, of: Int64(workload.taps.optOuts)))
    workload.permissionPercent = UInt64(Self.share(permission, of: 100))
    return workload
  }

  /// Returns a share of a number, rounded to the nearest integer.
  private static func share(_ millionths: Int64, of number: Int64) -> Int64 {
    let product = millionths * number
    return (product + (product < 0 ? -500_000 : 500_000)) / 1_000_000
  }
}

extension WorkloadTraits {
  /// A trait with its limits and its evidence.
  private struct Row: Sendable {
    var name: String
    var meaning: String
    var place: @Sendable () -> WritableKeyPath<WorkloadTraits, Int64>
    /// The valid values.
    var limits: ClosedRange<Int64>
    /// The range of the sensitivity analysis.
    var range: ClosedRange<Int64>
    var evidence: TapConstant.Evidence
    var source: String
  }

  private static let rows = [
    Row(
      name: "baseRates", meaning: "tapped notifications, relative to POPCAP-1",
      place: { \.baseRates }, limits: 0...2_000_000, range: 560_000...1_390_000, evidence: .instrumented,
      source: "Batch 2025: 14.4 % contextual; tap-v1 sweeps 8 to 20 %"),
    Row(
      name: "eagernessSpread", meaning: "differences between people in tapping, relative to POPCAP-1",
      place: { \.eagernessSpread }, limits: 0...1_870_000, range: 0...1_500_000, evidence: .assumed,
      source: "tap-v1: 0.8, 0 to 1.2 (logit)"),
    Row(
      name: "eveningFactor", meaning: "taps from 17:00 to 21:00, relative to other hours",
      place: { \.eveningFactor }, limits: 0...4_000_000, range: 750_000...1_500_000, evidence: .assumed,
      source: "more in the evening: Stach 2024, Leanplum; less: Jana 2015"),
    Row(
      name: "tiring", meaning: "the reduction of taps by each notification of the previous day",
      place: { \.tiring }, limits: 0...330_000, range: 0...300_000, evidence: .assumed,
      source: "the sign: Wohllebe 2021, Saikia 2017; no harm: Morrison 2017"),
    Row(
      name: "optOuts", meaning: "the rate of turning notifications off, relative to POPCAP-1",
      place: { \.optOuts }, limits: 0...100_000_000, range: 200_000...4_000_000, evidence: .assumed,
      source: "tap-v1: 5 % a week above the tolerance, 1 to 20 %"),
    Row(
      name: "permission", meaning: "people who allow notifications at first", place: { \.permission },
      limits: 0...1_000_000, range: 430_000...850_000, evidence: .instrumented,
      source: "Batch 2025; Urban Airship 2015"),
  ]

  static var assumptions: [Assumption] {
    rows.map { row in
      Assumption(
        name: row.name, meaning: row.meaning, standard: WorkloadTraits()[keyPath: row.place()],
        range: row.range, evidence: row.evidence, source: row.source)
    }
  }

  /// The values in the order of ``assumptions``.
  var values: [Int64] { Self.rows.map { self[keyPath: $0.place()] } }

  fileprivate static func read(_ fields: Fields<WorkloadTraits>) -> WorkloadTraits {
    var traits = WorkloadTraits()
    for row in rows {
      let place = row.place()
      let value = fields.optional(
        row.name, .scalar(.share(row.limits)), row.meaning, from: { $0[keyPath: place] })
      if let value { traits[keyPath: place] = value }
    }
    return traits
  }
}

extension Format<WorkloadTraits> {
  /// Assumptions about people. Missing keys keep their defaults.
  static var traits: Format {
    .object("Assumptions about people; missing keys keep their defaults") { WorkloadTraits.read($0) }
  }
}
