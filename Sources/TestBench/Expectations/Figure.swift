package import Scenarios

/// A figure of a run: a count, or one count divided by another. Always printed with both.
package struct Figure: Hashable, Sendable, CustomStringConvertible {
  package var metric: Metric
  package var numerator: Int
  /// Nil for a count.
  package var denominator: Int?

  package init(_ metric: Metric, _ account: ReminderAccount, days: Int) {
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
    case .routed: numerator = 0
    case .fireRate: (numerator, denominator) = (account.admitted, account.requests)
    case .firesPerDay: (numerator, denominator) = (account.presented, days)
    case .tapThrough: (numerator, denominator) = (account.tapped, account.presented)
    case .routingSuccess: (numerator, denominator) = (0, account.tapped)
    }
  }

  /// The ratios that a report prints for everything that it counts.
  package static let ratios: [Metric] = [.fireRate, .firesPerDay, .tapThrough]

  /// The sign of the difference to a bound, exact; nil when there is nothing to divide by.
  package func order(millionths bound: Int64) -> Int? {
    let divisor = denominator ?? 1
    if divisor == 0 { return nil }
    let left = Int64(numerator).multipliedFullWidth(by: 1_000_000)
    let right = bound.multipliedFullWidth(by: Int64(divisor))
    if left == right { return 0 }
    return (left.high, left.low) < (right.high, right.low) ? -1 : 1
  }

  /// "25.0 % (5 of 20)", "1.50 (3 of 2)" or "7".
  package var description: String {
    guard let denominator else { return "\(numerator)" }
    if metric == .firesPerDay { return "\(ratio(100).text) (\(numerator) in \(denominator) days)" }
    return "\(ratio(1_000).percent) (\(numerator) of \(denominator))"
  }

  /// The ratio in the given fraction of one, rounded half up; nil without a denominator.
  private func ratio(_ parts: Int) -> Rounded {
    guard let denominator, denominator > 0 else { return Rounded(value: nil, parts: parts) }
    return Rounded(value: (2 * numerator * parts + denominator) / (2 * denominator), parts: parts)
  }

  private struct Rounded {
    var value: Int?
    var parts: Int

    /// With two decimals, of hundredths.
    var text: String {
      guard let value else { return "none" }
      let rest = value % 100
      return "\(value / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Of thousandths, as a percentage with one decimal.
    var percent: String {
      guard let value else { return "none" }
      return "\(value / 10).\(value % 10) %"
    }
  }
}

extension Metric {
  /// Whether it depends on responses, which the scenario states.
  package var isDeclared: Bool {
    switch self {
    case .tapped, .dismissed, .routed, .tapThrough, .routingSuccess: true
    default: false
    }
  }
}
