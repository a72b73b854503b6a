import CivilTime
import TestSupport
import Testing
import TriggerModel

@testable import NotificationGateway

/// Tests that decisions with cached checks equal those without a cache.
@Suite struct CachedCheckTests {
  private static let zones = [
    "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "UTC",
  ]
  private static let types = ["a", "b", "c", "d"]

  /// Two gateways on one phone. One of them discards its cached checks before every request.
  private struct Pair {
    var dice: SplitMix64
    var keeping: NotificationGateway
    var forgetting: NotificationGateway
    var now: Moment
    var last: RequestID?
    var requests = 0
    var kept = 0

    init(_ seed: UInt64) throws {
      dice = SplitMix64(seed: seed)
      var zones = ZoneTable()
      for name in CachedCheckTests.zones { _ = try zones.intern(name) }
      keeping = NotificationGateway(policy: try Self.policy(&dice), zones: zones, permission: .authorized)
      forgetting = keeping
      let start = try Instant(
        iso8601: dice.one(of: [
          "2026-03-28T12:00Z", "2026-10-24T12:00Z", "2026-04-03T20:00Z", "2011-12-29T00:00Z",
        ]))
      now = Moment(
        wall: start, uptime: Uptime(boot: 0, span: .hours(3)), zone: ZoneID(dice.one(of: [0, 1, 2])))
    }

    static func policy(_ dice: inout SplitMix64) throws -> CompiledCapPolicy {
      var policy = CapPolicy()
      policy.minimumInterval = dice.one(of: [.zero, .minutes(20), .hours(4), .hours(30)])
      policy.minimumIntervalScope = dice.one(of: [.standard, .all])
      policy.dailyCap = dice.one(of: [nil, 0, 2, 5])
      policy.typeDailyCap = dice.one(of: [nil, 0, 1, 2])
      policy.quietHours = dice.one(of: [
        nil, DailyWindow(from: 1_320, to: 420), DailyWindow(from: 60, to: 150),
        DailyWindow(from: 150, to: 120),
      ]).map { WeeklyWindows($0) }
      policy.criticalBypassesQuietHours = dice.chance(30)
      policy.counterLag = dice.one(of: [.zero, .zero, .minutes(10)])
      if dice.chance(30) { policy.lapseCap = ["a": 2] }
      if dice.chance(30) { policy.typeWeeklyCaps = ["a": 3, "c": 0] }
      if dice.chance(50) { policy.lifetimeCap = ["b": 3] }
      if dice.chance(50) { policy.checkOrder.shuffle(using: &dice) }
      var other = dice
      if other.chance(40) { policy[.rolling] = ["a": CapLimit(other.below(4), in: 2 + other.below(4))] }
      if other.chance(40) { policy[ofBucket: .monthly] = CapLimit(other.below(9)) }
      if other.chance(40) { policy[ofBucket: .rolling] = CapLimit(other.below(6), in: 2 + other.below(3)) }
      if other.chance(30) { policy.bypassQuietHours = ["a"] }
      if other.chance(40) {
        let edges = [0, 60, 90, 120, 150, 420, 780, 1_320]
        let week = Weekday.allCases.map { _ in
          (0..<other.below(3)).map { _ in DailyWindow(from: other.one(of: edges), to: other.one(of: edges)) }
        }
        policy.quietHours = WeeklyWindows { week[Int($0.rawValue)] }
      }
      return try CompiledCapPolicy(policy, types: CachedCheckTests.types)
    }

    mutating func both(_ body: (inout NotificationGateway) -> Void) {
      body(&keeping)
      body(&forgetting)
      forgetting.memory.cachedChecks = .none
    }

    mutating func pass() {
      let span = dice.one(of: [
        .zero, TimeSpan(milliseconds: 1), .seconds(1), .minutes(1), .minutes(10), .minutes(15), .hours(1),
        .hours(5),
      ])
      now.wall = now.wall + span
      now.uptime.span = now.uptime.span + span
    }

    mutating func request() -> (Decision, Decision) {
      requests += 1
      let isAhead = dice.chance(15)
      let request = NotificationRequest(
        id: RequestID(reminder: ReminderID(0), occurrence: UInt32(requests)),
        type: TypeID(dice.one(of: [0, 1, 2, 3, 9])),
        bucket: dice.one(of: [.standard, .standard, .standard, .critical, .user]), scheduledFor: now.wall,
        deliverAt: isAhead ? now.wall + .minutes(dice.one(of: [1, 30, 500, 2_000])) : now.wall,
        isFloating: dice.chance(50))
      if !isAhead && keeping.memory.cachedChecks.holds(at: now) { kept += 1 }
      forgetting.memory.cachedChecks = .none
      let answers = (keeping.decide(request, at: now), forgetting.decide(request, at: now))
      if answers.0.outcome == .admit { last = request.id }
      return answers
    }

