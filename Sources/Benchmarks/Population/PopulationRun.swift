import CivilTime
import NotificationGateway
package import PersonModel
import SimulationKernel
import TriggerModel

/// A population workload through the product's own cap scheduler: one gateway after the other, in the same
/// memory.
package struct PopulationRun: Sendable {
  package var workload: PopulationWorkload
  package var seed: UInt64
  package var days: Int
  /// For everybody.
  private let policy: CompiledCapPolicy
  /// The two numbers of the policy that an experiment changes: seconds, and notifications a day.
  package let policyNumbers: (minimumInterval: Int64, dailyCap: Int)
  private let zones: ZoneTable

  /// The types of the workload: the standard ones, and the critical one after them.
  private static func types(of workload: PopulationWorkload) -> [String] {
    (0..<workload.stream.standardTypes).map { "type\($0)" } + ["critical"]
  }

  /// The caps of POPCAP-1, where nothing else is asked for with 4 hours and 3 a day.
  private static func policy(minimumInterval: Int64, dailyCap: Int) -> CapPolicy {
    var policy = CapPolicy()
    policy.minimumInterval = .seconds(minimumInterval)
    policy.dailyCap = dailyCap
    policy.lifetimeCap = ["type0": 3, "type1": 3, "type5": 12]
    policy.checkOrder = [
      .permission, .quietHours, .lifetimeCap, .typeDailyCap, .dailyCap, .minimumInterval, .criticalDailyCap,
    ]
    return policy
  }

  package init(
    _ workload: PopulationWorkload = .popcap1, minimumInterval: Int64 = 14_400, dailyCap: Int = 3,
    seed: UInt64, days: Int
  ) throws {
    self.workload = workload
    self.seed = seed
    self.days = days
    policyNumbers = (minimumInterval, dailyCap)
    policy = try CompiledCapPolicy(
      Self.policy(minimumInterval: minimumInterval, dailyCap: dailyCap), types: Self.types(of: workload))
    var zones = ZoneTable()
    // These names count hours behind UTC.
    for hours in workload.offsetHours {
      _ = try zones.intern(hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(hours.magnitude)")
    }
    self.zones = zones
  }

  /// A scheduler to be used for one person after the other.
  func gateway() -> NotificationGateway {
    NotificationGateway(policy: policy, zones: zones, permission: .authorized)
  }

  /// What one person after the other is counted with, in the same memory.
  struct Bench {
    var gateway: NotificationGateway
    var block = CandidateBlock()
    var effects: [EngineEffect] = []
    var counts = PopulationCounts()
  }

  func bench() -> Bench {
    var bench = Bench(gateway: NotificationGateway(policy: policy, zones: zones, permission: .authorized))
    bench.effects.reserveCapacity(8)
    return bench
  }

  /// Adds what happens to some people.
  ///
  /// - Complexity: O(n) in people and days; allocates nothing once the gateway's tables have grown
  func count(_ people: Range<UInt64>, on bench: inout Bench) {
    for number in people { count(number, on: &bench) }
  }

  private func count(_ number: UInt64, on bench: inout Bench) {
    var person = workload.person(number, seed: seed, days: days)
    let zone = ZoneID(person.offsetHours - workload.offsetHours.lowerBound)
    bench.gateway.reset(permission: person.allowsNotifications ? .authorized : .denied)
    var request = Self.request
    var (candidates, fired, tapped) = (0, UInt64(0), UInt64(0))
    while person.next(into: &bench.block) {
      candidates &+= bench.block.count
      for index in 0..<bench.block.count {
        let candidate = bench.block[index]
        let span = TimeSpan.seconds(candidate.seconds)
        let now = Moment(wall: Self.start + span, uptime: Uptime(boot: 0, span: span), zone: zone)
        request.id.occurrence = candidate.event
        request.type = TypeID(UInt32(candidate.type))
        request.bucket = candidate.isCritical ? .critical : .standard
        request.scheduledFor = now.wall
        request.deliverAt = now.wall
        let decision = bench.gateway.decide(request, at: now)
        if let reason = decision.reason {
          bench.counts.values[PopulationCounts.denied + Self.index(of: reason)] &+= 1
          continue
        }
        let response = person.respond(to: candidate)
        bench.counts.add(candidate, response, of: number)
        fired &+= 1
        if response.latency != nil { tapped &+= 1 }
        if response.optsOut { bench.deny(at: now) }
      }
    }
    bench.counts.close(
      events: person.eventCount, candidates: UInt64(candidates), fired: fired, tapped: tapped)
  }

  /// A midnight in UTC: 2026-01-05.
  private static let start = Instant(millisecondsSince1970: 1_767_571_200_000)

  private static let request = NotificationRequest(
    id: RequestID(reminder: ReminderID(0), occurrence: 0), type: TypeID(0), bucket: .standard,
    scheduledFor: start, deliverAt: start)

  /// The place of a reason among the counts of what was denied.
  @inline(__always)
  private static func index(of reason: Reason) -> Int {
    switch reason {
    case .permission: 0
    case .quietHours: 1
    case .lifetimeCap: 2
    case .typeDailyCap: 3
    case .dailyCap: 4
    case .minimumInterval: 5
    case .criticalDailyCap: 6
    default: preconditionFailure("the workload's policy makes no such check: \(reason)")
    }
  }
}

extension PopulationRun.Bench {
  /// The person has turned notifications off: counts from the next candidate on.
  fileprivate mutating func deny(at now: Moment) {
    effects.removeAll(keepingCapacity: true)
    let denied = Int64(NotificationPermission.denied.rawValue)
    gateway.process(ObservedEvent(.permissionChanged, value: denied, at: now), into: &effects)
  }
}

extension PopulationCounts {
  /// Counts what was shown, and what came of it.
  fileprivate mutating func add(
    _ candidate: Candidate, _ response: WorkloadPerson.Response, of person: UInt64
  ) {
    let type = Int(candidate.type)
    values[Self.fired + type] &+= 1
    values[Self.hoursFired + response.hour] &+= 1
    if let latency = response.latency {
      values[Self.taps + type] &+= 1
      values[Self.hoursTapped + response.hour] &+= 1
      values[Self.latencySum] &+= latency
      values[Self.latencies + 63 - latency.leadingZeroBitCount] &+= 1
    } else if response.optsOut {
      values[Self.optOuts] &+= 1
    }
    let time = UInt64(truncatingIfNeeded: candidate.seconds) << 4
    let what = person << 32 ^ time ^ UInt64(type) << 1 ^ (response.latency == nil ? 0 : 1)
    values[Self.checksum] &+= RandomKey.mix64(what)
  }

  /// Counts a person, with how often anything happened, was shown and was tapped.
  fileprivate mutating func close(events: UInt64, candidates: UInt64, fired: UInt64, tapped: UInt64) {
    values[Self.events] &+= events
    values[Self.candidates] &+= candidates
    values[Self.people] &+= 1
    if fired > 0 { values[Self.peopleReached] &+= 1 }
    values[Self.firedSquared] &+= fired &* fired
    values[Self.tapsSquared] &+= tapped &* tapped
    values[Self.firedByTaps] &+= fired &* tapped
  }
}
