import DeviceSimulation
import RandomScenarios
import TestSupport
import Testing
import TriggerModel

@testable import Statistics

/// What the platform told the app, held against what happened: the ledger that forgets what it has counted beside the
/// obvious one, which keeps every happening.
@Suite struct SignLedgerTests {
  /// Keeps all.
  private struct ObviousLedger {
    struct Happening {
      var instant: Instant
      var delay: Int64?
      var cause: String?
      /// It cannot be told or explained any more.
      var isOver = false

      var flaw: String? { delay.map { $0 > 0 ? "toldLate" : nil } ?? cause ?? "notTold" }
    }

    let mostOpen: Int
    var happenings: [Happening] = []
    var observed = 0
    var falseToCome = 0

    var open: [Int] { happenings.indices.filter { happenings[$0].delay == nil && !happenings[$0].isOver } }

    mutating func happened(at instant: Instant) {
      let open = open
      if open.count >= 2 * mostOpen { for index in open.prefix(mostOpen) { happenings[index].isOver = true } }
      happenings.append(Happening(instant: instant))
    }

    mutating func told(at instant: Instant) {
      observed += 1
      if falseToCome > 0 {
        falseToCome -= 1
      } else if let index = open.last {
        happenings[index].delay = (instant - happenings[index].instant).milliseconds
      }
    }

    mutating func explain(_ cause: String) {
      if let index = open.last(where: { happenings[$0].cause == nil }) { happenings[index].cause = cause }
    }

    var account: SignAccount {
      var account = SignAccount()
      account.truth = happenings.count
      account.observed = observed
      for happening in happenings {
        if let delay = happening.delay {
          account.matched += 1
          account.delays.add(delay)
        } else {
          account.missed[happening.cause ?? "notTold", default: 0] += 1
        }
      }
      return account
    }
  }

  @Test(arguments: [2, 3, 65_536])
  func `the ledger counts as the one that keeps all`(_ mostOpen: Int) {
    let causes = Array(MissCause.allCases.prefix(3))
    var (late, given) = (0, 0)
    for seed in 0..<400 {
      var random = SplitMix64(seed: UInt64(seed))
      var (ledger, obvious) = (SignLedger(mostOpen: mostOpen), ObviousLedger(mostOpen: mostOpen))
      var watched: [(SignLedger.Entry, Int)] = []
      var now = Instant(millisecondsSince1970: 0)
      // Those that run after each other tell most, those beside each other little.
      let told = random.int(10...60)
      for _ in 0..<random.int(1...120) {
        if random.chance(40) { now = now + TimeSpan(milliseconds: Int64(random.int(1...3))) }
        let moment = Moment(wall: now, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
        let event = ObservedEvent(.appOpened, subject: 1, at: moment)
        if random.chance(told) {
          ledger.told(event, at: now)
          obvious.told(at: now)
        } else if random.chance(20) {
          let cause = random.one(of: causes)
          ledger.take(.missed(.appOpened, subject: 1, cause))
          obvious.explain(cause.name)
        } else if random.chance(10) {
          ledger.take(.falseSign(.appOpened, subject: 1))
          obvious.falseToCome += 1
        } else if random.chance(30) {
          let entry = ledger.watchLast(like: event)
          #expect(entry?.number == obvious.happenings.indices.last)
          if let entry { watched.append((entry, entry.number)) }
        } else {
          ledger.happened(event, at: now)
          obvious.happened(at: now)
        }
      }
      #expect(ledger.account(of: .appOpened, 1) == obvious.account, "seed \(seed)")
      #expect(ledger.account(of: .appOpened) == obvious.account)
      for (entry, number) in watched {
        #expect(ledger.flaw(of: entry) == obvious.happenings[number].flaw, "seed \(seed), \(number)")
        late += obvious.happenings[number].flaw == "toldLate" ? 1 : 0
      }
      given += obvious.happenings.count(where: \.isOver)
      var both = SignLedger()
      both.add(ledger)
      both.add(ledger)
      var twice = obvious.account
      twice.add(obvious.account)
      #expect(both.account(of: .appOpened) == twice)
    }
    #expect(late > 100)
    #expect(mostOpen > 3 ? given == 0 : given > 1_000, "\(given)")
  }

  @Test func `delays have the median and the longest of a sorted list`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let delays = (0..<random.int(0...9)).map { _ in Int64(random.int(0...4)) }
      var counts = DelayCounts()
      for delay in delays { counts.add(delay) }
      let sorted = delays.sorted()
      #expect(counts.longest == sorted.last)
      #expect(counts.median == (sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]))
      #expect(counts.counts.flatMap { [Int64](repeating: $0.milliseconds, count: $0.count) } == sorted)
    }
  }
}
