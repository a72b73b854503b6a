import CivilTime
import Foundation
import NotificationGateway
import TestSupport
import Testing
import TriggerModel

@Suite struct ReferenceTests {
  @Test func `the brute-force scheduler and the gateway agree on 20,000 random scripts`() throws {
    let zones = ReferenceZones()
    var outcomes: [Decision.Outcome: Int] = [:]
    for seed in 0..<20_000 as Range<UInt64> {
      let script = try CapScript.random(seed)
      let expected = try ReferenceScheduler.play(script, zones)
      let decided = try script.played()
      #expect(decided == expected, "script \(seed)")
      for outcome in decided { outcomes[outcome.decision, default: 0] += 1 }
    }
    // Ensure that the scripts reach every kind of decision often.
    for outcome in Decision.Outcome.allCases { #expect(outcomes[outcome, default: 0] > 1_000, "\(outcome)") }
  }

  @Test func `the brute-force scheduler and the gateway agree on 5,000 policies with long periods`() throws {
    let zones = ReferenceZones()
    var reasons: [Reason: Int] = [:]
    var deferrals = 0
    for seed in 0..<5_000 as Range<UInt64> {
      let script = try CapScript.ofLongPeriods(seed)
      let expected = try ReferenceScheduler.play(script, zones)
      let decided = try script.played()
      #expect(decided == expected, "script \(seed)")
      for outcome in decided {
        if let reason = outcome.reason { reasons[reason, default: 0] += 1 }
        if outcome.decision == .defer { deferrals += 1 }
      }
    }
    for reason in [
      Reason.weeklyCap, .monthlyCap, .rollingCap, .typeWeeklyCap, .typeMonthlyCap, .typeRollingCap,
      .quietHours,
    ] {
      #expect(reasons[reason, default: 0] > 500, "\(reason)")
    }
    #expect(deferrals > 500)
  }

  @Test(.enabled(if: Shared.isAvailable, Shared.skipReason))
  func `the brute-force scheduler agrees with the shared vectors`() throws {
    let vectors = try SharedVector.all()
    #expect(vectors.count == 67)
    let zones = ReferenceZones()
    for vector in vectors {
      let script = try vector.script()
      let reference = try ReferenceScheduler.play(script, zones)
      vector.check(reference, "vector \(vector.id)")
      #expect(try script.played() == reference, "vector \(vector.id)")
    }
  }
}

/// A brute-force cap scheduler. It keeps all deliveries, counts them for every request, and uses Foundation's
/// offsets. It is deliberately simple and slow.
struct ReferenceScheduler {
  private struct Taken {
    var at: Instant
    var day: Int64
    var type: String
    var bucket: Bucket
    var id: String?
    var lapse: Int
  }

  private var policy: CapPolicy
  private var zone: ReferenceZone
  private var permission = true
  private var failsNext = false
  private var taken: [Taken] = []
  private var lifetime: [String: Int] = [:]
  private var lapseCounts: [String: Int] = [:]
  private var lapse = 0

  static func play(_ script: CapScript, _ zones: ReferenceZones) throws -> [CapScript.Outcome] {
    var scheduler = ReferenceScheduler(policy: script.policy, zone: try zones.named(script.zone))
    return try script.steps.compactMap { try scheduler.play($0, zones) }
  }

  private init(policy: CapPolicy, zone: ReferenceZone) {
    self.policy = policy
    self.zone = zone
  }

  private mutating func play(
    _ step: CapScript.Step, _ zones: ReferenceZones
  ) throws -> CapScript.Outcome? {
    switch step.action {
    case .request(let type, let bucket, let id, let deliverAt):
      return request(type, bucket, id, deliverAt)
    case .zone(let name): zone = try zones.named(name)
    case .permission(let granted):
      permission = granted
      if !granted { release(step.at) { _ in true } }
    case .failNext: failsNext = true
    case .cancel(let id): release(step.at) { $0.id == id }
    case .cancelAll: release(step.at) { _ in true }
    case .open:
      lapseCounts = [:]
      lapse += 1
    case .reinstall:
      release(step.at) { _ in true }
      taken = []
      lapseCounts = [:]
      lapse += 1
      if !policy.lifetimeSurvivesReinstall {
        lifetime = lifetime.filter { policy.keptThroughReinstall.contains($0.key) }
      }
    case .respond, .restart: break
    }
    return nil
  }

