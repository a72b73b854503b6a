import Experiments
import ScenarioModel
import Statistics

extension ReportWord {
  /// What a report counts, or says of a count.
  static let figures: [ReportWord] =
    steps + metrics + measures + columns
    + Evidence.allCases.map { ReportWord($0.rawValue, .figure, .report, $0.explanation) }
    + GateVerdict.allCases.map { ReportWord($0.rawValue, .figure, .report, $0.explanation) }

  /// What an experiment compares.
  static let experiment = PeopleMetric.Kind.allCases.map { kind in
    let words = kind.words
    return ReportWord(
      kind.rawValue, .experiment, .report,
      .init(
        "In experiments: \(words.numerator) ÷ \(words.denominator).",
        remedy: "Name it under 'metrics' of an experiment, and how exact it is to be under 'precision'."))
  }

  private static func figure(_ name: String, _ sentence: String, _ remedy: String) -> ReportWord {
    ReportWord(name, .figure, .report, .init(sentence, remedy: remedy))
  }

  // MARK: Steps and metrics

  /// The steps of the funnel that are no metrics.
  private static let steps = [
    figure(
      "due", "Requests that the engine would have made, had the app known of everything at once.",
      "What is due and not requested is listed with its cause before the next step."),
    figure(
      "requested", "What the app asked for: the metric 'requests', beside the losses before it.",
      "It is the metric 'requests' of expectations."),
  ]

  private static let metrics = Metric.allCases.map { metric in
    let phrase = MetricWords.phrase(metric)
    return figure(
      metric.name, phrase.prefix(1).uppercased() + phrase.dropFirst() + ".",
      metric.isShare
        ? "Name it under 'expect' to hold a run to it, or under 'gates' as a goal of the product."
        : "Name it under 'expect' to hold a run to it.")
  }

  /// What a gate can judge that is no metric.
  private static let measures = [
    figure(
      "conversion",
      "Persons who reached the goal within the time after a notification ÷ persons who were reminded.",
      "Name it under 'gates': 'conversion of REMINDER to FACT within DURATION'."),
    figure(
      "lift", "By how much a number's mean is higher on days with the reminder than on days without it.",
      "Name it under 'gates': 'lift of FACT by REMINDER'."),
    figure(
      "weeklyActive",
      "Weeks in which the app was opened ÷ those without the openings that follow a notification, minus one.",
      "Name it under 'gates'; what notifications cause takes two runs, with and without them."),
    figure(
      "tap-through", "The metric 'tapThrough' of one reminder: tapped ÷ exposed.",
      "Say in the time line who taps, or give the scenario a 'person'."),
  ]

  // MARK: Columns

