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
      /// Rows of one group share a scale.
      package var group: String
    }

    package var title: String
    package var rows: [Row]
  }

  /// Two counts by hour of day, one upwards and one downwards.
  package struct Hours: Hashable, Sendable {
    package var title: String
    package var up: (name: String, counts: [Int64])
    package var down: (name: String, counts: [Int64])

    package static func == (a: Self, b: Self) -> Bool {
      a.title == b.title && a.up == b.up && a.down == b.down
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(title) }
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
    package var standard: Double
    package var standardText: String
    package var rows: [Row]
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
