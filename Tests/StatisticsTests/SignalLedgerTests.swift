import DeviceSimulation
import RandomScenarios
import TestSupport
import Testing
import TriggerModel

@testable import Statistics

/// Compares the ledger, which drops matched events, with a ledger that keeps all events.
@Suite struct SignalLedgerTests {
  /// A ledger that keeps all events.
  private struct FullLedger {
    struct Event {
      var instant: Instant
      var delay: Int64?
      var cause: String?
      /// Whether the event can no longer be reported or explained.
      var isOver = false

      var finalCause: String? { delay.map { $0 > 0 ? "toldLate" : nil } ?? cause ?? "notTold" }
    }

    let mostOpen: Int
    var events: [Event] = []
    var observed = 0
    var falseToCome = 0

    var open: [Int] { events.indices.filter { events[$0].delay == nil && !events[$0].isOver } }

    mutating func happened(at instant: Instant) {
      let open = open
      if open.count >= 2 * mostOpen { for index in open.prefix(mostOpen) { events[index].isOver = true } }
      events.append(Event(instant: instant))
    }

    mutating func reported(at instant: Instant) {
      observed += 1
      if falseToCome > 0 {
        falseToCome -= 1
      } else if let index = open.last {
        events[index].delay = (instant - events[index].instant).milliseconds
      }
    }

    mutating func explain(_ cause: String) {
      if let index = open.last(where: { events[$0].cause == nil }) { events[index].cause = cause }
    }

    var account: SignalAccount {
      var account = SignalAccount()
      account.truth = events.count
      account.observed = observed
      for happening in events {
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
  func `the ledger has the same counts as one that keeps all events`(_ mostOpen: Int) {
    let causes = Array(MissCause.allCases.prefix(3))
    var (late, given) = (0, 0)
    for seed in 0..<400 {
      var random = SplitMix64(seed: UInt64(seed))
      var (ledger, full) = (SignalLedger(mostOpen: mostOpen), FullLedger(mostOpen: mostOpen))
      var watched: [(SignalLedger.Entry, Int)] = []
      var now = Instant(millisecondsSince1970: 0)
      let told = random.int(10...60)
      for _ in 0..<random.int(1...120) {
        if random.chance(40) { now = now + TimeSpan(milliseconds: Int64(random.int(1...3))) }
        let moment = Moment(wall: now, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
        let event = ObservedEvent(.appOpened, subject: 1, at: moment)
        if random.chance(told) {
          ledger.reported(event, at: now)
          full.reported(at: now)
        } else if random.chance(20) {
          let cause = random.one(of: causes)
          ledger.take(.missed(.appOpened, subject: 1, cause))
          full.explain(cause.name)
        } else if random.chance(10) {
          ledger.take(.falseSign(.appOpened, subject: 1))
          full.falseToCome += 1
        } else if random.chance(30) {
          let entry = ledger.trackLatest(like: event)
          #expect(entry?.number == full.events.indices.last)
          if let entry { watched.append((entry, entry.number)) }
        } else {
          ledger.happened(event, at: now)
          full.happened(at: now)
        }
      }
      #expect(ledger.account(of: .appOpened, 1) == full.account, "seed \(seed)")
      #expect(ledger.account(of: .appOpened) == full.account)
      for (entry, number) in watched {
        #expect(ledger.cause(of: entry) == full.events[number].finalCause, "seed \(seed), \(number)")
        late += full.events[number].finalCause == "toldLate" ? 1 : 0
      }
      given += full.events.count(where: \.isOver)
      var both = SignalLedger()
      both.add(ledger)
      both.add(ledger)
      var twice = full.account
      twice.add(full.account)
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

/// Compares the packed table of causes with a dictionary.
@Suite struct CauseTableTests {
  @Test(arguments: 0..<30) func `the table holds the same causes as a dictionary`(_ seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var (table, full) = (CauseTable(), [Int: String]())
    let names = ["notRunning", "toldLate", "permission"]
    for _ in 0..<30 {
      // Set equal causes for up to thousands of events, in either order, or for a single event.
      let (start, length) = (random.int(0...6_000), random.chance(50) ? random.int(1...3_000) : 1)
      let cause = random.chance(90) ? random.one(of: names) : nil
      let numbers = Array(start..<start + length)
      for number in random.chance(50) ? numbers : numbers.reversed() where random.chance(99) || length > 1_500
      {
        table[number] = cause
        full[number] = cause
      }
    }
    for number in 0...12_000 where table[number] != full[number] {
      Issue.record("seed \(seed), \(number)")
    }
    #expect(!full.isEmpty)
  }
}
