import CivilTime
import RandomScenarios
import ScenarioModel
import ScenarioSamples
import Scenarios
import Simulation
import TestSupport
import Testing
import TriggerModel

@testable import TestBench

/// Tests how the expected fires of `exact:` are paired with actual fires.
@Suite struct ExactPairsTests {
  private static let start = CivilDate(dayNumber: 20_000)

  private func wanted(
    _ minute: Int32, second: Int32? = nil, day: Int? = nil, reminder: Int = 0, offset: Int64? = nil
  ) -> ScenarioModel.Expectation.ExactFire {
    let from = (minute * 60 + (second ?? 0)) * 1_000
    let time = Occasion.Range(from: from, to: (from + (second == nil ? 60_000 : 1_000)) % 86_400_000)
    return ScenarioModel.Expectation.ExactFire(
      reminder: ReminderID(reminder),
      occasion: Occasion(
        time: time, date: day.map { Self.start + $0 },
        offset: offset.map { TimeSpan(milliseconds: $0 * 3_600_000) }))
  }

  private func came(
    _ minute: Int32, second: Int32 = 0, day: Int, reminder: Int = 0, offset: Int64 = 1
  ) -> ExactPairs.Actual {
    ExactPairs.Actual(
      reminder: ReminderID(reminder),
      local: LocalTime(date: Self.start + day, millisecondOfDay: (minute * 60 + second) * 1_000),
      offset: TimeSpan(milliseconds: offset * 3_600_000))
  }

  @Test func `the least specific expectation is paired last`() {
    let fires = [came(490, day: 0), came(490, day: 1)]
    for wanted in [
      [wanted(490), wanted(490, day: 0)], [wanted(490), wanted(490, day: 1)],
      [wanted(490, second: 0), wanted(490, day: 0)],
    ] {
      let pairs = ExactPairs(wanted, fires)
      #expect(pairs.missing.isEmpty && pairs.unexpected.isEmpty)
    }
    // Each expectation in this chain could also match the next fire.
    let chain = ExactPairs(
      [wanted(490, second: 30), wanted(490, day: 0), wanted(490, day: 0, offset: 2)],
      [
        came(490, second: 30, day: 0, offset: 2), came(490, second: 40, day: 0),
        came(490, second: 30, day: 1),
      ])
    #expect(chain.missing.isEmpty && chain.unexpected.isEmpty)
  }

  @Test func `missing and unexpected fires are reported in order`() {
    let pairs = ExactPairs(
      [wanted(490), wanted(500), wanted(490, day: 3), wanted(1439, day: 0), wanted(490, reminder: 1)],
      [
        came(480, day: 0), came(490, day: 0), came(490, day: 1), came(1439, second: 59, day: 0),
        came(0, day: 1), came(490, day: 2, reminder: 2),
      ])
    #expect(pairs.missing == [1, 2, 4])
    #expect(pairs.unexpected == [0, 2, 4, 5])
  }

  @Test func `a missing fire is reported with its offset and date`() throws {
    let text = """
      kind: scenario
      version: 1
      title: The hour that comes twice
      zone: Europe/Berlin
      start: 2026-10-25T00:00
      for: 1 day
      reminders: {x: {when: unlock, repeat: always, notify: {title: X, bucket: user}}}
      policy: {quietHours: none}
      timeline: [01:30 unlock]
      expect: [{exact: [x at 01:30, x at 02:30 +01:00 on 2026-10-25]}]
      """
    let result = ScenarioRun(try Program(Scenario.sample(text)), stopwatch: { 0 }).run().result
    #expect(result.expectations.map(\.got) == ["1 of 2 missing: x at 02:30 +01:00 on 2026-10-25"])
  }

  @Test func `the number of pairs is maximal`() {
    var random = SplitMix64(seed: 7)
    func below(_ bound: Int) -> Int { random.int(0...bound - 1) }
    var (whole, more) = (0, 0)
    for _ in 0..<4_000 {
      let fires = (0..<below(7)).map { _ in
        came(
          Int32(490 + below(4) / 3), second: Int32(below(2) * 30), day: below(2), reminder: below(8) / 7,
          offset: Int64(1 + below(2)))
      }
      let named = (0..<below(7)).map { _ in
        wanted(
          Int32(490 + below(4) / 3), second: below(3) == 0 ? Int32(below(2) * 30) : nil,
          day: below(2) == 0 ? below(2) : nil, reminder: below(8) / 7,
          offset: below(3) == 0 ? Int64(1 + below(2)) : nil)
      }
      let pairs = ExactPairs(named, fires)
      let most = mostPairs(named[...], Set(fires.indices), fires)
      #expect(named.count - pairs.missing.count == most)
      #expect(fires.count - pairs.unexpected.count == most)
      // The expectations that are not missing must form pairs with the fires that are not unexpected.
      let found = named.indices.filter { !pairs.missing.contains($0) }.map { named[$0] }
      #expect(mostPairs(found[...], Set(fires.indices).subtracting(pairs.unexpected), fires) == most)
      whole += most
      more += most - firstThatFits(named, fires)
    }
    #expect(whole > 1_000 && more > 50, "\(whole), \(more)")
  }

  /// Returns the largest number of pairs in any pairing.
  private func mostPairs(
    _ named: ArraySlice<ScenarioModel.Expectation.ExactFire>, _ free: Set<Int>, _ fires: [ExactPairs.Actual]
  ) -> Int {
    guard let first = named.first else { return 0 }
    let fitting = free.filter { fires[$0].reminder == first.reminder && fires[$0].isIn(first.occasion) }
    let without = mostPairs(named.dropFirst(), free, fires)
    return fitting.map { 1 + mostPairs(named.dropFirst(), free.subtracting([$0]), fires) }
      .reduce(without, max)
  }

  /// Returns the number of pairs if each expectation is paired with the first matching fire.
  private func firstThatFits(_ named: [ScenarioModel.Expectation.ExactFire], _ fires: [ExactPairs.Actual])
    -> Int
  {
    var free = Array(fires.indices)
    for fire in named {
      free.firstIndex { fires[$0].reminder == fire.reminder && fires[$0].isIn(fire.occasion) }
        .map { _ = free.remove(at: $0) }
    }
    return fires.count - free.count
  }
}