  private mutating func request(
    _ type: String, _ bucket: Bucket, _ id: String?, _ t: Instant
  ) -> CapScript.Outcome {
    let day = zone.day(t)
    let until = policy.quietHours.flatMap { zone.end(of: $0, holding: t) }
    let sameDay = taken.filter { $0.day == day && $0.bucket == bucket }
    let spaced = taken.filter {
      $0.bucket == .standard || policy.minimumIntervalScope == .all && $0.bucket == .critical
    }
    func isSpent(_ count: Int, _ cap: Int?) -> Bool { cap.map { count >= $0 } ?? false }
    func isSpent(_ cap: CapLimit?, ofType: Bool, _ isTogether: (Int64) -> Bool) -> Bool {
      guard bucket == .standard, let cap else { return false }
      let days = taken.filter { $0.bucket == .standard && (!ofType || $0.type == type) }.map(\.day)
      return days.count(where: isTogether) >= cap.count
    }
    func isSpentInDays(_ cap: CapLimit?, ofType: Bool) -> Bool {
      guard let cap else { return false }
      return (0..<Int64(cap.days)).contains { offset in
        isSpent(cap, ofType: ofType) { $0 <= day + offset && $0 > day + offset - Int64(cap.days) }
      }
    }
    func fails(_ check: Reason) -> Bool {
      switch check {
      case .permission: !permission
      case .lifetimeCap: isSpent(lifetime[type, default: 0], policy.lifetimeCap[type])
      case .lapseCap: isSpent(lapseCounts[type, default: 0], policy.lapseCap[type])
      case .quietHours:
        until != nil && !(bucket == .critical && policy.criticalBypassesQuietHours)
          && !policy.bypassQuietHours.contains(type)
      case .typeDailyCap:
        bucket == .standard
          && isSpent(
            sameDay.count { $0.type == type }, policy.typeDailyCaps[type] ?? policy.typeDailyCap)
      case .typeWeeklyCap:
        bucket == .standard
          && isSpent(
            taken.count { $0.bucket == .standard && $0.type == type && isSameWeek($0.day, day) },
            policy.typeWeeklyCaps[type])
      case .weeklyCap: isSpent(policy[ofBucket: .weekly], ofType: false) { isSameWeek($0, day) }
      case .monthlyCap: isSpent(policy[ofBucket: .monthly], ofType: false) { isSameMonth($0, day) }
      case .typeMonthlyCap: isSpent(policy[.monthly][type], ofType: true) { isSameMonth($0, day) }
      case .rollingCap: isSpentInDays(policy[ofBucket: .rolling], ofType: false)
      case .typeRollingCap: isSpentInDays(policy[.rolling][type], ofType: true)
      case .dailyCap: bucket == .standard && isSpent(sameDay.count, policy.dailyCap)
      case .criticalDailyCap: bucket == .critical && isSpent(sameDay.count, policy.criticalDailyCap)
      case .minimumInterval:
        bucket == .standard && spaced.contains { ($0.at - t).magnitude < policy.minimumInterval }
      default: false
      }
    }
    let failed = policy.checkOrder.filter(fails)
    if let reason = failed.first {
      let defers = reason == .quietHours && policy.quietAction[bucket] == .defer
      return CapScript.Outcome(
        decision: defers ? .defer : .deny, reason: reason, until: defers ? until : nil,
        alsoBlockedBy: Array(failed.dropFirst()))
    }
    if failsNext {
      failsNext = false
      return CapScript.Outcome(decision: .fail, reason: .addFailed)
    }
    taken.append(Taken(at: t, day: day, type: type, bucket: bucket, id: id, lapse: lapse))
    lifetime[type, default: 0] += 1
    lapseCounts[type, default: 0] += 1
    return CapScript.Outcome(decision: .admit)
  }

