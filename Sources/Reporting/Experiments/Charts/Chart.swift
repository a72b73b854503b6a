/// What is drawn of a section: numbers and words, no shapes yet.
package enum Chart: Hashable, Sendable {
  case forest(Forest)
  case hours(Hours)
  case scatter(Scatter)
  case tornado(Tornado)

  /// Differences with their intervals, each in the unit of its own row.
  package struct Forest: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
      package var label: String
      /// Below the label.
      package var detail: String?
      package var text: String
      package var value: Double
      package var lower: Double
      package var upper: Double
    }

    /// Rows that share a scale, from the one number to the other.
    package struct Group: Hashable, Sendable {
      package var rows: [Row]
      /// How far the scale reaches on both sides of no difference, and how its ends are written.
      package var reach: Double
      package var ends: [String]
    }

    package var title: String
    package var groups: [Group]
  }

  /// Two counts by hour of day, one upwards and one downwards.
  package struct Hours: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
      package var name: String
      /// What is counted, for the legend.
      package var meaning: String
      package var counts: [Int64]
    }

    package var title: String
    package var up: Side
    package var down: Side
  }

  /// Policies by two figures.
  package struct Scatter: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
      /// As the table beside it numbers the policies.
      package var number: Int
      package var label: String
      package var x: Double
      package var y: Double
      /// A third figure, from 0 to 1.
      package var size: Double
      package var isOnFront: Bool
      package var isBase: Bool
    }

    package var title: String
    package var xTitle: String
    package var yTitle: String
    package var sizeTitle: String
    package var points: [Point]
    /// How ends of the axes are written.
    package var xTexts: [String]
    package var yTexts: [String]
  }

  /// A figure with each assumption at both ends of its range.
  package struct Tornado: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
      package var label: String
      package var low: Double
      package var high: Double
      package var lowText: String
      package var highText: String
    }

    package var title: String
    /// Of what is shown along the axis.
    package var xTitle: String
    package var standard: Double
    package var standardText: String
    package var rows: [Row]
    /// How the least and the greatest of all differences are written, no difference and the standard among them.
    package var ends: [String]

    /// What the drawing shows, from the least to the greatest.
    package var range: ClosedRange<Double> {
      let values: [Double] = rows.flatMap { [$0.low, $0.high] } + [standard, 0]
      return (values.min() ?? 0)...(values.max() ?? 0)
    }
  }

  package var title: String {
    switch self {
    case .forest(let chart): chart.title
    case .hours(let chart): chart.title
    case .scatter(let chart): chart.title
    case .tornado(let chart): chart.title
    }
  }
}
