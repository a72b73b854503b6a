import CivilTime
import Foundation
import NotificationGateway
import TriggerModel

/// The caps suite: decisions on a random stream of requests under the default policy.
///
/// It compares the cap scheduler with a naive scheduler that uses Foundation's calendar.
struct CapsBench {
  private static let zone = "Europe/Berlin"
  private let sizes: [Int]
  private let options: BenchOptions

  init(_ options: BenchOptions) {
    sizes = options.sizes ?? [1_000, 100_000]
    self.options = options
  }

  func report() throws -> BenchReport {
    BenchReport(
      suite: BenchSuite.caps.rawValue, sizeName: "requests", rows: try sizes.map(row),
      notes: options.alone
        ? [] : ["baseline: Foundation's calendar, and counts in dictionaries keyed by text"])
  }

  private func row(requests: Int) throws -> BenchRow {
    let workload = CapsWorkload(requests: requests)
    guard let timeZone = TimeZone(identifier: Self.zone) else { throw BenchError("no zone \(Self.zone)") }
    let fresh = try gateway()
    var samples: [Double] = []
    var naiveSamples: [Double] = []
    var digest = DecisionDigest()
    for _ in 0..<options.rounds {
      var gateway = fresh
      digest = DecisionDigest()
      samples.append(
        Stopwatch.nanoseconds(per: requests) {
          for step in workload.steps {
            let decision = gateway.decide(step.request, at: step.now)
            digest.add(decision.outcome, decision.reason)
          }
        })
      if options.alone { continue }
      var naive = NaiveScheduler(timeZone: timeZone)
      var expected = DecisionDigest()
      naiveSamples.append(
        Stopwatch.nanoseconds(per: requests) {
          for step in workload.steps {
            let (outcome, reason) = naive.decide(step.request, at: step.now)
            expected.add(outcome, reason)
          }
        })
      guard digest == expected else { throw BenchError("caps: the schedulers decide differently") }
    }
    var row = BenchRow(mode: "decide", size: requests, events: requests, samples: samples)
    row.fires = digest.admitted
    row.hash = digest.value
    // The tables grow during the first half of the requests. The second half measures the steady state.
    var gateway = fresh
    let half = requests / 2
    for step in workload.steps.prefix(half) { _ = gateway.decide(step.request, at: step.now) }
    let allocations = Allocations.count {
      for step in workload.steps.dropFirst(half) { _ = gateway.decide(step.request, at: step.now) }
    }
    row.allocationsPerEvent = allocations.map { Double($0) / Double(max(1, requests - half)) }
    row.counts = [("admitted", digest.admitted)]
    if let allocations { row.counts.append(("allocations", allocations)) }
    if options.alone { return row }
    row.baseline = Baseline(name: "Foundation", samples: naiveSamples, events: requests)
    gateway = fresh
    row.latency = Stopwatch.latency(of: requests) {
      _ = gateway.decide(workload.steps[$0].request, at: workload.steps[$0].now)
    }
    return row
  }

  private func gateway() throws -> NotificationGateway {
    var zones = ZoneTable()
    _ = try zones.intern(Self.zone)
    let policy = try CompiledCapPolicy(CapPolicy(), types: (0..<CapsWorkload.types).map { "type\($0)" })
    return NotificationGateway(policy: policy, zones: zones, permission: .authorized)
  }
}

/// A digest of outcomes and their reasons.
private struct DecisionDigest: Equatable {
  private var words = WordDigest()
  private(set) var admitted = 0
  var value: UInt64 { words.value }

  mutating func add(_ outcome: Decision.Outcome, _ reason: Reason?) {
    words.add(UInt64(outcome.rawValue))
    words.add(UInt64(reason.map { $0.rawValue + 1 } ?? 0))
    if outcome == .admit { admitted += 1 }
  }
}

/// A random stream of requests for the cap scheduler.
struct CapsWorkload {
  static let types = 20
  /// Monday 2026-01-05T00:00:00Z.
  static let start = Instant(millisecondsSince1970: 1_767_571_200_000)

  /// The requests, each with the moment of its decision.
  let steps: [(now: Moment, request: NotificationRequest)]

  /// Creates requests at an average distance of ten minutes. Most are due immediately, and the others up to a
  /// day later.
  init(requests: Int) {
    var generator = SplitMix64(state: 20_260_105)
    func below(_ bound: UInt64) -> UInt64 { (generator.next() >> 11) % bound }
    var seconds: Int64 = 0
    steps = (0..<requests).map { index in
      seconds += 1 + Int64(below(1_200))
      let wall = Self.start + .seconds(seconds)
      let ahead = below(5) == 0 ? Int64(below(86_400)) : 0
      let bucket: Bucket = [.standard, .standard, .standard, .critical, .user][Int(below(5))]
      let now = Moment(wall: wall, uptime: Uptime(boot: 0, span: .seconds(seconds)), zone: ZoneID(0))
      let id = RequestID(reminder: ReminderID(index), occurrence: 0)
      let request = NotificationRequest(
        id: id, type: TypeID(Int(below(UInt64(Self.types)))), bucket: bucket,
        scheduledFor: wall + .seconds(ahead), deliverAt: wall + .seconds(ahead))
      return (now, request)
    }
  }
}

/// The default cap policy, implemented with Foundation's calendar and with dictionaries whose keys are
/// strings.
struct NaiveScheduler {
  private var calendar = Calendar(identifier: .gregorian)
  private var counts: [String: Int] = [:]
  private var deliveries: [Date] = []
  private let policy = CapPolicy()

  init(timeZone: TimeZone) {
    calendar.timeZone = timeZone
  }

  mutating func decide(_ request: NotificationRequest, at now: Moment) -> (Decision.Outcome, Reason?) {
    let instant = max(request.deliverAt, now.wall)
    let date = Date(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1_000)
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    let day = "\(parts.year ?? 0)-\(parts.month ?? 0)-\(parts.day ?? 0)"
    let (bucketKey, typeKey) = ("\(day) \(request.bucket.name)", "\(day) type \(request.type.rawValue)")
    if isQuiet(minute: (parts.hour ?? 0) * 60 + (parts.minute ?? 0)) {
      return (request.bucket == .user ? .defer : .deny, .quietHours)
    }
    switch request.bucket {
    case .user: break
    case .critical:
      if counts[bucketKey, default: 0] >= policy.criticalDailyCap ?? .max {
        return (.deny, .criticalDailyCap)
      }
    case .standard:
      if counts[typeKey, default: 0] >= policy.typeDailyCap ?? .max { return (.deny, .typeDailyCap) }
      if counts[bucketKey, default: 0] >= policy.dailyCap ?? .max { return (.deny, .dailyCap) }
      let interval = Double(policy.minimumInterval.milliseconds) / 1_000
      deliveries.removeAll {
        Double(now.wall.millisecondsSince1970) / 1_000 - $0.timeIntervalSince1970 >= interval
      }
      if deliveries.contains(where: { abs($0.timeIntervalSince(date)) < interval }) {
        return (.deny, .minimumInterval)
      }
      counts[typeKey, default: 0] += 1
      deliveries.append(date)
    }
    counts[bucketKey, default: 0] += 1
    return (.admit, nil)
  }

  private func isQuiet(minute: Int) -> Bool {
    guard let window = policy.quietHours?.everyDay else { return false }
    return window.from < window.to
      ? minute >= window.from && minute < window.to : minute >= window.from || minute < window.to
  }
}
