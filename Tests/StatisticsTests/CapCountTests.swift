import CivilTime
import NotificationGateway
import TestSupport
import Testing
import TriggerModel

@testable import Statistics

/// Compares counts of deliveries under caps with those of a simpler recount over all earlier deliveries.
@Suite struct CapCountTests {
  private static let types = ["a", "b", "c"]
  private static let caps: [Reason] = [
    .dailyCap, .typeDailyCap, .typeWeeklyCap, .criticalDailyCap, .typeMonthlyCap, .typeRollingCap, .weeklyCap,
    .monthlyCap, .rollingCap,
  ]
  private static let sunday = CivilDate(year: 2026, month: 3, day: 1)

  private static func policy(_ draws: inout SplitMix64) -> CapPolicy {
    var policy = CapPolicy()
    let cap = { (draws: inout SplitMix64) in [nil, 0, 1, 2, 3, 5][draws.below(6)] }
    policy.dailyCap = cap(&draws)
    policy.criticalDailyCap = cap(&draws)
    policy.typeDailyCap = cap(&draws)
    policy.weekStart = draws.below(2) == 0 ? .monday : .sunday
    if draws.below(2) == 0 { policy.typeDailyCaps = ["b": 2] }
    if draws.below(3) > 0 { policy.typeWeeklyCaps = ["a": 3, "c": draws.below(5)] }
    policy[.monthly] = ["a": 4, "b": CapLimit(draws.below(4))]
    policy[.rolling] = ["a": CapLimit(draws.below(4), in: 3), "c": CapLimit(2, in: 2 + draws.below(6))]
    policy[ofBucket: .weekly] = CapLimit(draws.below(8))
    policy[ofBucket: .monthly] = CapLimit(draws.below(12))
    policy[ofBucket: .rolling] = CapLimit(draws.below(8), in: 2 + draws.below(8))
    return policy
  }

  private static func deliveries(_ draws: inout SplitMix64) -> [CountedDelivery] {
    (0..<draws.below(40)).map { index in
      CountedDelivery(
        type: TypeID(draws.below(types.count)),
        bucket: [.standard, .standard, .critical, .user][draws.below(4)],
        day: sunday - 6 + draws.below(12), device: UInt8(draws.below(2)),
        wall: Instant(millisecondsSince1970: Int64(index)), settled: Instant(millisecondsSince1970: 100))
    }
  }

  /// Returns the limit of a cap for a delivery, or `nil` if the cap does not count it.
  private static func limit(_ cap: Reason, _ policy: CapPolicy, _ delivery: CountedDelivery) -> Int? {
    let name = types[delivery.type.index]
    guard delivery.bucket == (cap == .criticalDailyCap ? .critical : .standard) else { return nil }
    switch cap {
    case .dailyCap: return policy.dailyCap
    case .criticalDailyCap: return policy.criticalDailyCap
    case .typeDailyCap: return policy.typeDailyCaps[name] ?? policy.typeDailyCap
    case .typeMonthlyCap: return policy[.monthly][name]?.count
    case .typeRollingCap: return policy[.rolling][name]?.count
    case .weeklyCap: return policy[ofBucket: .weekly]?.count
    case .monthlyCap: return policy[ofBucket: .monthly]?.count
    case .rollingCap: return policy[ofBucket: .rolling]?.count
    default: return policy.typeWeeklyCaps[name]
    }
  }

  private static func countTogether(
    _ a: CountedDelivery, _ b: CountedDelivery, _ cap: Reason, _ policy: CapPolicy
  )
    -> Bool
  {
    guard a.bucket == b.bucket else { return false }
    switch cap {
    case .dailyCap, .criticalDailyCap: return a.day == b.day
    case .typeDailyCap: return a.type == b.type && a.day == b.day
    case .monthlyCap: return a.day.month == b.day.month
    case .typeMonthlyCap: return a.type == b.type && a.day.month == b.day.month
    case .weeklyCap, .typeWeeklyCap:
      // The number of whole weeks since the first day of a week before all deliveries.
      let weeks = [a.day, b.day].map { ($0 - (sunday - (policy.weekStart == .sunday ? 7 : 6))) / 7 }
      return (cap == .weeklyCap || a.type == b.type) && weeks[0] == weeks[1]
    default: return cap == .rollingCap || a.type == b.type
    }
  }

