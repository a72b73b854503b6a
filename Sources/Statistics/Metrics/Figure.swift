package import ScenarioModel

/// A figure of a run: a count, or one count divided by another. Always printed with both.
package struct Figure: Hashable, Sendable, CustomStringConvertible {
  package var metric: Metric
  package var numerator: Int
  /// Nil for a count.
  package var denominator: Int?

  /// - Parameters:
  ///   - account: Of a reminder, or of several.
  ///   - person: For metrics that belong to the person as a whole.
  ///   - days: Local days of the run.
  package init(
    _ metric: Metric, _ account: ReminderAccount, of person: PersonAccount = PersonAccount(), days: Int
  ) {
    self.metric = metric
    switch metric {
    case .fires, .presented: numerator = account.presented
    case .requests: numerator = account.requests
    case .admitted: numerator = account.admitted
    case .denied: numerator = account.denied.total
    case .deferred: numerator = account.deferrals
    case .failed: numerator = account.failed
    case .delivered: numerator = account.delivered
    case .tapped: numerator = account.tapped
    case .dismissed: numerator = account.dismissed
    case .routed: numerator = account.links.routed
    case .fireRate: (numerator, denominator) = (account.admitted, account.requests)
    case .admittedPerDay: (numerator, denominator) = (account.admitted, days)
    case .firesPerDay: (numerator, denominator) = (account.presented, days)
    case .tapThrough: (numerator, denominator) = (account.tapped, account.presented)
    case .acknowledgement: (numerator, denominator) = (account.tapped + account.dismissed, account.presented)
    case .routingSuccess: (numerator, denominator) = (account.links.routed, account.links.attempted)
    case .optIn: (numerator, denominator) = (person.granted, person.primed)
    case .disableRate: (numerator, denominator) = (person.monthsWithOptOut, person.months)
    }
  }

  /// The ratios that a report prints for everything that it counts.
  package static let ratios: [Metric] = [
    .fireRate, .admittedPerDay, .firesPerDay, .tapThrough, .acknowledgement, .routingSuccess,
  ]

  /// The sign of the difference to a bound, exact; nil when there is nothing to divide by.
  package func order(millionths bound: Int64) -> Int? {
    let divisor = denominator ?? 1
    if divisor == 0 { return nil }
    let left = Int64(numerator).multipliedFullWidth(by: 1_000_000)
    let right = bound.multipliedFullWidth(by: Int64(divisor))
    if left == right { return 0 }
    return (left.high, left.low) < (right.high, right.low) ? -1 : 1
  }

  /// "25.0 % (5 of 20)", "1.50 (3 in 2 days)" or "7".
  package var description: String {
    guard let denominator else { return "\(numerator)" }
    if metric == .routingSuccess, denominator == 0 { return "none: no tap whose way is modelled" }
    let ratio = Ratio(numerator, of: denominator)
    guard !metric.isShare else { return ratio.description }
    let hundredths = ratio.rounded(to: 100)
    let text = hundredths.map { "\($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)" } ?? "none"
    return "\(text) (\(numerator) in \(denominator) days)"
  }
}

extension Metric {
  /// Whether it depends on responses, which the scenario states.
  package var isDeclared: Bool {
    switch self {
    case .tapped, .dismissed, .routed, .tapThrough, .acknowledgement, .routingSuccess, .optIn, .disableRate:
      true
    default: false
    }
  }
}
