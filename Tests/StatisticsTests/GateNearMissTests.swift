import DeviceSimulation
import ScenarioSamples
import Simulation
import Testing
import TextFormats
import TriggerModel

@testable import ScenarioModel
@testable import Scenarios
@testable import Statistics
@testable import TestBench

/// Tests gates that differ slightly from gates that hold: a bound that is one millionth further, another
/// comparison, a minute more, a count of one more or less, another reminder, fact or span.
///
/// They are derived from the grammar, so additions to the grammar are tested automatically.
@Suite struct GateNearMissTests {
  /// Nine weeks of two reminders. `a` fires at 10:00 five times a week, and `b` at 18:00 six times.
  /// Notifications are off on some days of week 6. The phone is off at 10:00 on Monday of week 8, so `a`
  /// fires there at 11:00.
  private static let head = """
    kind: scenario
    version: 1
    title: Gates
    start: 2026-03-02T07:00
    zone: UTC
    for: 63 days
    profile: ideal
    phone: {notifications: notDetermined}
    facts: {signedIn: false, paid: false, protein: 0, water: 0}
    reminders:
      a: {when: every day 10:00, notify: {title: A, link: "app://home"}}
      b: {when: every day 18:00, notify: {title: B, link: "app://nowhere", type: other}}
    consumers: {c: home}
    policy: {typeWeeklyCaps: {a: 5, other: 6}}
    timeline:
      - 07:01 open
      - 07:02 prime first_workout
      - 07:03 prompt authorized
      - 07:04 leave
      - every monday, wednesday 10:05 tap a
      - every monday, wednesday 10:10 leave
      - every friday 18:05 dismiss b
      - day 4 10:05 dismiss a
      - day 59 18:05 tap b
      - day 59 18:06 leave
      - day 8 10:00 set signedIn = true
      - every sunday 20:00 set protein = 90
      - every monday 20:00 set protein = 100
      - every tuesday 20:00 set protein = 130
      - every wednesday 20:00 set protein = 110
      - every saturday 20:00 set protein = 80
      - every friday 20:00 set water = 5
      - every saturday 20:00 set water = 4
      - every tuesday 09:00 from day 1 until day 30 open
      - every tuesday 09:10 from day 1 until day 30 leave
      - day 40 20:00 turn off all notifications
      - day 43 08:00 turn on all notifications
      - day 50 09:00 power off
      - day 50 11:00 power on

    """

  /// The measures and their figures, counted by hand. `a` is shown 45 times and `b` 53 times, because each is
  /// not shown on some days of week 6. `a` is tapped on seventeen days and dismissed on one. `b` is tapped on
  /// one day and dismissed on nine.
  private static let figures: KeyValuePairs = [
    "tapThrough": "18.4 % (18 of 98 exposed)",
    "tapThrough of a": "37.8 % (17 of 45 exposed)",
    "tapThrough of b": "1.9 % (1 of 53 exposed)",
    "acknowledgement": "28.6 % (28 of 98 exposed)",
    "acknowledgement of a": "40.0 % (18 of 45 exposed)",
    "fireRate": "77.8 % (98 of 126 requests)",
    "fireRate of a": "71.4 % (45 of 63 requests)",
    "deliveryRate": "77.8 % (98 of 126 due)",
    "deliveryRate of a": "71.4 % (45 of 63 due)",
    "routingSuccess": "94.4 % (17 of 18 taps)",
    "routingSuccess of a": "100.0 % (17 of 17 taps)",
    "optIn": "100.0 % (1 of 1 primed persons)",
    "disableRate": "50.0 % (1 of 2 months)",
    "conversion of a to signedIn within 7 days": "100.0 % (1 of 1 reminded persons)",
    "conversion of a to signedIn within 10079 min": "0.0 % (0 of 1 reminded persons)",
    "conversion of a to paid within 7 days": "0.0 % (0 of 1 reminded persons)",
    "lift of protein by a": "31.8 % (mean 112.0 with, 85.0 without)",
    "lift of protein by b": "20.4 % (mean 107.2 with, 89.0 without)",
    "lift of water by a": "-3.9 % (mean 3.8 with, 4.0 without)",
    "weeklyActive": "125.0 % (9 weeks with, 4 without)",
    "weeklyActive of a": "80.0 % (9 weeks with, 5 without)",
    "weeklyActive of b": "0.0 % (9 weeks with, 9 without)",
  ]

