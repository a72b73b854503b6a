package import ScenarioModel

/// A figure of a run: a count, or a ratio of two counts. A ratio is always printed together with both counts.
package struct Figure: Hashable, Sendable, CustomStringConvertible {
  package var metric: Metric
  package var numerator: Int
  /// The denominator, or `nil` for a count.
  package var denominator: Int?
  /// The number of items whose outcome is unknown. The denominator does not include them.
  package var unknown = 0

  /// - Parameters:
  ///   - account: The account of one or more reminders.
  ///   - person: The account for metrics of the whole person.
  ///   - days: The number of days of the run. See ``RunWords/days``.
  package init(
    _ metric: Metric, _ account: ReminderAccount, of person: PersonAccount = PersonAccount(), days: Int
  ) {
    self.metric = metric
    switch metric {
    case .fires, .exposed: numerator = account.exposed
    case .requests: numerator = account.requests
    case .admitted: numerator = account.admitted
    case .denied: numerator = account.denied.total
    case .deferred: numerator = account.deferrals
    case .failed: numerator = account.failed
    case .delivered: numerator = account.delivered
    case .tapped: numerator = account.tapped
    case .dismissed: numerator = account.dismissed
    case .acted: numerator = account.acted
    // A link that was followed twice counts twice.
    case .routed: numerator = account.links.routed + account.links.routedAgain
    case .snoozed: numerator = account.snoozed
    case .doubled: numerator = account.doubled
    case .beyondCaps: numerator = account.beyondCaps
    case .fireRate: (numerator, denominator) = (account.admitted, account.requests)
    case .deliveryRate: (numerator, denominator) = (account.deliveredDue, account.dueRequests)
    case .admittedPerDay: (numerator, denominator) = (account.admitted - account.ahead, days)
    case .firesPerDay: (numerator, denominator) = (account.exposed, days)
    case .tapThrough, .acknowledgement:
      let ratio = metric == .tapThrough ? account.tapThrough : account.acknowledgement
      (numerator, denominator) = (ratio.numerator, ratio.denominator)
      unknown = account.exposed - account.answerable
    case .routingSuccess: (numerator, denominator) = (account.links.routed, account.links.attempted)
    case .optIn:
      (numerator, denominator) = (person.granted, person.primed)
      unknown = person.unanswered
    case .disableRate: (numerator, denominator) = (person.monthsWithOptOut, person.months)
    }
  }

  /// The ratios that a report prints for every account.
  package static let ratios: [Metric] = [
    .fireRate, .deliveryRate, .admittedPerDay, .firesPerDay, .tapThrough, .acknowledgement, .routingSuccess,
  ]

  /// Returns the sign of the exact difference between the figure and a bound, or `nil` if the denominator is
  /// 0.
  package func order(millionths bound: Int64) -> Int? {
    let divisor = denominator ?? 1
    if divisor == 0 { return nil }
    let left = Int64(numerator).multipliedFullWidth(by: 1_000_000)
    let right = bound.multipliedFullWidth(by: Int64(divisor))
    if left == right { return 0 }
    return (left.high, left.low) < (right.high, right.low) ? -1 : 1
  }

  /// The figure as text, such as "25.0 % (5 of 20)", "1.50 (3 in 2 days)" or "7", or the reason why it is
  /// unknown.
  package var description: String {
    guard let denominator else { return "\(numerator)" }
    if denominator == 0, unknown > 0 { return "unknown: \(metric.silence(unknown))" }
    if metric == .routingSuccess, denominator == 0 { return "none: no tap with a modelled link" }
    let ratio = Ratio(numerator, of: denominator)
    guard !metric.isShare else { return ratio.description }
    let hundredths = ratio.rounded(to: 100)
    let text = hundredths.map { "\($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)" } ?? "none"
    return "\(text) (\(numerator) in \(denominator) days)"
  }
}

extension Metric {
  /// Returns the tier of evidence.
  ///
  /// - Parameter isModelled: Whether a model responds to notifications and opts out.
  package func evidence(isModelled: Bool) -> Evidence {
    guard isDeclared else { return .instrumented }
    // The scenario states all answers to prompts, so `optIn` never depends on a model.
    return isModelled && self != .optIn ? .assumed : .declared
  }

  /// Whether the metric depends on responses, which the scenario states.
  private var isDeclared: Bool {
    switch self {
    case .tapped, .dismissed, .acted, .routed, .snoozed, .tapThrough, .acknowledgement, .routingSuccess,
      .optIn, .disableRate:
      true
    default: false
    }
  }
}

/// The tier of evidence of a figure.
package enum Evidence: String, Hashable, Sendable, CaseIterable {
  /// Counted in this run.
  case instrumented
  /// A parameter of the scenario, or a count of its statements.
  case declared
  /// The default of a model.
  case assumed
}
