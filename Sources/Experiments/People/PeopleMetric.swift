/// A metric of a population: the ratio of two sums over people.
package struct PeopleMetric: Hashable, Sendable {
  package var kind: Kind
  /// The index of the notification type, or `nil` for all types.
  package var type: Int?
  /// The name in files and reports, such as `tapThrough of training`.
  package var name: String

  /// - Parameter types: The types of the population.
  package init(_ kind: Kind, type: Int? = nil, types: [String] = []) {
    self.kind = kind
    self.type = type
    name = kind.rawValue + (type.map { " of \(types[$0])" } ?? "")
  }

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Tapped within the follow-up ÷ shown.
    case tapThrough
    /// Requests that were shown on any device ÷ requests.
    case fireRate
    /// Shown ÷ person-days.
    case firesPerDay
    /// Shown and tapped within the follow-up ÷ person-days.
    case tapsPerDay
    /// Openings of the app that a notification caused ÷ person-days.
    case incrementalOpens
    /// People who turned notifications off ÷ people.
    case optOuts
    /// People who saw any notification ÷ people.
    case reach

    /// Whether the metric is a share of a whole.
    package var isShare: Bool {
      switch self {
      case .tapThrough, .fireRate, .optOuts, .reach: true
      case .firesPerDay, .tapsPerDay, .incrementalOpens: false
      }
    }

    /// The possible values.
    var limits: ClosedRange<Double> { 0...(isShare ? 1 : .infinity) }

    /// The possible differences between two policies.
    var differenceLimits: ClosedRange<Double> { -limits.upperBound...limits.upperBound }

    /// Whether the metric is a share of people, so that each person contributes 0 or 1.
    package var isShareOfPeople: Bool { self == .optOuts || self == .reach }

    /// Whether the metric exists for a single type.
    package var hasTypes: Bool { !isShareOfPeople && self != .incrementalOpens }

    private var tapped: String { "tapped within 'followUp', 24 h if missing," }

    /// Descriptions of the numerator and the denominator.
    package var words: (numerator: String, denominator: String) {
      switch self {
      case .tapThrough: (tapped, "shown")
      case .fireRate: ("requests that were shown", "requested")
      case .firesPerDay: ("shown", "person-days")
      case .tapsPerDay: (tapped, "person-days")
      case .incrementalOpens: ("openings by a notification", "person-days")
      case .optOuts: ("people who turned notifications off", "people")
      case .reach: ("people to whom anything was shown", "people")
      }
    }
  }

  /// Returns one person's contribution to the numerator and the denominator.
  package func counts(_ outcome: borrowing PersonOutcome) -> (numerator: Int64, denominator: Int64) {
    let (requested, reached, shown, tapped) =
      if let type {
        (
          outcome.byType[type].requested, outcome.byType[type].reached, outcome.byType[type].shown,
          outcome.byType[type].tapped
        )
      } else {
        (outcome.requested, outcome.reached, outcome.shown, outcome.tapped)
      }
    return switch kind {
    case .tapThrough: (tapped, shown)
    case .fireRate: (reached, requested)
    case .firesPerDay: (shown, outcome.personDays)
    case .tapsPerDay: (tapped, outcome.personDays)
    case .incrementalOpens: (outcome.opens &- outcome.organicOpens, outcome.personDays)
    case .optOuts: (outcome.optedOut, 1)
    case .reach: (outcome.shown > 0 ? 1 : 0, 1)
    }
  }
}
