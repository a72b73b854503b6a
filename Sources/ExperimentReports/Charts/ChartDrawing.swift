/// Draws charts: 480 wide, so that their words can still be read on a phone.
enum ChartDrawing {
  static let width = 480.0

  /// - Parameter id: unique on the page.
  static func svg(_ chart: Chart, id: String) -> String {
    switch chart {
    case .forest(let chart): forest(chart, id)
    case .hours(let chart): hours(chart, id)
    case .scatter(let chart): scatter(chart, id)
    case .tornado(let chart): tornado(chart, id)
    }
  }

  private static func forest(_ chart: Chart.Forest, _ id: String) -> String {
    let heights = chart.rows.map { $0.detail == nil ? 46.0 : 64.0 }
    var svg = SVG(width: width, height: heights.reduce(12, +))
    let middle = width / 2
    var reach: [String: Double] = [:]
    for row in chart.rows {
      reach[row.group] = max(reach[row.group] ?? 0, row.lower.magnitude, row.upper.magnitude)
    }
    var top = 6.0
    for (row, height) in zip(chart.rows, heights) {
      let most = max(reach[row.group] ?? 0, .leastNormalMagnitude)
      let scale = Scale(-most...most, to: 16, width - 16)
      let place = top + height - 16
      svg.text(4, top + 14, short(row.label))
      svg.text(width - 4, top + 14, row.text, .end, "label strong")
      if let detail = row.detail { svg.text(4, top + 33, short(detail)) }
      // No further up than where words are.
      svg.line(middle, place - 10, middle, place + 14, "axis")
      let isClear = row.lower > 0 || row.upper < 0
      svg.line(scale(row.lower), place, scale(row.upper), place, isClear ? "clear" : "unclear")
      svg.circle(scale(row.value), place, 5, isClear ? "dot clear" : "dot unclear")
      top += height
    }
    return svg.element(
      id: id, title: chart.title,
      description:
        "A line for each figure: from the lower to the upper end of its interval, with a dot at the "
        + "difference. The line in the middle is no difference. Each metric has a scale of its own. "
        + chart.rows.map { "\([$0.label, $0.detail].compactMap(\.self).joined(separator: ", ")): \($0.text)" }
        .joined(separator: "; ") + ".")
  }

  /// What leaves room for a figure beside it on a phone; the table has it whole.
  private static func short(_ label: String) -> String {
    label.count <= 36 ? label : label.prefix(35) + "…"
  }

  private static func hours(_ chart: Chart.Hours, _ id: String) -> String {
    var svg = SVG(width: width, height: 256)
    let most = Double(max(1, (chart.up.counts + chart.down.counts).max() ?? 1))
    let (left, middle, reach) = (34.0, 120.0, 92.0)
    let step = (width - left - 6) / 24
    for hour in 0..<24 {
      let x = left + Double(hour) * step
      let (up, down) = (
        Double(chart.up.counts[hour]) / most * reach, Double(chart.down.counts[hour]) / most * reach
      )
      if up > 0 { svg.rectangle(x + 1, middle - up, step - 2, up, "up") }
      if down > 0 { svg.rectangle(x + 1, middle, step - 2, down, "down") }
      if hour % 3 == 0 { svg.text(x + step / 2, 232, "\(hour)", .middle) }
    }
    svg.line(left, middle, width - 6, middle, "axis")
    svg.text(
      left, 18, "↑ \(chart.up.name), up to \(Numbers.count(Int64(most))) an hour", .start, "label strong")
    svg.text(left, 248, "↓ \(chart.down.name)", .start, "label strong")
    svg.text(width - 6, 248, "hour of day", .end)
    let peak: ([Int64]) -> Int = { counts in counts.indices.max { counts[$0] < counts[$1] } ?? 0 }
    return svg.element(
      id: id, title: chart.title,
      description:
        "Bars by hour, upwards what is \(chart.up.name), downwards what is \(chart.down.name). Most is "
        + "\(chart.up.name) at \(peak(chart.up.counts)) and \(chart.down.name) at \(peak(chart.down.counts)) o'clock."
    )
  }