  /// The words for verdicts in expectations. A test checks that the list is complete.
  private static let words: KeyValuePairs<String, GateVerdict> = [
    "passes": .pass, "kills": .kill, "is inconclusive": .inconclusive,
  ]

  /// Returns the program of the story with these gates. Each gate expects all verdicts, in the order of
  /// ``words``.
  private static func program(_ gates: [(measure: String, bounds: String)]) throws -> Program {
    var text = head + "gates:\n" + gates.map { "  - \($0.measure) \($0.bounds)\n" }.joined() + "expect:\n"
    for gate in gates { text += words.map { "  - gate \(gate.measure) \($0.key)\n" }.joined() }
    return try Program(Scenario.sample(text))
  }

  /// Runs the story with gates that have arbitrary bounds.
  private static func run() throws -> ScenarioResult {
    ScenarioRun(try program(figures.map { ($0.key, ">= 50 %") }), stopwatch: { 0 }).run().result
  }

  @Test func `every measure of a gate has its own figure`() throws {
    let claims = Grammar<ScenarioModel.Expectation.Claim>.gateClaim.phrases
    #expect(claims.map(\.template) == Self.words.map { "gate GATE \($0.key)" })
    #expect(Self.words.count == GateVerdict.allCases.count)
    let result = try Self.run()
    #expect(result.gates.map(\.gate.words) == Self.figures.map(\.key))
    for (gate, (measure, figure)) in zip(result.gates, Self.figures) {
      #expect(gate.figure == figure, "\(measure)")
    }
    // The figures must cover every share with every phrase.
    let shares = Metric.allCases.filter(\.isShare)
    let measured = Set(Self.figures.map(\.key))
    for phrase in Grammar<Measure>.measure.phrases {
      let isOfReminder = phrase.template.contains("REMINDER")
      for share in phrase.template.contains("SHARE") ? shares : [.optIn]
      where !(isOfReminder && phrase.template.hasPrefix("SHARE") && share.isOfPerson) {
        let slots = [
          "SHARE": share.name, "REMINDER": "a", "DURATION": "7 days",
          "FACT": phrase.template.hasPrefix("lift") ? "protein" : "signedIn",
        ]
        let sentence = slots.reduce(phrase.template) { $0.replacing($1.key, with: $1.value) }
        #expect(measured.contains(sentence), "\(sentence)")
      }
    }
  }

  /// The bounds of a gate and the verdict.
  private typealias Case = (bounds: String, verdict: GateVerdict)

  /// For each comparison, returns bounds at the relevant end of the interval, and one millionth to either
  /// side of it.
  private static func cases(_ interval: ConfidenceInterval, isShare: Bool) -> [Case] {
    var cases: [Case] = []
    let most: Int64 = isShare ? 999_999 : 900_000_000
    let least: Int64 = isShare ? 1 : -900_000_000
    for side in Bound.Side.allCases {
      let isUpwards = side == .atLeast || side == .above
      let edge = isUpwards ? interval.lower : interval.upper
      // The format rejects bounds that every share or no share satisfies.
      guard edge > least + 2, edge < most - 2 else { continue }
      let far = Bound(side: isUpwards ? .atMost : .atLeast, millionths: isUpwards ? least : most).text
      for offset in Int64(-1)...1 {
        let bound = Bound(side: side, millionths: edge + offset).text
        let isInside =
          switch side {
          case .atLeast: offset <= 0
          case .above: offset < 0
          case .atMost: offset >= 0
          case .below: offset > 0
          }
        cases.append((bound, isInside ? .pass : .inconclusive))
        cases.append(("\(far), kill \(bound)", isInside ? .kill : .inconclusive))
        guard isInside else { continue }
        cases.append(("\(far), kill \(bound) after 63 days", .kill))
        cases.append(("\(far), kill \(bound) after 90721 min", .inconclusive))
      }
    }
    return cases
  }

