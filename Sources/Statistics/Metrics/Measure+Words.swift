package import ScenarioModel

extension Measure {
  /// The unit of the denominator in the plural, or an empty string if the measure is not a share.
  package var trials: String {
    switch self {
    case .share(let metric, _): metric.trials
    case .conversion: "reminded persons"
    case .weeklyActive, .lift: ""
    }
  }

  /// Returns the items that the share excludes because their outcome is unknown, in words, or `nil` if there
  /// are none.
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

  /// Returns the tier of evidence. What a scenario states or a model assumes is not a measurement.
  ///
  /// - Parameter isModelled: Whether a model responds to notifications and opts out.
  package func evidence(isModelled: Bool) -> Evidence {
    switch self {
    case .share(let metric, _): metric.evidence(isModelled: isModelled)
    case .conversion, .lift: .declared
    case .weeklyActive: .assumed
    }
  }

  /// A caution about the meaning of the figure, or `nil` if the figure's name is clear enough.
  package var caution: String? {
    guard case .weeklyActive = self else { return nil }
    return
      "attributed, not caused: openings within \(Measure.attributionWindow.inWords) after a notification count"
      + " as its effect; measuring the effect takes two runs, with and without notifications"
  }
}

extension Metric {
  /// Returns the number of items whose outcome is not stated, in words.
  func silence(_ count: Int) -> String {
    switch self {
    case .tapThrough, .acknowledgement:
      "no response is stated to \(count) exposed"
    case .optIn:
      "the answer of \(count) primed \(count == 1 ? "person" : "persons") is not stated"
    default: "\(count) are unknown"
    }
  }

  /// What to add to the scenario so that outcomes are known, or `nil` if nothing helps.
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
