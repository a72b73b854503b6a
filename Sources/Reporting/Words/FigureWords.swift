import Experiments
package import ScenarioModel
import Statistics

extension ReportWord {
  static let figures: [ReportWord] =
    steps + metrics + measures + columns
    + Evidence.allCases.map { ReportWord($0.rawValue, .figure, .report, $0.explanation) }
    + GateVerdict.allCases.map { ReportWord($0.rawValue, .figure, .report, $0.explanation) }

  static let experiment: [ReportWord] =
    PeopleMetric.Kind.allCases.map { kind -> ReportWord in
      let words = kind.words
      return ReportWord(
        kind.rawValue, .experiment, .report,
        .init(
          "In experiments: \(words.numerator) ÷ \(words.denominator).",
          remedy: "Name it under 'metrics' of an experiment, and its precision under 'precision'."))
    } + [
      ReportWord(
        PeopleVerdict.missed.rawValue, .experiment, .report,
        .init(
          "No part of the interval meets the target of an experiment's gate, and not all of it meets the kill criterion.",
          remedy: "Change the policy, or require less: more people would not change the verdict."))
    ]

  private static func figure(_ name: String, _ sentence: String, _ remedy: String) -> ReportWord {
    ReportWord(name, .figure, .report, .init(sentence, remedy: remedy))
  }

  // MARK: Steps and metrics

  /// The steps of the funnel that are not metrics.
  private static let steps = [
    figure(
      "due", "Requests that the engine would have made if the app had observed every event immediately.",
      "Due requests that were not made are listed with their cause before the next step."),
    figure(
      "requested", "Requests that the app made: the metric 'requests', with the losses before it.",
      "It is the metric 'requests' of expectations."),
  ]

  private static let metrics = Metric.allCases.map { metric in
    let phrase = MetricWords.phrase(metric)
    return figure(
      metric.name, phrase.prefix(1).uppercased() + phrase.dropFirst() + ".",
      metric.isShare
        ? "Name it under 'expect' to check it in a run, or under 'gates' as a goal of the product."
        : "Name it under 'expect' to check it in a run.")
  }

  /// The measures of gates that are not metrics.
  private static let measures = [
    figure(
      "conversion",
      "Persons who reached the goal within the time after a notification ÷ persons who were reminded.",
      "Name it under 'gates': 'conversion of REMINDER to FACT within DURATION'."),
    figure(
      "lift", "The increase of a number's mean on days with the reminder over days without it.",
      "Name it under 'gates': 'lift of FACT by REMINDER'."),
    figure(
      "weeklyActive",
      "Weeks in which the app was opened ÷ those without openings that follow a notification, minus one.",
      "Name it under 'gates'; to find what notifications cause, compare two runs, with and without them."),
    figure(
      "tap-through", "The metric 'tapThrough' of one reminder: tapped ÷ exposed.",
      "State the taps in the time line, or give the scenario a 'person'."),
  ]

  // MARK: Columns