  @Test func `a gate that is missed by one millionth does not pass`() throws {
    let result = try Self.run()
    var cases = result.gates.map { gate -> (measure: String, cases: [Case]) in
      let isShare =
        switch gate.gate.measure {
        case .share, .conversion: true
        case .lift, .weeklyActive: false
        }
      guard let interval = gate.estimate.interval else { return (gate.gate.words, []) }
      return (gate.gate.words, Self.cases(interval, isShare: isShare))
    }
    // The intervals of 100 of 100 and of 0 of 100 have only one end that can be tested.
    #expect(cases.allSatisfy { $0.cases.count >= 8 }, "\(cases)")
    #expect(cases.count { $0.cases.count >= 16 } >= 10)
    var (passed, missed) = (0, 0)
    while !cases.isEmpty {
      let gates = cases.map { ($0.measure, $0.cases[0].bounds) }
      let program = try Self.program(gates)
      let judged = GateResult.all(of: program, result.accounts)
      let evaluator = ExpectationEvaluator(
        program: program, accounts: result.accounts, texts: ShownTexts(program), gates: judged)
      for (index, expectation) in program.scenario.expectations.enumerated() {
        let (measure, cases) = cases[index / Self.words.count]
        let isTrue = Self.words[index % Self.words.count].value == cases[0].verdict
        let found = evaluator.evaluate(expectation)
        #expect(
          found.passed == isTrue, "\(measure) \(cases[0].bounds): \(expectation.text): \(found.got)"
        )
        if found.passed { passed += 1 } else { missed += 1 }
      }
      cases = cases.map { ($0.measure, Array($0.cases.dropFirst())) }.filter { !$0.cases.isEmpty }
    }
    #expect(missed == 2 * passed && passed > 300, "\(passed), \(missed)")
  }

  /// Returns the probability of at least this number of successes, as a sum over the binomial distribution.
  private static func tail(from successes: Int, of trials: Int, _ probability: Double) -> Double {
    var term = 1.0
    for _ in 0..<trials { term *= 1 - probability }
    var sum = 0.0
    for number in 0...trials {
      if number >= successes { sum += term }
      term *= Double(trials - number) / Double(number + 1) * probability / (1 - probability)
    }
    return sum
  }

  /// Computes the verdict without the interval. There is a verdict if the result has a probability of less
  /// than 1 in 40 for a true share that equals the bound.
  @Test func `the verdict agrees with the exact binomial sum`() {
    var edges = 0
    for side in Bound.Side.allCases {
      for millionths in [20_000, 101_003, 250_000, 499_999, 700_000, 949_999] as [Int64] {
        let gate = Gate(
          name: "g", measure: .share(.tapThrough, of: nil), words: "tapThrough",
          target: Bound(side: side, millionths: millionths), benchmarks: [],
          position: SourcePosition(line: 1, column: 1))
        // A share above a bound is at least a millionth above it.
        let edge = millionths + (side == .above ? 1 : side == .below ? -1 : 0)
        let share = Double(edge) / 1_000_000
        for trials in [1, 2, 3, 5, 9, 20, 47, 80] {
          var last: GateVerdict?
          for successes in 0...trials {
            let chance =
              switch side {
              case .atLeast, .above: Self.tail(from: successes, of: trials, share)
              case .atMost, .below: Self.tail(from: trials - successes, of: trials, 1 - share)
              }
            let judge = GateJudge(
              gate: gate, estimate: .share([.init(successes, of: trials)]), watched: .zero)
            let wanted: GateVerdict = chance <= 0.025 ? .pass : .inconclusive
            #expect(
              judge.verdict == wanted, "\(successes) of \(trials) \(gate.target.text): \(chance)")
            if let last, last != judge.verdict { edges += 1 }
            last = judge.verdict
          }
        }
      }
    }
    #expect(edges > 80, "\(edges)")
  }
}
