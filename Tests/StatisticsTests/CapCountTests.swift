import CivilTime
import NotificationGateway
import TestSupport
import Testing
import TriggerModel

@testable import Statistics

/// Compares counts of deliveries under caps with those of a simpler recount over all earlier deliveries.
@Suite struct CapCountTests {
  private static let types = ["a", "b", "c"]
  private static let caps: [Reason] = [.dailyCap, .typeDailyCap, .typeWeeklyCap, .criticalDailyCap]
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
    return policy
  }

  private static func deliveries(_ draws: inout SplitMix64) -> [CountedDelivery] {
    (0..<draws.below(40)).map { index in
      CountedDelivery(
        type: TypeID(draws.below(types.count)),
        bucket: [.standard, .standard, .critical, .user][draws.below(4)],
        day: sunday + draws.below(12), device: UInt8(draws.below(2)),
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
    default:
      // The number of whole weeks since the week of the first day.
      let weeks = [a.day, b.day].map { ($0 - (sunday - (policy.weekStart == .sunday ? 0 : 6))) / 7 }
      return a.type == b.type && weeks[0] == weeks[1]
    }
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
          let before = deliveries.indices.prefix(index).filter {
            Self.countTogether(deliveries[$0], one, cap, policy)
          }
          most = max(most, before.count + 1)
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