  private static let columns = [
    figure(
      "evidence", "The origin of a figure: instrumented, declared or assumed.",
      "A figure is as reliable as its origin; look each of the three up."),
    figure(
      "losses", "Requests that did not reach this step of the funnel, by cause.",
      "Look the cause up: 'triggerbench reasons quietHours'."),
    figure(
      "attributed to",
      "The culprit of the losses: the phone, the platform, the engine, the scheduler, the person or the app.",
      "The built-in engine is never the culprit; 'engine' means an engine of your own."),
    figure(
      "denied because of", "The reasons for which the scheduler denied requests.",
      "Look the reason up, or try another policy with '--set policy.dailyCap=3'."),
    figure(
      "as first reason", "The number of requests for which it is the reason: the first check that failed.",
      "Relax that rule; other rules may deny the same requests, as the next column shows."),
    figure(
      "among all blockers", "The number of requests that it blocks, whether or not it is the first reason.",
      "If it is more than the first reasons, another rule denied the same requests."),
    figure(
      "95 % interval",
      "The range that contains the true figure with 95 % confidence; of a share after Clopper and Pearson.",
      "More runs, people or days make it narrower."),
    figure(
      "design effect",
      "The variance between runs divided by that of pure chance; the counts are divided by it.",
      "Add more different runs; more of one person does not help."),
    figure("target", "The value that the product's goal must reach.", "It is stated under 'gates'."),
    figure(
      "kill criterion", "The value at which the feature behind the goal is given up.",
      "It is stated under 'gates', with 'kill'."),
    figure(
      "verdict", "The conclusion from the figure: pass, kill or inconclusive.", "Look each of the three up."),
    figure("happened", "The number of times that it happened in truth.", "Only the simulator knows it."),
    figure(
      "observed",
      "The number of times that the app observed it, rightly or not; in the funnel, what it could request.",
      "Compare it with 'happened', or in the funnel with 'due'."),
    figure(
      "precision", "The share of the observed events that had happened.",
      "If it is low, the sign stands for something else on this platform: 'triggerbench rules'."),
    figure(
      "recall", "The share of actual events that the app observed.",
      "If it is low, see 'missed because'."),
    figure(
      "median delay", "Half of the events were observed within this time.",
      "See 'triggerbench rules', which names the platform's sources."),
    figure(
      "longest delay", "The longest time between an event and its observation.",
      "Ask 'triggerbench explain' about that time."),
    figure("missed because", "Why the app did not observe events, by cause.", "Look the cause up."),
    figure(
      "cap", "A limit on the notifications delivered in a day or a week.", "It is stated under 'policy'."),
    figure(
      "most in a period", "The highest number delivered in one period of the cap, over all devices.",
      "Compare it with the limit."),
    figure(
      "most in a day or week", "The highest number delivered in one day or week, over all devices.",
      "It may exceed the limit: counters lag, devices learn of each other late, or a journey moves days."),
    figure(
      "over the limit", "The number of notifications delivered beyond the limit, over all devices.",
      "Expect 'beyondCaps = 0' to check a run for it."),
    figure(
      "attempted", "Links that the person opened, by taps or from elsewhere.", "Compare it with 'tapped'."),
    figure("lost", "Links that were not shown, by cause.", "Look the cause up."),
    figure(
      "duplicates", "Taps that the app received again and recognised.",
      "This is expected where a platform reports a tap twice."),
    figure(
      "routed again", "Taps that the app received again, too late to recognise them.",
      "Let the app remember the taps that it has followed for longer."),
    figure("written", "Changes that the person made on the device.", "Compare it with 'stored'."),
    figure("stored", "Changes of the device that the server stored.", "Compare it with 'written'."),
    figure(
      "overruled", "Changes of the device for which the server had a newer one.",
      "The device receives the newer change at its next exchange."),
    figure(
      "refused", "The number of times that the server refused a change of the device.",
      "Look the cause up in 'report.json'."),
    figure(
      "repeated", "Changes that reached the server twice, without effect.",
      "This is expected after a lost connection."),
    figure(
      "waiting", "Changes of the device that had not reached the server when the run ended.",
      "Let the run end later, or let the device be online."),
    figure(
      "learned", "Changes of other devices that the app on this one received.",
      "Compare it with the changes that the others have written."),
    figure(
      "untold", "Notifications that were seen although the person had changed that on another device.",
      "Let the devices exchange more often."),
    figure(
      "not requested because", "Requests that were due but not made, by cause.", "Look the cause up."),
    figure(
      "unfounded requests", "Requests that were made but not due: the app observed what had not happened.",
      "See the precision of the signs on which the reminder depends."),
  ]
}

extension Evidence {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .instrumented:
      .init("The figure was counted in this run.", remedy: "It is as reliable as the scenario.")
    case .declared:
      .init(
        "The figure is a parameter of the scenario, or counts what the scenario states.",
        remedy: "It is as reliable as the scenario's statements.")
    case .assumed:
      .init(
        "The figure follows from a model's defaults: no one has measured it of these people.",
        remedy:
          "Compare policies by it, but do not quote it; 'triggerbench rules --person' names the sources.")
    }
  }
}

extension GateVerdict {
  fileprivate var explanation: ReportWord.Explanation {
    switch self {
    case .pass: .init("The whole interval meets the target.", remedy: "Nothing needs to be done.")
    case .kill:
      .init(
        "The whole interval meets the kill criterion, and was watched for long enough.",
        remedy: "Give the feature up, or state in the scenario that this is expected.")
    case .inconclusive:
      .init(
        "The counts are too small to decide whether the target or the kill criterion is met.",
        remedy: "The line below the table states how many more are needed.")
    }
  }
}

/// The definitions of metrics.
package enum MetricWords {
  /// Returns the definition of a metric for the middle of a sentence, for example `admitted ÷ requests`.
  package static func phrase(_ metric: Metric) -> String {
    switch metric {
    case .fires: "notifications that were exposed, as a banner or in the list only"
    case .requests: "requests that the reminder engine made, without plans that were replaced"
    case .admitted: "requests that the scheduler admitted"
    case .denied: "requests that the scheduler denied"
    case .deferred: "the number of times that a request was deferred"
    case .failed: "admitted requests that the system rejected"
    case .delivered: "notifications that the system delivered"
    case .exposed: "notifications that the person could see"
    case .tapped: "notifications that the person tapped"
    case .dismissed: "notifications that the person dismissed"
    case .acted: "notifications on which the person chose an action, such as 'done'"
    case .snoozed: "the number of times that the person snoozed the reminder"
    case .routed: "links of taps that were shown"
    case .doubled: "notifications seen for an occasion for which another device had shown one"
    case .beyondCaps: "notifications beyond a daily or weekly cap, over all devices of the person"
    case .fireRate: "admitted ÷ requests"
    case .admittedPerDay: "admitted for a time within the run ÷ days of the run, a started day in full"
    case .firesPerDay: "fires ÷ days of the run, a started day in full"
    case .tapThrough: "tapped ÷ exposed, of the reminders whose responses are known"
    case .acknowledgement: "tapped, dismissed or acted on ÷ exposed, of the same reminders"
    case .deliveryRate: "delivered ÷ due: requests that should have been made, and were delivered"
    case .routingSuccess: "routed ÷ tapped, of the taps whose links are modelled"
    case .optIn: "persons who granted the permission after the app had primed them ÷ primed persons"
    case .disableRate:
      "months of 30 days in which the person turned notifications off ÷ months begun with the permission"
    }
  }
}