  private static let columns = [
    figure(
      "evidence", "How a figure came about: instrumented, declared or assumed.",
      "Trust a figure as far as what it rests on; look each of the three up."),
    figure(
      "lost before it", "What did not come through to this step of the funnel, by its cause.",
      "Look the cause up: 'triggerbench reasons quietHours'."),
    figure(
      "denied because of", "What kept the scheduler from admitting requests.",
      "Look the reason up, or try another policy with '--set policy.dailyCap=3'."),
    figure(
      "as first reason", "How many requests it is the reason of: the first rule that forbade them.",
      "Relax that rule; others may forbid the same requests, as the next column says."),
    figure(
      "among all blockers", "How many requests it would have forbidden, be it the first reason or not.",
      "Where it is more than the first reasons, another rule forbade the same requests."),
    figure(
      "95 % interval",
      "Where the true figure lies with 95 % certainty; of a share it is reckoned after Clopper and Pearson.",
      "More runs, people or days make it narrower."),
    figure(
      "design effect",
      "By how much runs differ more than chance alone would: so many times fewer counts are reckoned.",
      "More different runs help, more of one person does not."),
    figure("target", "What the product's goal is to reach.", "It is stated under 'gates'."),
    figure(
      "kill criterion", "Where the feature behind the goal is given up.",
      "It is stated under 'gates', with 'kill'."),
    figure(
      "verdict", "What the figure allows to say: pass, kill or inconclusive.",
      "Look each of the three up."),
    figure("happened", "How often it happened in truth.", "Only the simulator knows it."),
    figure(
      "told", "How often the app was told that it happened, rightly or not.",
      "Compare it with 'happened': the app sees no more than this."),
    figure(
      "precision", "Of what the app was told, the part that had happened so.",
      "Where it is low, the sign stands for something else on this platform: 'triggerbench rules'."),
    figure(
      "recall", "Of what happened, the part that the app was told of.",
      "Where it is low, see under 'never told because'."),
    figure(
      "median delay", "Half of the times the app was told within this time.",
      "Look at 'triggerbench rules', which has the platform's sources."),
    figure(
      "longest delay", "How late the app was told at the latest.",
      "Ask 'triggerbench explain' about that time."),
    figure(
      "never told because", "Why the app was not told of what happened, by cause.", "Look the cause up."),
    figure(
      "cap", "A limit on what is delivered in a day or a week.", "It is stated under 'policy'."),
    figure(
      "most in a day or week", "How many were delivered at the most in one day or week, over all devices.",
      "More than the limit can be right: where counters lag, devices know too late, or a journey moves days."),
    figure(
      "beyond it", "How many were delivered beyond the limit, over all devices.",
      "Expect 'beyondCaps = 0' to hold a run to it."),
    figure(
      "attempted", "Links that were to be followed: of taps, and of openings from elsewhere.",
      "Compare it with 'tapped'."),
    figure("lost", "Links that were not shown, by cause.", "Look the cause up."),
    figure(
      "duplicates", "The same tap that came to the app once more, and was recognised.",
      "Expected where a platform tells a tap twice."),
    figure(
      "routed again", "The same tap that came twice, too far apart to be recognised.",
      "Let the app remember the taps that it has followed for longer."),
    figure("written", "Changes that the person made on the device.", "Compare it with 'stored'."),
    figure("stored", "Changes of the device that the server took.", "Compare it with 'written'."),
    figure(
      "overruled", "Changes of the device for which the server had a newer one.",
      "The device comes to know that one at its next exchange."),
    figure(
      "refused", "How often the server refused a change of the device.", "Look the cause up in 'report.json'."
    ),
    figure(
      "repeated", "Changes that came to the server twice, which changed nothing.",
      "Expected after a loss of connection."),
    figure(
      "waiting", "Changes of the device that had not reached the server when the run ended.",
      "Let the run end later, or the device be online."),
    figure(
      "learned", "Changes of other devices that the app on this one took over.",
      "Compare it with what the others have written."),
    figure(
      "untold", "Notifications that were seen though the person had changed that on another device.",
      "Let the devices exchange more often."),
    figure(
      "due and not made, because", "Requests that were due and never made, by cause.", "Look the cause up."),
    figure(
      "made without cause",
      "Requests that the app made and that were not due: it was told what had not happened.",
      "Look at the precision of the signs it follows."),
  ]
}

extension Evidence {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .instrumented:
      .init(
        "The figure was counted in this run.", remedy: "Nothing is to be done: it is as sure as the scenario."
      )
    case .declared:
      .init(
        "The figure is a parameter of the scenario, or was counted among what the scenario states.",
        remedy: "It is as sure as what the scenario states.")
    case .assumed:
      .init(
        "The figure follows from a model's defaults: nobody has measured it of these people.",
        remedy:
          "Compare policies by it, but do not quote it; 'triggerbench rules --person' has the sources.")
    }
  }
}

extension GateVerdict {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .pass: .init("The whole interval meets the target.", remedy: "Nothing is to be done.")
    case .kill:
      .init(
        "The whole interval meets the kill criterion, and was watched for long enough.",
        remedy: "Give the feature up, or say in the scenario that this is expected.")
    case .inconclusive:
      .init(
        "The counts do not allow to say that the target or the kill criterion is met.",
        remedy: "The line below the table says how many more would do.")
    }
  }
}
