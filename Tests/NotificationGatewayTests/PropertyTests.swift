import CivilTime
import NotificationGateway
import TestSupport
import Testing
import TriggerModel

/// Properties that every run must have.
@Suite struct PropertyTests {
  /// A request that is independent of a phone, so that several phones can make it.
  struct Wish {
    var at: Instant
    var type: Int
    var bucket: Bucket
    var delay: TimeSpan
  }

  static func wishes(
    _ seed: UInt64, count: Int = 60, types: Int = 5, buckets: [Bucket] = [.standard], delays: Bool = false
  ) throws -> [Wish] {
    var dice = SplitMix64(seed: seed)
    // The requests start near Berlin's transition to summer time.
    var at = try Instant(iso8601: "2026-03-27T00:00Z") + .minutes(Int64.random(in: 0..<1_440, using: &dice))
    return (0..<count).map { _ in
      at = at + .minutes(dice.one(of: [0, 1, 30, 60, 90, 240, 300]))
      return Wish(
        at: at, type: Int.random(in: 0..<types, using: &dice), bucket: dice.one(of: buckets),
        delay: delays && dice.chance(30) ? .minutes(Int64.random(in: 1...3_000, using: &dice)) : .zero)
    }
  }

  /// The gateway's effects for requests grouped by instant.
  struct Run {
    var phone: TestPhone
    var effects: [EngineEffect] = []
    var requests = 0

    /// The requests that were added and not removed.
    var deliveries: [NotificationRequest] {
      let removed = Set(effects.removed)
      return effects.added.filter { !removed.contains($0.id) }
    }
  }

  static func run(
    _ wishes: [Wish], _ policy: CapPolicy, permute: (inout [NotificationRequest]) -> Void = { _ in },
    between: (inout TestPhone) throws -> Void = { _ in }
  ) throws -> Run {
    var run = Run(phone: try TestPhone(policy, at: "2026-03-26T00:00Z"))
    var index = 0
    while index < wishes.count {
      let at = wishes[index].at
      // The app is woken when deferred requests are released.
      while let release = run.phone.gateway.nextRelease, release < at {
        run.phone.pass(release - run.phone.now.wall)
        run.effects += run.phone.settle()
        try between(&run.phone)
      }
      run.phone.pass(at - run.phone.now.wall)
      var requests: [NotificationRequest] = []
      while index < wishes.count && wishes[index].at == at {
        let wish = wishes[index]
        requests.append(
          try run.phone.request(TestPhone.types[wish.type], wish.bucket, deliverAt: at + wish.delay))
        index += 1
      }
      permute(&requests)
      run.requests += requests.count
      run.effects += run.phone.settle(requests)
      try between(&run.phone)
    }
    return run
  }

  @Test func `deliveries respect the caps of every day, quiet hours and the interval`() throws {
    let zone = try ReferenceZone("Europe/Berlin")
    for seed in 0..<300 as Range<UInt64> {
      let wishes = try Self.wishes(seed, buckets: Bucket.allCases, delays: true)
      let deliveries = try Self.run(wishes, CapPolicy()).deliveries
      let night = WeeklyWindows(DailyWindow(from: 22 * 60, to: 7 * 60))
      for delivery in deliveries {
        #expect(zone.end(of: night, holding: delivery.deliverAt) == nil, "seed \(seed)")
      }
      let standard = deliveries.filter { $0.bucket == .standard }.sorted { $0.deliverAt < $1.deliverAt }
      for (earlier, later) in zip(standard, standard.dropFirst()) {
        #expect(later.deliverAt - earlier.deliverAt >= .hours(4), "seed \(seed)")
      }
      for day in Dictionary(grouping: standard, by: { zone.day($0.deliverAt) }).values {
        #expect(day.count <= 3, "seed \(seed)")
        #expect(Set(day.map(\.type)).count == day.count, "seed \(seed)")
      }
      let critical = deliveries.filter { $0.bucket == .critical }
      #expect(Set(critical.map { zone.day($0.deliverAt) }).count == critical.count, "seed \(seed)")
    }
  }

  @Test func `case 85: every request ends as admitted, denied, dropped or still deferred`() throws {
    var policy = CapPolicy()
    policy.quietAction = [.standard: .defer, .critical: .defer, .user: .defer]
    var held = 0
    for seed in 0..<300 as Range<UInt64> {
      let run = try Self.run(
        try Self.wishes(seed, buckets: Bucket.allCases, delays: true), policy,
        between: { if seed % 7 == 0 { $0.happen(.cancel) } })
      let final = run.effects.decisions.filter { $0.outcome != .defer }.count
      let drops = run.effects.drops.count
      held += run.phone.gateway.state.deferred.count
      if seed % 7 != 0 {
        #expect(run.requests == final + drops + run.phone.gateway.state.deferred.count, "seed \(seed)")
      }
      #expect(run.effects.decisions.filter { $0.outcome == .admit }.count == run.effects.added.count)
    }
    #expect(held > 0)
  }

