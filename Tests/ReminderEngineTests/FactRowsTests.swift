import CivilTime
import TestSupport
import Testing
import TriggerModel

@testable import ReminderEngine
@testable import ReminderMatching

/// Tests the results of fact conditions. The engine keeps them in rows of bits, which it updates with the
/// facts and the clock. They must equal direct evaluation at every step.
@Suite("Fact conditions in rows")
struct FactRowsTests {
  private static let names = EngineNames(
    facts: (0..<6).map { "f\($0)" },
    dayEnds: ["f4": FactValue.number(thousandths: 0), "f5": FactValue.missing])

  private struct Story {
    var random: SplitMix64
    var moment: Moment
    let zones: ZoneTable

    init(seed: UInt64) throws {
      var zones = ZoneTable()
      for name in ["UTC", "Europe/Berlin", "Pacific/Apia"] { _ = try zones.intern(name) }
      self.zones = zones
      random = SplitMix64(seed: seed)
      // The start is a few days before an offset change in Berlin.
      moment = Moment(
        wall: EngineHarness.instant("2026-03-27 12:00"), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(1)
      )
    }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    mutating func fact() -> String { "f\(below(6))" }

    mutating func condition() -> Condition {
      let quantity: FactCondition.Quantity =
        switch below(6) {
        case 0: .ratio(fact(), fact())
        case 1: .age(fact())
        case 2: .days(since: fact())
        case 3: .time(since: fact())
        default: .value(fact())
        }
      let comparison = FactCondition.Comparison.allCases[below(6)]
      let isEquality = comparison == .equal || comparison == .notEqual
      let reasons: [Reason] = [.conditionFailed, .staleData, .lowConfidence, .notEntitled]
      let constants = (0..<(isEquality ? 1 + below(3) : 1)).map { _ in constant(of: quantity) }
      return .fact(FactCondition(quantity, comparison, constants, reason: reasons[below(4)]))
    }

    private mutating func constant(of quantity: FactCondition.Quantity) -> FactValue {
      switch quantity {
      case .age, .time: .number(thousandths: Int64(below(8)) * 21_600_000)
      case .value, .ratio, .days: .number(thousandths: Int64(below(6)) * 1_000)
      }
    }

    mutating func event() -> ObservedEvent {
      switch below(20) {
      case 0: moment.wall = moment.wall - .minutes(Int64(below(3_000)))
      case 1: moment.wall = moment.wall + .minutes(Int64(below(3_000)))
      case 2: moment.uptime = Uptime(boot: moment.uptime.boot + 1, span: .zero)
      case 3: moment.zone = ZoneID(below(3))
      default:
        // Advance by the full six hours often enough to reach midnights, and the instants at which facts
        // reach an age.
        let span = below(2) == 0 ? TimeSpan.minutes(Int64(below(200))) : .hours(6)
        moment.wall = moment.wall + span
        moment.uptime.span = moment.uptime.span + span
      }
      if below(3) > 0 { return ObservedEvent(.unlock, at: moment) }
      var value = Int64(below(6)) * 1_000
      switch below(5) {
      case 0: value = FactValue.missing.bits
      case 1: value = (moment.wall - .hours(6 * Int64(below(8)))).millisecondsSince1970
      default: break
      }
      var event = ObservedEvent(.factChanged, subject: UInt32(below(6)), value: value, at: moment)
      if below(4) == 0 { event.age = .hours(6 * Int64(below(4))) }
      return event
    }
  }

  @Test("rows of fact conditions equal direct evaluation", arguments: 0..<40)
  func agree(seed: UInt64) throws {
    var story = try Story(seed: seed)
    let reminders = (0..<130).map { number in
      ReminderDeclaration(
        "r\(number)", number % 7 == 0 ? .factChanged("f\(number % 6)") : .unlock,
        if: (0..<(number % 29 == 0 ? 18 : 1 + story.below(3))).map { _ in story.condition() })
    }
    let program = try ReminderProgram(compiling: reminders, names: Self.names)
    var engine = ReminderEngine(program: program, zones: story.zones, zone: ZoneID(1))
    var buffer = MatchBuffer()
    var matched = 0
    for step in 0..<400 {
      let event = story.event()
      let before = engine.totals
      engine.match(event, into: &buffer)
      let isAfterRestart = step % 97 == 96
      if event.kind == .unlock { matched += try expectRows(of: engine, event, before, buffer) }
      if isAfterRestart {
        engine = try ReminderEngine(
          program: program, stored: engine.storedState(), zones: story.zones, zone: story.moment.zone)
      }
    }
    #expect(matched > 50)
  }

  private func expectRows(
    of engine: ReminderEngine, _ event: ObservedEvent, _ before: MatchTotals, _ buffer: MatchBuffer
  ) throws -> Int {
    let zone = engine.zones[event.moment.zone]
    var fires: [UInt32] = []
    var misses: [Reason: Int64] = [:]
    for (declaration, plan) in engine.program.plans.enumerated() {
      let failures = plan.conditions.map { condition -> Reason? in
        guard case .fact(let fact) = condition else { return nil }
        return fact.failure(in: engine.facts, at: event.moment, zone: zone)
      }
      let kept = engine.matcher.state.failing[declaration]
      for (place, failure) in failures.prefix(FactTerm.maximumCount).enumerated() {
        #expect((kept.places >> UInt16(place) & 1 == 1) == (failure != nil), "\(plan.conditions[place])")
      }
      let first = failures.prefix(FactTerm.maximumCount).compactMap { $0 }.first
      #expect(kept.outcome == first.map(FactOutcome.init) ?? .holds)
      guard plan.isOfUnlock(engine.program) else { continue }
      if let first { misses[first, default: 0] += 1 }
      if failures.allSatisfy({ $0 == nil }) { fires.append(UInt32(declaration)) }
    }
    #expect(buffer.matches.map(\.declaration) == fires)
    #expect(engine.totals.staleData - before.staleData == misses[.staleData, default: 0])
    #expect(engine.totals.lowConfidence - before.lowConfidence == misses[.lowConfidence, default: 0])
    #expect(engine.totals.notEntitled - before.notEntitled == misses[.notEntitled, default: 0])
    return fires.count
  }
}

extension Plan {
  fileprivate func isOfUnlock(_ program: ReminderProgram) -> Bool {
    program.declarations[Int(reminder.rawValue)].triggers == [.unlock]
  }
}
