import CivilTime
import NotificationGateway
import TestSupport
import TriggerModel

/// The events of one phone under one policy, as the shared vectors express them.
struct CapScript {
  var policy: CapPolicy
  var zone: String
  var steps: [Step]

  struct Step {
    var at: Instant
    var action: Action
  }

  enum Action {
    case request(type: String, bucket: Bucket, id: String?, deliverAt: Instant)
    case zone(String)
    case permission(Bool)
    case failNext
    case cancel(String)
    case cancelAll
    case open
    case reinstall
    case respond
    /// The process ends, and another one continues from the stored state.
    case restart
  }

  /// A decision with its blockers in check order.
  struct Outcome: Equatable {
    var decision: Decision.Outcome
    var reason: Reason?
    var until: Instant?
    var alsoBlockedBy: [Reason] = []
  }

  /// The policy with which the vectors begin.
  static let vectorPolicy: CapPolicy = {
    var policy = CapPolicy()
    policy.quietAction = [:]
    policy.criticalPreempts = false
    return policy
  }()

  /// Returns the gateway's decision for each request.
  func played() throws -> [Outcome] {
    let capped = TypeCap.allCases.map { policy[$0] }
    var types = Array(Set(capped.flatMap(\.keys) + policy.keptThroughReinstall + policy.bypassQuietHours))
      .sorted()
    var names: [String] = []
    for case .request(let type, _, let id, _) in steps.map(\.action) {
      if !types.contains(type) { types.append(type) }
      if let id, !names.contains(id) { names.append(id) }
    }
    var zones = ZoneTable()
    var zone = try zones.intern(self.zone)
    for case .zone(let name) in steps.map(\.action) { _ = try zones.intern(name) }
    let compiled = try CompiledCapPolicy(policy, types: types)
    var gateway = NotificationGateway(policy: compiled, zones: zones, permission: .authorized)
    var effects: [EngineEffect] = []
    var outcomes: [Outcome] = []
    var failsNext = false
    for (index, step) in steps.enumerated() {
      if case .zone(let name) = step.action { zone = try zones.intern(name) }
      let now = Moment(wall: step.at, uptime: Uptime(boot: 0, span: step.at - steps[0].at), zone: zone)
      func event(_ kind: ObservedEvent.Kind, subject: Int = 0, value: Int64 = 0) {
        gateway.process(ObservedEvent(kind, subject: UInt32(subject), value: value, at: now), into: &effects)
      }
      switch step.action {
      case .request(let type, let bucket, let name, let deliverAt):
        let reminder = name.flatMap(names.firstIndex(of:)).map { $0 + 1 } ?? 0
        let id = RequestID(reminder: ReminderID(reminder), occurrence: UInt32(index))
        var decision = gateway.decide(
          NotificationRequest(
            id: id, type: TypeID(types.firstIndex(of: type) ?? 0), bucket: bucket, scheduledFor: deliverAt,
            deliverAt: deliverAt), at: now)
        if decision.outcome == .admit, failsNext {
          failsNext = false
          event(.addFailed, subject: reminder, value: Int64(index))
          decision = .addFailed
        }
        outcomes.append(
          Outcome(
            decision: decision.outcome, reason: decision.reason, until: decision.until,
            alsoBlockedBy: compiled.ordered(decision.blockers).filter { $0 != decision.reason }))
      case .zone: event(.zoneChanged)
      case .permission(let granted):
        event(
          .permissionChanged,
          value: Int64((granted ? NotificationPermission.authorized : .denied).rawValue))
      case .failNext: failsNext = true
      case .cancel(let name):
        if let index = names.firstIndex(of: name) { event(.cancel, subject: index + 1) }
      case .cancelAll: event(.cancelAll)
      case .open: event(.opened)
      case .reinstall: event(.reinstalled)
      case .respond: event(.tapped)
      case .restart:
        let stored = StoreNames(reminders: ["none"] + names, types: types)
        gateway = try NotificationGateway(
          policy: compiled, stored: gateway.storedState(names: stored), names: stored, zones: zones,
          permission: gateway.permission, at: now)
      }
    }
    return outcomes
  }
}

