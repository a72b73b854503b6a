import CivilTime
import Foundation
import NotificationGateway
import TriggerModel

/// The caps suite: the cap scheduler beside one that asks Foundation's calendar, over a random stream of
/// requests under the default policy.
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
      notes: options.alone ? [] : ["baseline: Foundation's calendar, counts in dictionaries keyed by text"])
  }

  private func row(requests: Int) throws -> BenchRow {
    let workload = CapsWorkload(requests: requests)
    guard let timeZone = TimeZone(identifier: Self.zone) else { throw BenchError("no zone \(Self.zone)") }
    let fresh = try gateway()
    var samples: [Double] = []
    var obviousSamples: [Double] = []
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
      var obvious = ObviousScheduler(timeZone: timeZone)
      var expected = DecisionDigest()
      obviousSamples.append(
        Stopwatch.nanoseconds(per: requests) {
          for step in workload.steps {
            let (outcome, reason) = obvious.decide(step.request, at: step.now)
            expected.add(outcome, reason)
          }
        })
      guard digest == expected else { throw BenchError("caps: the schedulers decide differently") }
    }
    var row = BenchRow(mode: "decide", size: requests, events: requests, samples: samples)
    row.fires = digest.admitted
    row.hash = digest.value
    // Tables grow to size in the first half; the second is the steady state.
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
    row.baseline = Baseline(name: "Foundation", samples: obviousSamples, events: requests)
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

/// Of outcomes and reasons.
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
