/// The data of a chart, independent of how it is drawn.
package enum Chart: Hashable, Sendable {
  case forest(Forest)
  case hours(Hours)
  case scatter(Scatter)
  case tornado(Tornado)

  /// A forest plot, which shows differences with their intervals. Each group of rows has its own scale.
  package struct Forest: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
      package var label: String
      /// The text below the label, or `nil` if there is none.
      package var detail: String?
      package var text: String
      package var value: Double
      package var lower: Double
      package var upper: Double
    }

    /// Rows that share a scale.
    package struct Group: Hashable, Sendable {
      package var rows: [Row]
      /// The largest value on the scale, which extends equally far on both sides of 0.
      package var reach: Double
      /// The texts at both ends of the scale.
      package var ends: [String]
    }

    package var title: String
    package var groups: [Group]
  }

  /// A chart of two counts by hour of the day. One is drawn upwards, the other downwards.
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

  /// A scatter plot of policies. Two figures determine the position of each point.
  package struct Scatter: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
      /// The number of the policy in the table.
      package var number: Int
      package var label: String
      package var x: Double
      package var y: Double
      /// The third figure, from 0 to 1, which determines the size of the point.
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

  /// A tornado chart, which shows a figure at both ends of each assumption's range.
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
    /// The figure under the experiment's unchanged assumptions.
    package var standard: Double
    package var standardText: String
    package var rows: [Row]
    /// The texts at both ends of ``range``.
    package var ends: [String]

    /// The range of the axis. It includes all figures, ``standard`` and 0.
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
