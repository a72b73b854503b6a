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

  /// What is not in the share, as nobody can know of it; nil where all is.
  ///
  /// - Parameter estimate: Of it.
  func silence(_ estimate: Estimate) -> String? {
    guard estimate.unknown > 0 else { return nil }
    let silence =
      switch self {
      case .share(let metric, _): metric.silence(estimate.unknown)
      case .conversion(_, _, let span):
        "\(estimate.unknown) reminded \(estimate.unknown == 1 ? "person was" : "persons were")"
          + " not watched for \(span.inWords)"
      case .weeklyActive, .lift: ""
      }
    if estimate.denominator > 0 { return "besides, " + silence }
    guard case .share(let metric, _) = self, let remedy = metric.remedy else { return silence }
    return "\(silence): \(remedy)"
  }

  /// Where the figure comes from: what a scenario states, and its model assumes, is not measured.
  ///
  /// - Parameter isModelled: A model answers notifications, and turns them off.
  package func evidence(isModelled: Bool) -> Evidence {
    switch self {
    case .share(let metric, _): metric.evidence(isModelled: isModelled)
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
  /// So much of which the scenario does not say what it says of the rest.
  func silence(_ count: Int) -> String {
    switch self {
    case .tapThrough, .acknowledgement:
      "no response is stated to \(count) exposed"
    case .optIn:
      "the answer of \(count) primed \(count == 1 ? "person" : "persons") is not stated"
    default: "\(count) are unknown"
    }
  }

  /// What the scenario would have to say; nil: it has said all.
  package var remedy: String? {
    switch self {
    case .tapThrough, .acknowledgement: "say in the time line who taps, dismisses or ignores them"
    case .optIn: "let them skip priming, or answer the prompt"
    default: nil
    }
  }

  fileprivate var trials: String {
    switch self {
    case .fireRate: "requests"
    case .deliveryRate: "due"
    case .tapThrough, .acknowledgement: "exposed"
    case .routingSuccess: "taps"
    case .optIn: "primed persons"
    case .disableRate: "months"
    default: ""
    }
  }
}
