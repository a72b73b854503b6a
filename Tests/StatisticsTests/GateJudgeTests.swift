import RandomScenarios
import TestSupport
import Testing
import TriggerModel

@testable import ScenarioModel
@testable import Statistics
@testable import TestBench
@testable import TextFormats

struct GateJudgeTests {
  private static func gate(_ target: Bound, kill: Bound?, after: TimeSpan = .zero) -> Gate {
    Gate(
      name: "tapThrough", measure: .share(.tapThrough, of: nil), words: "tapThrough", target: target,
      kill: kill.map { Gate.KillCriterion(bound: $0, after: after) }, benchmarks: [],
      position: SourcePosition(line: 1, column: 1))
  }

  private static let usual = gate(
    Bound(side: .atLeast, millionths: 250_000), kill: Bound(side: .below, millionths: 50_000),
    after: .days(30))

  private func judge(
    _ numerator: Int, of denominator: Int, days: Int64 = 30, by gate: Gate = usual
  ) -> GateJudge {
    GateJudge(gate: gate, estimate: .share([.init(numerator, of: denominator)]), watched: .days(days))
  }

  @Test
  func `verdicts and their reasons follow from the interval`() {
    #expect(judge(18, of: 45).verdict == .pass)
    #expect(judge(18, of: 45, days: 1).verdict == .pass, "a pass needs no minimum time")
    #expect(judge(0, of: 80).verdict == .kill)
    #expect(judge(0, of: 80, days: 29).verdict == .inconclusive)
    #expect(judge(0, of: 80, days: 29).lack == "it would be killed, but was watched for 29 days of 30 days")
    #expect(judge(0, of: 0).lack == "the denominator is 0")
    #expect(
      judge(4, of: 10).lack == "the interval reaches across the target; at this rate 41 exposed would do")
    #expect(
      judge(0, of: 10).lack
        == "the interval reaches across the kill criterion; at this rate 72 exposed would do")
    #expect(judge(15, of: 100).lack == "between the kill criterion and the target")
    #expect(
      judge(1, of: 4).lack == "the interval reaches across the target",
      "no number of trials is sufficient for a value that equals the bound")
    let gentle = Self.gate(Bound(side: .atLeast, millionths: 250_000), kill: nil)
    #expect(judge(0, of: 1_000, by: gentle).verdict == .inconclusive)
    #expect(
      judge(0, of: 1_000, by: gentle).lack == "the target is missed, and the gate has no kill criterion")
  }

  @Test
  func `a verdict holds for all possible unknown responses`() {
    var dice = SplitMix64(seed: 4)
    var turned = 0
    for round in 0..<400 {
      let known = 1 + dice.below(60)
      let tapped = dice.below(3) == 0 ? 0 : dice.below(known + 1)
      let unknown = dice.below(round % 4 == 0 ? 200 : 20)
      let count = Estimate.Count(tapped, of: known, unknown: unknown)
      let judge = GateJudge(
        gate: Self.usual, estimate: .share([count], unknownMayBeBiased: true), watched: .days(30))
      let ofKnown = self.judge(tapped, of: known).verdict
      let possible = (0...unknown).map { self.judge(tapped + $0, of: known + unknown).verdict }
      let isSure = possible.allSatisfy { $0 == ofKnown }
      #expect(
        judge.verdict == (isSure ? ofKnown : .inconclusive), "\(tapped) of \(known), \(unknown) unknown")
      #expect((judge.lack == nil) == (judge.verdict != .inconclusive))
      if ofKnown != judge.verdict {
        turned += 1
        #expect(
          judge.lack
            == "the known responses would \(ofKnown.rawValue) it, but the unknown ones could change that")
      }
    }
    #expect(turned > 20)
  }

  @Test
  func `an upper target reverses the verdict`() {
    let gate = Self.gate(
      Bound(side: .atMost, millionths: 100_000), kill: Bound(side: .above, millionths: 250_000))
    #expect(judge(0, of: 40, by: gate).verdict == .pass)
    #expect(judge(20, of: 40, by: gate).verdict == .kill)
    #expect(judge(6, of: 40, by: gate).verdict == .inconclusive)
  }

  @Test
  func `the stated number of trials is the smallest sufficient one`() {
    for (numerator, denominator) in [(4, 10), (0, 10), (3, 10), (1, 30)] {
      let lack = judge(numerator, of: denominator).lack ?? ""
      guard let text = lack.firstMatch(of: /(\d+) exposed would do/)?.1, let count = Int(text) else {
        Issue.record("\(numerator) of \(denominator): \(lack)")
        continue
      }
      let share = Double(numerator) / Double(denominator)
      func isDecided(_ trials: Int) -> Bool {
        let interval = ConfidenceInterval.exact(share: share, trials: Double(trials))
        return Self.usual.target.contains(interval) || Self.usual.kill?.bound.contains(interval) == true
      }
      #expect(isDecided(count) && !isDecided(count - 1), "\(numerator) of \(denominator)")
    }
  }

  @Test
  func `verdicts do not overlap, and more data of the same kind never changes a verdict`() {
    var dice = SplitMix64(seed: 3)
    for round in 0..<300 {
      let low = Int64(dice.below(900_000))
      let high = low + Int64(dice.below(100_000))
      let isUpwards = round % 2 == 0
      let gate =
        isUpwards
        ? Self.gate(Bound(side: .atLeast, millionths: high), kill: Bound(side: .below, millionths: low))
        : Self.gate(Bound(side: .atMost, millionths: low), kill: Bound(side: .above, millionths: high))
      let trials = 1 + dice.below(30)
      let successes = dice.below(trials + 1)
      var reached = GateVerdict.inconclusive
      for times in [1, 2, 3, 5, 8, 13, 34, 100, 1_000] {
        let found = judge(successes * times, of: trials * times, by: gate)
        let label: Comment = "\(gate.bounds): \(successes) of \(trials), \(times) times"
        if reached != .inconclusive { #expect(found.verdict == reached, label) }
        reached = found.verdict
        #expect((found.lack == nil) == (reached != .inconclusive), label)
        guard let interval = found.estimate.interval, let kill = gate.kill?.bound else { continue }
        #expect(!(gate.target.contains(interval) && kill.contains(interval)), label)
        // A verdict must not contradict the value of the estimate.
        if let value = found.estimate.value {
          if reached == .pass { #expect(gate.target.contains(value), label) }
          if reached == .kill { #expect(kill.contains(value), label) }
        }
      }
    }
  }
}