  @Test func `case 36: the order of submission within an instant makes no difference`() throws {
    var policy = CapPolicy()
    policy.quietAction[.standard] = .defer
    for seed in 0..<200 as Range<UInt64> {
      let wishes = try Self.wishes(seed, buckets: Bucket.allCases, delays: true)
      var dice = SplitMix64(seed: seed)
      let once = try Self.run(wishes, policy)
      let again = try Self.run(wishes, policy, permute: { $0.shuffle(using: &dice) })
      #expect(once.effects == again.effects, "seed \(seed)")
      #expect(once.phone.gateway.state == again.phone.gateway.state, "seed \(seed)")
    }
  }

  @Test func `a higher daily cap only adds deliveries`() throws {
    var gained = 0
    for seed in 0..<300 as Range<UInt64> {
      let wishes = try Self.wishes(seed)
      var policy = CapPolicy()
      policy.minimumInterval = .hours(3)
      let before = Set(try Self.run(wishes, policy).deliveries)
      policy.dailyCap = 4
      let after = Set(try Self.run(wishes, policy).deliveries)
      #expect(before.isSubset(of: after), "seed \(seed)")
      gained += after.count - before.count
    }
    #expect(gained > 0)
  }

  @Test func `a shorter interval never reduces the deliveries of a single type`() throws {
    for seed in 0..<300 as Range<UInt64> {
      let wishes = try Self.wishes(seed, types: 1)
      var policy = CapPolicy()
      policy.typeDailyCap = nil
      var counts: [Int] = []
      for hours in [5, 4, 3, 2, 1] as [Int64] {
        policy.minimumInterval = .hours(hours)
        counts.append(try Self.run(wishes, policy).deliveries.count)
      }
      #expect(counts == counts.sorted(), "seed \(seed)")
    }
  }

  @Test func `a shift by whole weeks in a zone without transitions changes no decision`() throws {
    for seed in 0..<300 as Range<UInt64> {
      var script = try CapScript.random(seed)
      script.zone = "Asia/Kathmandu"
      script.steps.removeAll { if case .zone = $0.action { true } else { false } }
      var shifted = script
      let shift = TimeSpan.days(7 * Int64(1 + seed % 50))
      for index in shifted.steps.indices {
        shifted.steps[index].at = shifted.steps[index].at + shift
        if case .request(let type, let bucket, let id, let deliverAt) = shifted.steps[index].action {
          shifted.steps[index].action = .request(
            type: type, bucket: bucket, id: id, deliverAt: deliverAt + shift)
        }
      }
      var expected = try script.played()
      for index in expected.indices { expected[index].until = expected[index].until.map { $0 + shift } }
      #expect(try shifted.played() == expected, "seed \(seed)")
    }
  }

  @Test func `a restarted gateway and a copy continue exactly as the original`() throws {
    for seed in 0..<200 as Range<UInt64> {
      let wishes = try Self.wishes(seed, buckets: Bucket.allCases, delays: true)
      let once = try Self.run(wishes, CapPolicy())
      let restarted = try Self.run(wishes, CapPolicy(), between: { try $0.restart() })
      #expect(once.phone.stored == restarted.phone.stored, "seed \(seed)")
      #expect(once.effects.decisions == restarted.effects.decisions, "seed \(seed)")
      // Running the copy does not affect the original.
      let copied = try Self.run(
        wishes, CapPolicy(),
        between: {
          var copy = $0
          copy.happen(.cancelAll)
          copy.happen(.reinstalled)
          _ = copy.settle()
        })
      #expect(once.effects == copied.effects, "seed \(seed)")
    }
  }

  @Test func `cancelling everything releases all counts`() throws {
    for seed in 0..<200 as Range<UInt64> {
      var phone = try TestPhone(at: "2026-01-10T10:00:00Z")
      let fresh = phone.gateway.state
      for wish in try Self.wishes(seed, count: 30, buckets: Bucket.allCases) {
        let deliverAt = phone.now.wall + .minutes(1) + (wish.at - (try Instant(iso8601: "2026-03-27T00:00Z")))
        _ = phone.settle([
          try phone.request(TestPhone.types[wish.type], wish.bucket, deliverAt: deliverAt)
        ])
      }
      #expect(!phone.gateway.state.pending.isEmpty)
      phone.happen(.cancelAll)
      #expect(phone.gateway.state.pending.isEmpty && phone.gateway.state.deferred.isEmpty)
      #expect(phone.gateway.state.types == fresh.types, "seed \(seed)")
      let spent = phone.gateway.state
      phone.happen(.reinstalled)
      #expect(phone.gateway.state == spent, "seed \(seed): nothing was left to forget")
    }
  }
}
