import CivilTime
package import NotificationGateway
package import PersonModel
package import TriggerModel

/// A population workload under a policy: what one person after the other is played with, shared by all workers.
package struct PopulationRun: Sendable {
  package let workload: PopulationWorkload
  package let seed: UInt64
  package let days: Int
  /// How long after it was shown a tap counts. Only in ``WorkloadArm/run(_:into:)``: the workload's own counters take
  /// every tap, which the workload draws with what is shown, so that none is cut off at the end.
  package let followUp: TimeSpan
  package let policy: CapPolicy
  /// For everybody.
  let compiled: CompiledCapPolicy
  let zones: ZoneTable

  /// The types of a workload: the standard ones, and the critical one after them.
  package static func types(of workload: PopulationWorkload) -> [String] {
    (0..<workload.stream.standardTypes).map { "type\($0)" } + ["critical"]
  }

  /// The caps of POPCAP-1.
  package static var policy: CapPolicy {
    var policy = CapPolicy()
    policy.lifetimeCap = ["type0": 3, "type1": 3, "type5": 12]
    policy.checkOrder = [
      .permission, .quietHours, .lifetimeCap, .typeDailyCap, .dailyCap, .minimumInterval, .criticalDailyCap,
    ]
    return policy
  }

  /// - Throws: ``NotificationGateway/CapPolicyError`` where the policy is none for the workload's types.
  package init(
    _ workload: PopulationWorkload, policy: CapPolicy, seed: UInt64, days: Int,
    followUp: TimeSpan = Watch.standardFollowUp
  ) throws(CapPolicyError) {
    self.workload = workload
    self.seed = seed
    self.days = days
    self.followUp = followUp
    self.policy = policy
    compiled = try CompiledCapPolicy(policy, types: Self.types(of: workload))
    var zones = ZoneTable()
    // These names count hours behind UTC, and are in every edition of the time-zone data.
    for hours in workload.offsetHours {
      let name = hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(hours.magnitude)"
      guard (try? zones.intern(name)) != nil else { preconditionFailure("there is no zone \(name)") }
    }
    self.zones = zones
  }

  /// Under the caps of POPCAP-1, but for two numbers: seconds, and notifications a day.
  package init(
    _ workload: PopulationWorkload = .popcap1, minimumInterval: Int64 = 14_400, dailyCap: Int = 3,
    seed: UInt64, days: Int
  ) throws(CapPolicyError) {
    var policy = Self.policy
    policy.minimumInterval = .seconds(minimumInterval)
    policy.dailyCap = dailyCap
    try self.init(workload, policy: policy, seed: seed, days: days)
  }

  /// A worker's own.
  package var arm: WorkloadArm { WorkloadArm(self) }
}
