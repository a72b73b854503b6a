import CivilTime
package import NotificationGateway
package import PersonModel
package import TriggerModel

/// A population workload under a policy, which all workers share.
package struct PopulationRun: Sendable {
  package let workload: PopulationWorkload
  package let seed: UInt64
  package let days: Int
  /// The time after an exposure within which a tap is counted.
  ///
  /// Only ``WorkloadArm/run(_:into:)`` applies it. The workload's own counters include every tap, because a
  /// tap is drawn together with its exposure.
  package let followUp: TimeSpan
  package let policy: CapPolicy
  /// The policy, compiled once for all people.
  let compiled: CompiledCapPolicy
  let zones: ZoneTable

  /// Returns the types of a workload: the standard types, followed by the critical type.
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

  /// - Throws: ``NotificationGateway/CapPolicyError`` if the policy does not fit the workload's types.
  package init(
    _ workload: PopulationWorkload, policy: CapPolicy, seed: UInt64, days: Int,
    followUp: TimeSpan = ObservationPeriod.defaultFollowUp
  ) throws(CapPolicyError) {
    self.workload = workload
    self.seed = seed
    self.days = days
    self.followUp = followUp
    self.policy = policy
    compiled = try CompiledCapPolicy(policy, types: Self.types(of: workload))
    var zones = ZoneTable()
    // Use names that every version of the time-zone data contains. Their sign is inverted, because they state
    // the hours behind UTC.
    for hours in workload.offsetHours {
      let name = hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(hours.magnitude)"
      guard (try? zones.intern(name)) != nil else { preconditionFailure("there is no zone \(name)") }
    }
    self.zones = zones
  }

  /// Creates a run with the caps of POPCAP-1, except for the given minimum interval in seconds and daily cap.
  package init(
    _ workload: PopulationWorkload = .popcap1, minimumInterval: Int64 = 14_400, dailyCap: Int = 3,
    seed: UInt64, days: Int
  ) throws(CapPolicyError) {
    var policy = Self.policy
    policy.minimumInterval = .seconds(minimumInterval)
    policy.dailyCap = dailyCap
    try self.init(workload, policy: policy, seed: seed, days: days)
  }

  /// Returns an arm for one worker.
  package var arm: WorkloadArm { WorkloadArm(self) }
}
