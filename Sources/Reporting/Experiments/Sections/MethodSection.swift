import Experiments
import TextFormats
import TriggerModel

/// How the figures came about.
struct MethodSection {
  let result: ExperimentResult

  init(_ result: ExperimentResult) { self.result = result }

  var section: ResultSection {
    let plan = result.plan
    let followUp = Atom<TimeSpan>.text(plan.watch.followUp, withDays: false)
    let looks = result.looks.map(Numbers.count).joined(separator: ", ")
    let ending =
      switch result.ending {
      case .complete: "all people that were asked for"
      case .precise: "every interval was narrow enough"
      case .spent: "the budget was spent before every interval was narrow enough"
      case .interrupted: "it was interrupted"
      }
    let rows =
      [
        ["population", plan.population]
      ] + plan.origins.map { ["days of a recorded phone", $0] } + [
        ["seed", "\(plan.seed)"], ["days", "\(plan.watch.days)"],
        ["follow-up", followUp],
        ["people", Numbers.count(result.people)], ["looks at", looks], ["stopped because", ending],
        ["policies", "\(plan.arms.count), the base among them"],
      ]
      + plan.precision.map { precision in
        let metric = plan.metrics[precision.metric]
        return [
          "precision of \(metric.name)",
          "half width of \(metric.width(precision.halfWidth))",
        ]
      }
    return ResultSection(
      "How it was done", table: ResultTable(columns: [.text("what"), .text("value")], rows: rows),
      notes: (plan.origins.isEmpty
        ? []
        : [
          "Unlocks and charging are those of recorded days, each lived whole: a Monday is one of the recorded Mondays. "
            + "More people than recordings are more luck, and no more habits."
        ]) + [
          "Notifications and denials are instrumented: counted in this run. Taps and opt-outs follow from a declared "
            + "model of people: they say what the model implies, not what people do.",
          "An answer counts within \(followUp) after the notification, for everybody alike: people are followed for so long "
            + "after the last day, and nothing else of that time is counted.",
          "It stops by the width of intervals, never by where they lie.",
        ])
  }
}