    /// Applies a random event that may change later decisions.
    mutating func applyRandomEvent() throws {
      let moment = now
      func event(_ kind: ObservedEvent.Kind, subject: UInt32 = 0, value: Int64 = 0) -> ObservedEvent {
        ObservedEvent(kind, subject: subject, value: value, at: moment)
      }
      var effects: [EngineEffect] = []
      switch Int.random(in: 0..<10, using: &dice) {
      case 0: now.wall = now.wall + .minutes(dice.one(of: [-200, -10, 10, 200, 2_000]))
      case 1: now.uptime = Uptime(boot: now.uptime.boot + 1, span: .seconds(20))
      case 2: now.zone = ZoneID(Int.random(in: 0..<CachedCheckTests.zones.count, using: &dice))
      case 3:
        let permission = dice.one(of: [NotificationPermission.authorized, .authorized, .denied])
        both { $0.process(event(.permissionChanged, value: Int64(permission.rawValue)), into: &effects) }
      case 4:
        let change = dice.one(of: [
          PreferenceChange.dailyCap(1), .dailyCap(nil), .all(isOn: true), .all(isOn: false),
          .type(TypeID(1), isOn: false), .type(TypeID(1), isOn: true),
        ])
        both { $0.change(change, at: moment, into: &effects) }
      case 5:
        let (isRegistered, type) = (dice.chance(60), TypeID(dice.one(of: [0, 2])))
        both { $0.setRegistered(isRegistered, type) }
      case 6:
        let policy = try Self.policy(&dice)
        both { $0.adopt(policy, at: moment, into: &effects) }
      case 7: both { $0.process(event(.opened), into: &effects) }
      case 8:
        guard let last else { return }
        let kind = dice.one(of: [ObservedEvent.Kind.addFailed, .cancelAll, .delivered])
        both {
          $0.process(
            event(kind, subject: last.reminder.rawValue, value: Int64(last.occurrence)), into: &effects)
        }
      default: if dice.chance(20) { both { $0.process(event(.reinstalled), into: &effects) } }
      }
    }
  }

  @Test func `cached checks never change a decision, whatever events occur`() throws {
    var (requests, kept) = (0, 0)
    for seed in 0..<300 as Range<UInt64> {
      var pair = try Pair(seed)
      for step in 0..<120 {
        pair.pass()
        if pair.dice.chance(8) { try pair.applyRandomEvent() }
        let (answer, expected) = pair.request()
        try #require(answer == expected, "seed \(seed), step \(step)")
      }
      #expect(pair.keeping.state == pair.forgetting.state, "seed \(seed)")
      requests += pair.requests
      kept += pair.kept
    }
    // Ensure that the cache is used often.
    #expect(kept > requests / 4, "\(kept) of \(requests)")
  }

  /// Returns the fields of the gateway's memory, except the cursor, which the first event sets.
  private static func memory(of gateway: NotificationGateway) -> [String] {
    Mirror(reflecting: gateway.memory).children.filter { $0.label != "cursor" }
      .map { "\($0.label ?? ""): \($0.value)" }
  }

  @Test func `a gateway that was reset decides like a fresh installation`() throws {
    var delivered: Set<Bucket> = []
    for seed in 0..<40 as Range<UInt64> {
      var used = try Pair(seed)
      for _ in 0..<60 {
        used.pass()
        if used.dice.chance(20) { try used.applyRandomEvent() }
        _ = used.request()
      }
      delivered.formUnion(Bucket.allCases.filter { used.keeping.memory.lastByClock($0) != nil })
      var fresh = try Pair(seed + 1_000)
      fresh.forgetting = NotificationGateway(
        policy: used.keeping.policy, zones: used.keeping.zones, permission: .authorized)
      fresh.keeping = used.keeping
      fresh.keeping.reset(permission: .authorized)
      #expect(fresh.keeping.state == fresh.forgetting.state, "seed \(seed)")
      #expect(Self.memory(of: fresh.keeping) == Self.memory(of: fresh.forgetting), "seed \(seed)")
      for _ in 0..<60 {
        fresh.pass()
        let (answer, expected) = fresh.request()
        #expect(answer == expected, "seed \(seed)")
      }
      #expect(fresh.keeping.state == fresh.forgetting.state, "seed \(seed)")
    }
    #expect(delivered == [.standard, .critical])
  }

  /// Compares the table with a linear search through the check order.
  @Test func `the table finds the first check in the check order`() throws {
    var dice = SplitMix64(seed: 7)
    for _ in 0..<50 {
      var order = CapPolicy.standingChecks + CapPolicy.defaultCheckOrder
      order.shuffle(using: &dice)
      let firstChecks = FirstChecks(order)
      for _ in 0..<200 {
        let set = order.filter { _ in dice.chance(30) }
        guard !set.isEmpty else { continue }
        let place = firstChecks.place(of: ReasonSet(set.map { ReasonSet($0) }))
        #expect(place == order.firstIndex(where: set.contains))
      }
    }
  }
}
