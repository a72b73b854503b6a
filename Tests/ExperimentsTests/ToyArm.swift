import SimulationKernel
import TriggerModel

@testable import Experiments

/// A policy without a scheduler, which shows a random share of each person's requests.
///
/// It is fast, and its true values can be computed.
struct ToyArm: PolicyArm {
  /// The number of shown requests per 1,000 requests.
  var shownShare: UInt64
  /// The number of additional taps per 1,000 shown requests.
  var lift: UInt64 = 0
  var seed: UInt64 = 1
  static let types = ["plain", "fancy"]

  mutating func run(_ person: UInt64, into outcome: inout PersonOutcome) {
    outcome.reset()
    let traits = RandomKey(seed: seed, person: person, purpose: .trait)
    let luck = RandomKey(seed: seed, person: person, purpose: .response)
    let eagerness = traits.draw(0) % 400
    let requests = 5 + traits.draw(1) % 10
    outcome.personDays = 1
    for request in 0..<requests {
      let draw = luck.draw(request)
      let type = Int(draw >> 60 & 1)
      let hour = Int((draw >> 40) % 24)
      outcome.requested += 1
      outcome.byType[type].requested += 1
      let isShown = draw % 1_000 < shownShare
      let isTapped = isShown && (draw >> 20) % 1_000 < eagerness + lift
      if isShown {
        outcome.shown += 1
        outcome.byType[type].shown += 1
        outcome.byHour[hour].shown += 1
      } else {
        outcome.deny(.dailyCap, secondsTooEarly: Int64(draw % 20_000))
      }
      if isTapped {
        outcome.tapped += 1
        outcome.byType[type].tapped += 1
        outcome.byHour[hour].tapped += 1
      }
      outcome.decisions.append(
        PersonOutcome.Decision(
          key: request, type: UInt16(type), day: 1, millisecond: Int64(hour) * 3_600_000,
          fate: isTapped ? .tapped : isShown ? .ignored : .lost(.dailyCap)))
    }
    outcome.opens = outcome.tapped
    if traits.draw(2) % 1_000 < 100 + shownShare / 20 { outcome.optedOut = 1 }
  }
}

extension ExperimentPlan {
  /// Returns an experiment with toy policies.
  static func toy(
    _ arms: [ToyArm], metrics: [PeopleMetric.Kind] = [.tapThrough, .firesPerDay, .optOuts],
    precision: Double? = nil, least: Int64 = 200, most: Int64 = 2_000
  ) -> ExperimentPlan {
    ExperimentPlan(
      title: "A toy", question: "", file: "toy.yaml", population: "toy", identity: 7, seed: 1,
      watch: ObservationPeriod(days: 1),
      types: ToyArm.types,
      arms: arms.enumerated().map { index, arm in
        Arm(name: index == 0 ? "base" : "variant \(index)", settings: [], prototype: arm)
      },
      isGrid: false, metrics: metrics.map { PeopleMetric($0) }, gates: [],
      precision: precision.map { [Precision(metric: 0, halfWidth: $0)] } ?? [],
      budget: Budget(least: least, most: most), sensitivity: nil)
  }

  func sums(_ people: Range<UInt64>, jobs: Int = 1) -> ExperimentSums {
    PeopleWorkers(jobs: jobs).sums(of: people, under: arms.map(\.prototype), metrics, types: types.count).sums
  }
}
