import CivilTime
import Foundation
import Journal
import ScenarioModel
import Simulation
import Statistics
import Testing
import TriggerModel

/// Tests caps per person in complete runs.
@Suite struct PersonCapTests {
  private static let all = ProcessInfo.processInfo.environment["TRIGGERBENCH_ALL"] != nil

  @Test func `devices that sync without delay decide like a single account`() throws {
    let setting = PersonCapHistory.Setting(delay: "0 s", hasFaults: false, plansAhead: false)
    let base = try PersonCapHistory.base(setting)
    var denied = ReasonSet()
    for seed: UInt64 in 0..<(Self.all ? 1_000 : 100) {
      let history = PersonCapHistory(seed: seed, of: base, setting)
      let engine = history.program.makeEngine()
      var account = OneAccount(history.program)
      var world = World(program: history.program, scope: .acts) { _ in engine }
      world.run(into: &account)
      #expect(account.wrong == [], "seed \(seed)")
      #expect(account.decisions > 5, "seed \(seed)")
      denied.formUnion(account.denied)
    }
    // The histories must cover every check.
    let checks: [Reason] = [
      .dailyCap, .typeDailyCap, .typeWeeklyCap, .criticalDailyCap, .lifetimeCap, .minimumInterval,
    ]
    for check in checks { #expect(denied.contains(check), "\(check)") }
  }

  /// Runs a thousand histories if `TRIGGERBENCH_ALL` is set.
  @Test(arguments: ["ideal", "ios", "android"])
  func `each device respects its caps, and notifications beyond the person's caps have a cause`(
    profile: String
  ) throws {
    let setting = PersonCapHistory.Setting(profile: profile)
    let base = try PersonCapHistory.base(setting)
    var (beyond, told, takenBack, waited) = (0, 0, 0, 0)
    for seed: UInt64 in 0..<(Self.all ? 334 : 60) {
      let history = PersonCapHistory(seed: seed, of: base, setting)
      let engine = history.program.makeEngine()
      var sinks = Both(accounts: RunAccounts(history.program), ledger: NotificationLedger())
      var world = World(program: history.program) { _ in engine }
      world.run(until: history.reunion, into: &sinks)
      waited += sinks.ledger.waiting
      // Allow time for retries: the app sends a refused change again every minute until the server accepts
      // it.
      world.run(until: history.reunion + .minutes(90), into: &sinks)
      #expect(sinks.ledger.problems == [], "seed \(seed)")
      #expect(sinks.ledger.waiting == 0, "seed \(seed)")
      world.run(into: &sinks)
      sinks.accounts.close()
      #expect(sinks.accounts.contradictions == [], "seed \(seed)")
      let audit = CapAudit(history.program, sinks.accounts)
      #expect(audit.beyondOnDevices == 0, "seed \(seed)")
      #expect(audit.beyond.allSatisfy { $0.untold > 0 }, "seed \(seed): \(audit.beyond)")
      #expect(sinks.accounts.total.beyondCaps == audit.beyond.count)
      beyond += audit.beyond.count
      told += sinks.accounts.sync.sharedDeliveries.count
      takenBack += sinks.accounts.endings.count {
        $0.kind == .lost && $0.reason.stage == .scheduler
      }
    }
    for count in [beyond, told, takenBack, waited] {
      #expect(count > 5, "\([beyond, told, takenBack, waited])")
    }
  }
}

private struct Both: JournalSink {
  var accounts: RunAccounts
  var ledger: NotificationLedger

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    accounts.record(body, stamp)
    ledger.record(body, stamp)
  }
}

/// Tracks the changes that report one device's notifications to the other.
private struct NotificationLedger: JournalSink {
  private var written: Set<SyncWrite> = []
  private var learned: [SyncWrite: Int] = [:]
  private(set) var problems: [String] = []

  mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    switch body {
    case .sync(.written(let write)):
      if write.change.isNotification, !written.insert(write).inserted { problems.append("written twice") }
    case .sync(.learned(let write)):
      guard write.change.isNotification else { return }
      learned[write, default: 0] += 1
      if !written.contains(write) { problems.append("learned but never written") }
      if write.device == stamp.device { problems.append("learned where it was shown") }
      if learned[write] == 2 { problems.append("learned twice") }
    case .sync(.overruled(let write)):
      if write.change.isNotification { problems.append("overruled") }
    default: break
    }
  }

  /// The number of shown notifications that are unknown to the other device.
  var waiting: Int { written.count { learned[$0] == nil } }
}

extension SharedChange {
  fileprivate var isNotification: Bool { if case .notified = self { true } else { false } }
}