  /// Day 0, 1970-01-01, was a Thursday.
  private func isSameWeek(_ a: Int64, _ b: Int64) -> Bool {
    let start = Int64(policy.weekStart.rawValue)
    func week(_ day: Int64) -> Int64 { Int64((Double(day + 3 - start) / 7).rounded(.down)) }
    return week(a) == week(b)
  }

  private func isSameMonth(_ a: Int64, _ b: Int64) -> Bool {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    func month(_ day: Int64) -> DateComponents {
      calendar.dateComponents([.year, .month], from: Date(timeIntervalSince1970: Double(day) * 86_400))
    }
    return month(a) == month(b)
  }

  private mutating func release(_ now: Instant, _ which: (Taken) -> Bool) {
    for item in taken where item.at > now && which(item) {
      lifetime[item.type, default: 0] -= 1
      if item.lapse == lapse { lapseCounts[item.type, default: 0] -= 1 }
    }
    taken.removeAll { $0.at > now && which($0) }
  }
}

/// A cache of the zones that a test has used.
final class ReferenceZones {
  private var known: [String: ReferenceZone] = [:]

  func named(_ name: String) throws -> ReferenceZone {
    if let zone = known[name] { return zone }
    let zone = try ReferenceZone(name)
    known[name] = zone
    return zone
  }
}

/// Finds local times by trying every offset of the zone around an instant.
final class ReferenceZone {
  private let zone: TimeZone
  /// A cache of windows, because a test plays thousands of scripts in the same few weeks.
  private var windows: [[Int64]: (start: Instant, end: Instant)] = [:]

  init(_ name: String) throws {
    zone = try #require(TimeZone(identifier: name))
  }

  private func offset(_ t: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(t) / 1_000))) * 1_000
  }

  /// Returns the local date of an instant in days since 1970-01-01.
  func day(_ t: Instant) -> Int64 {
    let local = t.millisecondsSince1970 + offset(t.millisecondsSince1970)
    return Int64((Double(local) / 86_400_000).rounded(.down))
  }

  /// Returns the end of all windows that contain an instant, or that contain the end of one of these.
  func end(of windows: WeeklyWindows, holding t: Instant) -> Instant? {
    let today = day(t)
    var ends: [Instant] = []
    for day in today - 3...today + 3 {
      let weekday = Weekday(daysAfterMonday: Int(day) + 3)
      for daily in windows[weekday] where daily.from != daily.to {
        // A window across midnight belongs to the day on which it ends.
        let first = daily.to != 0 && daily.to < daily.from ? day - 1 : day
        let window = window(first, daily.from, daily.to)
        if window.start <= t && t < window.end { ends.append(window.end) }
      }
    }
    guard let end = ends.max() else { return nil }
    return windows.everyDay == nil ? self.end(of: windows, holding: end) ?? end : end
  }

  private func window(_ day: Int64, _ from: Int, _ to: Int) -> (start: Instant, end: Instant) {
    let key = [day, Int64(from), Int64(to)]
    if let window = windows[key] { return window }
    let window = (resolve(day, from, last: false), resolve(to <= from ? day + 1 : day, to, last: true))
    windows[key] = window
    return window
  }

  /// Returns the instant of a minute of a date. In a gap, this is the end of the gap. In a fold, it is the
  /// first or last occurrence.
  private func resolve(_ day: Int64, _ minute: Int, last: Bool) -> Instant {
    let wall = day * 86_400_000 + Int64(minute) * 60_000
    let offsets = Set((-8...8).map { offset(wall + $0 * 21_600_000) }).sorted()
    let hits = offsets.map { wall - $0 }.filter { $0 + offset($0) == wall }.sorted()
    if let hit = last ? hits.last : hits.first { return Instant(millisecondsSince1970: hit) }
    var before = wall - (offsets.last ?? 0)
    var after = wall - (offsets.first ?? 0)
    while after - before > 1 {
      let middle = (before + after) / 2
      if middle + offset(middle) < wall { before = middle } else { after = middle }
    }
    return Instant(millisecondsSince1970: after)
  }
}