  /// Returns the earlier deliveries that count with one in the first sequence of days, or the only period, that
  /// uses up the cap. Without one, returns the most that count with it.
  private static func earlier(
    than index: Int, _ deliveries: [CountedDelivery], _ cap: Reason, _ policy: CapPolicy
  ) -> [Int] {
    let one = deliveries[index]
    let before = deliveries.indices.prefix(index).filter { countTogether(deliveries[$0], one, cap, policy) }
    let name = types[one.type.index]
    guard cap == .rollingCap || cap == .typeRollingCap else { return before }
    guard let limit = cap == .rollingCap ? policy[ofBucket: .rolling] : policy[.rolling][name] else {
      return []
    }
    let sequences = (0..<limit.days).map { offset in
      before.filter { (0..<limit.days).contains(one.day + offset - deliveries[$0].day) }
    }
    return sequences.first { $0.count >= limit.count } ?? sequences.max { $0.count < $1.count } ?? []
  }

  /// Returns the number of deliveries in the period of a delivery, or in the sequence of days that ends with it.
  private static func most(
    _ index: Int, _ deliveries: [CountedDelivery], _ cap: Reason, _ policy: CapPolicy
  ) -> Int {
    let one = deliveries[index]
    let together = deliveries.indices.filter {
      deliveries[$0].bucket == one.bucket && countTogether(deliveries[$0], one, cap, policy)
    }
    guard cap == .rollingCap || cap == .typeRollingCap else { return together.count }
    let limit = cap == .rollingCap ? policy[ofBucket: .rolling] : policy[.rolling][types[one.type.index]]
    let days = limit?.days ?? 0
    return together.count { (0..<days).contains(one.day - deliveries[$0].day) }
  }

  @Test func `rows and deliveries beyond a cap equal those of a recount`() {
    var (beyondSeen, untoldSeen) = (Set<Reason>(), 0)
    for round in 0..<400 {
      var draws = SplitMix64(seed: UInt64(round))
      let policy = Self.policy(&draws)
      let deliveries = Self.deliveries(&draws)
      let counts = CapCounts(policy, types: Self.types, deliveries)
      // The other device is notified of every second delivery. For a third of these, the notice is too late.
      var notices: [DeliveryNotice: Instant] = [:]
      for (index, one) in deliveries.enumerated() where index % 2 == 0 {
        let notice = DeliveryNotice(
          device: 1 - one.device, by: one.device, shown: one.wall, type: one.type, bucket: one.bucket)
        notices[notice] = Instant(millisecondsSince1970: index % 3 == 0 ? 101 : 100)
      }
      var beyond: [Int: CapCounts.Beyond] = [:]
      for (cap, row) in zip(Self.caps, counts.rows) {
        var (most, over) = (0, 0)
        for (index, one) in deliveries.enumerated()
        where one.bucket == (cap == .criticalDailyCap ? .critical : .standard) {
          let before = Self.earlier(than: index, deliveries, cap, policy)
          if cap != .typeRollingCap || policy[.rolling][Self.types[one.type.index]] != nil {
            most = max(most, Self.most(index, deliveries, cap, policy))
          }
          guard let limit = Self.limit(cap, policy, one), before.count >= limit else { continue }
          over += 1
          let untold = before.count { deliveries[$0].device != one.device && ($0 % 2 != 0 || $0 % 3 == 0) }
          if beyond[index] == nil {
            beyond[index] = CapCounts.Beyond(delivery: index, cap: cap, limit: limit, untold: untold)
            untoldSeen += untold
            beyondSeen.insert(cap)
          }
        }
        // A cap on the total has a limit even without deliveries.
        var limits = deliveries.compactMap { Self.limit(cap, policy, $0) }
        if cap == .dailyCap { limits += [policy.dailyCap].compactMap(\.self) }
        if cap == .criticalDailyCap { limits += [policy.criticalDailyCap].compactMap(\.self) }
        for kind in TypeCap.ofBuckets where kind.ofBucket?.reason == cap {
          limits += [policy[ofBucket: kind]?.count].compactMap(\.self)
        }
        let expected = CapCounts.Row(cap: cap, limit: limits.max(), most: most, over: over)
        #expect(row == expected, "round \(round)")
      }
      #expect(counts.rows.count == Self.caps.count)
      #expect(
        counts.beyond(notices: notices) == beyond.values.sorted { $0.delivery < $1.delivery },
        "round \(round)")
    }
    #expect(beyondSeen == Set(Self.caps) && untoldSeen > 100)
  }
}