  private static func scatter(_ chart: Chart.Scatter, _ id: String) -> String {
    var svg = SVG(width: width, height: 380)
    let (left, right, top, bottom) = (28.0, width - 20, 34.0, 320.0)
    let (xs, ys) = (chart.points.map(\.x), chart.points.map(\.y))
    let across = Scale((xs.min() ?? 0)...(xs.max() ?? 1), to: left + 10, right - 10)
    let upwards = Scale((ys.min() ?? 0)...(ys.max() ?? 1), to: bottom - 12, top + 12)
    svg.line(left, top, left, bottom, "axis")
    svg.line(left, bottom, right, bottom, "axis")
    svg.text(left, 18, "↑ \(chart.yTitle), \(chart.yTexts.joined(separator: " to "))", .start, "label strong")
    svg.text(
      right, 344, "\(chart.xTitle), \(chart.xTexts.joined(separator: " to ")) →", .end, "label strong")
    svg.text(right, 366, chart.sizeTitle, .end)
    var labels = PointLabels()
    for point in chart.points {
      let radius = 4 + 5 * point.size
      let (x, y) = (across(point.x), upwards(point.y))
      svg.circle(x, y, radius, point.isOnFront ? "dot clear" : "dot beaten", title: point.label)
      if point.isBase { svg.circle(x, y, radius + 4, "ring", title: "the base") }
      if point.isOnFront {
        let place = labels.place(x, y, radius)
        svg.text(place.x, place.y, "\(point.number)", .middle, "label small")
      }
    }
    return svg.element(
      id: id, title: chart.title,
      description:
        "A dot for each policy. Those that no other one beats are filled, and numbered as in the table; the base "
        + "has a ring. \(chart.sizeTitle).")
  }

  private static func tornado(_ chart: Chart.Tornado, _ id: String) -> String {
    let rowHeight = 50.0
    var svg = SVG(width: width, height: Double(chart.rows.count) * rowHeight + 60)
    let values: [Double] = chart.rows.map(\.low) + chart.rows.map(\.high) + [chart.standard, 0]
    let scale = Scale((values.min() ?? -1)...(values.max() ?? 1), to: 20, width - 20)
    svg.text(4, 16, "as it is: \(chart.standardText)", .start, "label strong")
    for (index, row) in chart.rows.enumerated() {
      let top = Double(index) * rowHeight + 30
      svg.text(4, top + 14, "\(row.label): \(row.lowText) to \(row.highText)")
      let (low, high) = (scale(row.low), scale(row.high))
      // No further up than where words are.
      svg.line(scale(0), top + 20, scale(0), top + 40, "zero")
      svg.line(scale(chart.standard), top + 20, scale(chart.standard), top + 40, "axis")
      svg.rectangle(min(low, high), top + 22, max(1, (high - low).magnitude), 14, "bar")
      svg.circle(low, top + 29, 4, "end low", title: row.lowText)
      svg.circle(high, top + 29, 4, "end high", title: row.highText)
    }
    let bottom = svg.height - 10
    svg.circle(10, bottom - 4, 4, "end low")
    svg.text(20, bottom, "at the least")
    svg.circle(126, bottom - 4, 4, "end high")
    svg.text(136, bottom, "at the most")
    svg.line(244, bottom - 12, 244, bottom + 4, "zero")
    svg.text(252, bottom, "no difference")
    svg.line(376, bottom - 12, 376, bottom + 4, "axis")
    svg.text(384, bottom, "as it is")
    return svg.element(
      id: id, title: chart.title,
      description:
        "A bar for each assumption, from the difference at the least of its values (open dot) to that at the "
        + "greatest (filled dot). The dashed line is no difference, the other one the assumptions as they are."
    )
  }
}

/// Finds room for numbers beside dots, so that no two of them lie on each other.
private struct PointLabels {
  private var taken: [(x: Double, y: Double)] = []

  /// Above the dot, or else below, to the right or to the left of it.
  mutating func place(_ x: Double, _ y: Double, _ radius: Double) -> (x: Double, y: Double) {
    let places = [
      (x: x, y: y - radius - 4), (x: x, y: y + radius + 12), (x: x + radius + 10, y: y + 4),
      (x: x - radius - 10, y: y + 4),
    ]
    // Two digits are as wide, and as high.
    let free = places.first { place in
      taken.allSatisfy { ($0.x - place.x).magnitude >= 20 || ($0.y - place.y).magnitude >= 15 }
    }
    let place = free ?? places[0]
    taken.append(place)
    return place
  }
}