extension CapScript {
  private static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Cairo",
    "Asia/Kathmandu", "America/Santiago", "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago",
  ]

  /// Start times shortly before an offset transition of one of the zones.
  private static let starts = [
    "2026-03-07T12:00Z", "2026-03-28T06:00Z", "2026-10-24T12:00Z", "2026-10-31T12:00Z",
    "2026-04-23T12:00Z", "2026-09-05T12:00Z", "2011-12-29T00:00Z", "2026-04-03T12:00Z",
    "2026-06-15T00:00Z", "2026-12-31T00:00Z",
  ]

  /// Returns a random script that uses all actions of the vectors, at offset transitions of unusual zones.
  static func random(_ seed: UInt64) throws -> CapScript {
    var dice = SplitMix64(seed: seed)
    var at = try Instant(iso8601: dice.one(of: starts))
    at = at + .minutes(Int64.random(in: 0..<2_880, using: &dice))
    var steps: [Step] = []
    for _ in 0..<Int.random(in: 4...24, using: &dice) {
      at = at + step(&dice)
      steps.append(Step(at: at, action: action(at, &dice)))
    }
    return CapScript(policy: policy(&dice), zone: dice.one(of: zones), steps: steps)
  }

  private static func step(_ dice: inout SplitMix64) -> TimeSpan {
    switch Int.random(in: 0..<7, using: &dice) {
    case 0: .zero
    case 1: TimeSpan(milliseconds: 1)
    case 2: .hours(Int64.random(in: 1...5, using: &dice))
    case 3: .minutes(Int64.random(in: 1...60, using: &dice))
    case 4: TimeSpan(milliseconds: Int64.random(in: 0..<18_000_000, using: &dice))
    case 5: .hours(Int64.random(in: 20...60, using: &dice))
    default: .minutes(Int64.random(in: 1...900, using: &dice))
    }
  }

  private static func action(_ at: Instant, _ dice: inout SplitMix64) -> Action {
    switch Int.random(in: 0..<100, using: &dice) {
    case 0..<72:
      var deliverAt = at
      if dice.chance(30) {
        deliverAt =
          at
          + (dice.chance(50)
            ? .hours(Int64.random(in: 1...72, using: &dice))
            : .minutes(Int64.random(in: 0...2_000, using: &dice)))
      }
      return .request(
        type: dice.one(of: ["a", "b", "c", "d"]),
        bucket: dice.one(of: [.standard, .standard, .standard, .critical, .user]),
        id: dice.chance(40) ? dice.one(of: ["x", "y", "z"]) : nil, deliverAt: deliverAt)
    case 72..<80: return .zone(dice.one(of: zones))
    case 80..<83: return .permission(dice.chance(60))
    case 83..<86: return .failNext
    case 86..<91: return .cancel(dice.one(of: ["x", "y", "z"]))
    case 91..<93: return .cancelAll
    case 93..<96: return .open
    case 96..<98: return .reinstall
    default: return .respond
    }
  }

  private static func policy(_ dice: inout SplitMix64) -> CapPolicy {
    var policy = vectorPolicy
    if dice.chance(60) {
      policy.quietHours = dice.one(of: [
        nil, DailyWindow(from: 60, to: 60), DailyWindow(from: 0, to: 150), DailyWindow(from: 90, to: 1_410),
        DailyWindow(from: 1_320, to: 0), DailyWindow(from: 780, to: 840), DailyWindow(from: 150, to: 90),
      ]).map { WeeklyWindows($0) }
    }
    if dice.chance(40) {
      for bucket in Bucket.allCases where dice.chance(70) { policy.quietAction[bucket] = .defer }
    }
    policy.criticalBypassesQuietHours = dice.chance(30)
    if dice.chance(50) { policy.dailyCap = dice.one(of: [nil, 0, 1, 2, 5]) }
    if dice.chance(50) { policy.criticalDailyCap = dice.one(of: [nil, 0, 2]) }
    if dice.chance(50) { policy.typeDailyCap = dice.one(of: [nil, 0, 2]) }
    if dice.chance(20) { policy.typeDailyCaps = ["a": dice.one(of: [0, 1, 3])] }
    if dice.chance(40) { policy.lifetimeCap = ["a": dice.one(of: [0, 1, 2]), "b": 3] }
    if dice.chance(40) { policy.lapseCap = ["a": dice.one(of: [1, 2]), "c": 1] }
    if dice.chance(40) { policy.typeWeeklyCaps = ["a": dice.one(of: [0, 1, 2]), "b": 3] }
    policy.weekStart = dice.one(of: Weekday.allCases)
    policy.lifetimeSurvivesReinstall = dice.chance(30)
    if dice.chance(50) { policy.keptThroughReinstall = dice.one(of: [["a"], ["b", "d"]]) }
    if dice.chance(60) {
      policy.minimumInterval = dice.one(of: [.zero, .minutes(30), .hours(1), .hours(30)])
    }
    policy.minimumIntervalScope = dice.chance(30) ? .all : .standard
    if dice.chance(30) {
      policy.checkOrder.shuffle(using: &dice)
      if dice.chance(50) { policy.checkOrder.removeLast() }
    }
    return policy
  }
}

