package import ScenarioModel

extension Measure {
  /// What a share is a share of, in the plural; empty for what is no share.
  package var trials: String {
    switch self {
    case .share(let metric, _): metric.trials
    case .conversion: "reminded persons"
    case .weeklyActive, .lift: ""
    }
  }

  /// Where the figure comes from: what a scenario states, and its model assumes, is not measured.
  package var evidence: Evidence {
    switch self {
    case .share(let metric, _): metric.isDeclared ? .declared : .instrumented
    case .conversion, .lift: .declared
    case .weeklyActive: .assumed
    }
  }

  /// How the figure is to be read, where its name does not say it.
  package var caution: String? {
    guard case .weeklyActive = self else { return nil }
    return
      "attributed, not caused: openings within \(Measure.attributionWindow.inWords) after a notification count"
      + " as its doing; what it causes takes two runs, with and without"
  }
}

extension Metric {
  fileprivate var trials: String {
    switch self {
    case .fireRate: "requests"
    case .tapThrough, .acknowledgement: "presented"
    case .routingSuccess: "taps"
    case .optIn: "primed persons"
    case .disableRate: "months"
    default: ""
    }
  }
}
