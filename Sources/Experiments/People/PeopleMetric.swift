/// A figure of a population: a sum over people, divided by another.
package struct PeopleMetric: Hashable, Sendable {
  package var kind: Kind
  /// The position of a type in the population's list; nil: all of them.
  package var type: Int?
  /// By which files and reports call it: `tapThrough of training`.
  package var name: String

  /// - Parameter types: the population's.
  package init(_ kind: Kind, type: Int? = nil, types: [String] = []) {
    self.kind = kind
    self.type = type
    name = kind.rawValue + (type.map { " of \(types[$0])" } ?? "")
  }

  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Tapped within the follow-up ÷ shown.
    case tapThrough
    /// Requests that were shown, on whichever device ÷ requested.
    case fireRate
    /// Shown ÷ days of people.
    case firesPerDay
    /// Of what was shown, tapped within the follow-up ÷ days of people.
    case tapsPerDay
    /// Openings of the app that a notification brought about ÷ days of people.
    case incrementalOpens
    /// People who turned notifications off ÷ people.
    case optOuts
    /// People to whom anything was shown ÷ people.
    case reach

    /// Whether it is a part of a whole.
    package var isShare: Bool {
      switch self {
      case .tapThrough, .fireRate, .optOuts, .reach: true
      case .firesPerDay, .tapsPerDay, .incrementalOpens: false
      }
    }

    /// Whether each person is a part, or is none.
    package var isShareOfPeople: Bool { self == .optOuts || self == .reach }

    /// Whether it can be had of one type.
    package var hasTypes: Bool { !isShareOfPeople && self != .incrementalOpens }

    private var tapped: String { "tapped within 'followUp', 24 h if missing," }

    /// What is counted, and among what.
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

  /// What one person adds to the two sums.
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