/// Policies with caps by week, month and rolling sequences of days, and with several quiet windows.
extension CapScript {
  /// Returns a random script of several weeks with restarts and journeys over the date line.
  static func ofLongPeriods(_ seed: UInt64) throws -> CapScript {
    var dice = SplitMix64(seed: seed)
    var at = try Instant(iso8601: dice.one(of: starts)) + .minutes(Int64.random(in: 0..<2_880, using: &dice))
    let zones = dice.chance(50) ? self.zones : ["Pacific/Apia", "Pacific/Kiritimati", "Pacific/Pago_Pago"]
    let hours = dice.one(of: [4, 16, 60] as [Int64])
    var steps: [Step] = []
    for _ in 0..<Int.random(in: 10...50, using: &dice) {
      at = at + .minutes(Int64.random(in: 0...hours * 60, using: &dice))
      let chance = Int.random(in: 0..<100, using: &dice)
      let action: Action =
        switch chance {
        case 0..<10: .restart
        case 10..<20: .zone(dice.one(of: zones))
        case 20..<24: .cancel(dice.one(of: ["x", "y", "z"]))
        case 24..<26: .reinstall
        case 26..<28: .failNext
        default:
          .request(
            type: dice.one(of: ["a", "b", "c"]),
            bucket: dice.one(of: [.standard, .standard, .standard, .user]),
            id: dice.chance(30) ? dice.one(of: ["x", "y", "z"]) : nil,
            deliverAt: dice.chance(30) ? at + .hours(Int64.random(in: 1...240, using: &dice)) : at)
        }
      steps.append(Step(at: at, action: action))
    }
    return CapScript(policy: ofLongPeriods(&dice), zone: dice.one(of: zones), steps: steps)
  }

  private static func ofLongPeriods(_ dice: inout SplitMix64) -> CapPolicy {
    var policy = vectorPolicy
    policy.typeDailyCap = nil
    policy.dailyCap = dice.one(of: [nil, nil, 2])
    policy.minimumInterval = dice.one(of: [.zero, .zero, .hours(4)])
    policy.weekStart = dice.one(of: Weekday.allCases)
    for cap in [TypeCap.weekly, .monthly, .rolling] {
      func limit(_ dice: inout SplitMix64, upTo most: Int) -> CapLimit {
        CapLimit(dice.below(most + 1), in: cap == .rolling ? dice.one(of: [2, 3, 5, 7, 30]) : 0)
      }
      if dice.chance(40) { policy[ofBucket: cap] = limit(&dice, upTo: 6) }
      if dice.chance(40) { policy[cap] = ["a": limit(&dice, upTo: 3), "b": limit(&dice, upTo: 3)] }
    }
    if dice.chance(70) {
      for bucket in Bucket.allCases where dice.chance(50) { policy.quietAction[bucket] = .defer }
      let edges = [0, 60, 90, 150, 420, 600, 780, 840, 1_320, 1_410]
      func windows(_ dice: inout SplitMix64) -> [DailyWindow] {
        (0..<dice.below(4)).map { _ in DailyWindow(from: dice.one(of: edges), to: dice.one(of: edges)) }
      }
      let (weekdays, weekend) = (windows(&dice), windows(&dice))
      let single = dice.chance(30) ? dice.one(of: Weekday.allCases) : nil
      let own = windows(&dice)
      policy.quietHours = WeeklyWindows { day in
        day == single ? own : WeekdaySet.weekend.contains(day) ? weekend : weekdays
      }
      if policy.quietHours?.isAlways ?? false { policy.quietHours = nil }
    }
    if dice.chance(30) { policy.checkOrder.shuffle(using: &dice) }
    if dice.chance(30) { policy.bypassQuietHours = dice.one(of: [["a"], ["b", "c"]]) }
    return policy
  }
}
