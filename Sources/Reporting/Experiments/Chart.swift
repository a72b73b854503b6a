/// The data of a chart, without shapes.
package enum Chart: Hashable, Sendable {
  case forest(Forest)
  case hours(Hours)
  case scatter(Scatter)
  case tornado(Tornado)

  /// Differences with their intervals. Each group of rows has its own scale.
  package struct Forest: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
      package var label: String
      /// The line below the label.
      package var detail: String?
      package var text: String
      package var value: Double
      package var lower: Double
      package var upper: Double
    }

    /// Rows that share a scale.
    package struct Group: Hashable, Sendable {
      package var rows: [Row]
      /// The length of the scale on each side of 0.
      package var reach: Double
      /// The texts at both ends of the scale.
      package var ends: [String]
    }

    package var title: String
    package var groups: [Group]
  }

  /// Two counts by hour of the day, one drawn upwards and one downwards.
  package struct Hours: Hashable, Sendable {
    package struct Side: Hashable, Sendable {
      package var name: String
      /// The definition of the count, for the legend.
      package var meaning: String
      /// The counts of the hours 0 to 23.
      package var counts: [Int64]
    }

    package var title: String
    package var up: Side
    package var down: Side
  }

  /// Policies as points, placed by two figures.
  package struct Scatter: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
      /// The number of the policy in the table.
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
    /// The texts at both ends of each axis.
    package var xTexts: [String]
    package var yTexts: [String]
  }

  /// The effect of each assumption on a figure, at both ends of the assumption's range.
  package struct Tornado: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
      package var label: String
      package var low: Double
      package var high: Double
      package var lowText: String
      package var highText: String
    }

    package var title: String
    /// The title of the axis.
    package var xTitle: String
    /// The figure with all assumptions at their standard values.
    package var standard: Double
    package var standardText: String
    package var rows: [Row]
    /// The texts at both ends of ``range``.
    package var ends: [String]

    /// The range of the axis, which includes all figures, 0 and the standard.
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
