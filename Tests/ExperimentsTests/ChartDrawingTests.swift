import Foundation
import Testing

@testable import Reporting

/// Tests the positions of shapes in charts.
@Suite struct ChartDrawingTests {
  /// Returns the attributes of all elements that have the given name and a class that begins with the style,
  /// in drawing order.
  private func shapes(_ name: String, _ style: String, in svg: String) -> [[String: Double]] {
    svg.components(separatedBy: "<\(name) class=\"\(style)").dropFirst().map { text in
      let attributes = text.prefix { $0 != ">" }.split(separator: " ").compactMap {
        pair -> (String, Double)? in
        let parts = pair.split(separator: "=")
        guard parts.count == 2, let value = Double(parts[1].filter { !"\"/".contains($0) }) else {
          return nil
        }
        return (String(parts[0]), value)
      }
      return Dictionary(uniqueKeysWithValues: attributes)
    }
  }

  /// Returns the texts of a drawing in drawing order.
  private func texts(_ svg: String) -> [String] {
    svg.components(separatedBy: "<text ").dropFirst().compactMap { text in
      text.split(separator: ">", maxSplits: 1).last?.components(separatedBy: "</text>").first
    }
  }

  private func tornado(standard: Double, _ rows: [Chart.Tornado.Row]) -> Chart.Tornado {
    Chart.Tornado(
      title: "a", xTitle: "difference of a", standard: standard, standardText: "b", rows: rows,
      ends: ["least", "greatest"])
  }

  private func hours(up: [Int64], down: [Int64]) -> Chart.Hours {
    Chart.Hours(
      title: "a", up: Chart.Hours.Side(name: "gained", meaning: "shown anew", counts: up),
      down: Chart.Hours.Side(name: "displaced", meaning: "denied anew", counts: down))
  }

  private func point(_ number: Int, _ x: Double, _ y: Double, size: Double = 0) -> Chart.Scatter.Point {
    Chart.Scatter.Point(
      number: number, label: "", x: x, y: y, size: size, isOnFront: true, isBase: number == 1)
  }

  private func scatter(_ points: [Chart.Scatter.Point]) -> String {
    let chart = Chart.Scatter(
      title: "a", xTitle: "x", yTitle: "y", sizeTitle: "z", points: points, xTexts: ["1", "9"],
      yTexts: ["2 %", "8 %"])
    return ChartDrawing.svg(.scatter(chart), id: "a")
  }

  @Test func `labels of coinciding dots are on their four sides`() {
    let svg = scatter((1...4).map { point($0, 1, 1, size: 1) })
    let dots = shapes("circle", "dot", in: svg)
    let numbers = shapes("text", "label small", in: svg)
    #expect(texts(svg).contains("1") && texts(svg).contains("8 %"))
    #expect(dots.count == 4 && numbers.count == 4)
    let sides = zip(dots, numbers).map { dot, number -> String in
      let (x, y) = ((number["x"] ?? 0) - (dot["cx"] ?? 0), (number["y"] ?? 0) - (dot["cy"] ?? 0))
      // Text is positioned by its baseline, so a label next to a dot is slightly below the dot's centre.
      return x < 0 ? "left" : x > 0 ? "right" : y < 0 ? "above" : "below"
    }
    #expect(sides == ["above", "below", "right", "left"])
    for (dot, number) in zip(dots, numbers) {
      let away = [("x", "cx"), ("y", "cy")].map { abs((number[$0.0] ?? 0) - (dot[$0.1] ?? 0)) }
      #expect(away.contains { $0 > dot["r"] ?? .infinity }, "\(number) lies on its dot")
    }
  }

  @Test func `the lines of a tornado chart do not cross its labels`() {
    let rows = (0..<4).map {
      Chart.Tornado.Row(
        label: "a", low: Double($0), high: Double($0) + 3, lowText: "low", highText: "high")
    }
    let chart = tornado(standard: 1, rows)
    let svg = ChartDrawing.svg(.tornado(chart), id: "a")
    let lines = shapes("line", "", in: svg)
    // Expect two lines for each bar, an axis with a mark at both ends, and the legend.
    #expect(lines.count == 2 * 4 + 3 + 2)
    for label in shapes("text", "label", in: svg) {
      // Text is at most 14 units high. Skip the last two lines, which belong to the legend.
      for line in lines.dropLast(2) {
        let isBeside = (line["x1"] ?? 0) < (label["x"] ?? 0)
        #expect(
          isBeside || (line["y2"] ?? 0) < (label["y"] ?? 0) - 14 || (line["y1"] ?? 0) > label["y"] ?? 0,
          "\(line) goes through \(label)")
      }
    }
  }

  @Test func `labels do not overlap`() {
    let svg = scatter((1...6).map { point($0, Double($0) * 4, Double($0 % 2)) } + [point(7, 100, 0)])
    let numbers = shapes("text", "label small", in: svg)
    #expect(numbers.count == 7)
    for (index, one) in numbers.enumerated() {
      for other in numbers[..<index] {
        let (x, y) = ((one["x"] ?? 0) - (other["x"] ?? 0), (one["y"] ?? 0) - (other["y"] ?? 0))
        #expect(abs(x) >= 20 || abs(y) >= 15, "\(one), \(other)")
      }
    }
  }

  @Test func `the size of a dot increases with the third figure`() {
    let svg = scatter([point(1, 0, 0), point(2, 1, 1, size: 0.5), point(3, 2, 2, size: 1)])
    let dots = shapes("circle", "dot", in: svg)
    #expect(dots.compactMap { $0["r"] } == [4, 6.5, 9])
    #expect((dots.first?["cx"] ?? 0) < (dots.last?["cx"] ?? 0))
    #expect((dots.first?["cy"] ?? 0) > (dots.last?["cy"] ?? 0))
    // One ring belongs to the base, and one to the legend.
    #expect(shapes("circle", "ring", in: svg).compactMap { $0["r"] } == [8, 6])
  }

  @Test func `both bars of an hour share a column and a baseline`() {
    let counts = (0..<24).map { Int64($0 + 1) }
    let svg = ChartDrawing.svg(.hours(hours(up: counts, down: counts.reversed())), id: "a")
    // Skip the last bar of each kind, which belongs to the legend.
    let (ups, downs) = (shapes("rect", "up", in: svg).dropLast(), shapes("rect", "down", in: svg).dropLast())
    #expect(ups.count == 24 && downs.count == 24)
    var column = 0.0
    for (up, down) in zip(ups, downs) {
      #expect(up["x"] == down["x"] && up["width"] == down["width"])
      #expect((up["x"] ?? 0) > column)
      column = (up["x"] ?? 0) + (up["width"] ?? 0)
      #expect(abs((up["y"] ?? 0) + (up["height"] ?? 0) - (down["y"] ?? 0)) < 0.2)
    }
    #expect(ups.compactMap { $0["height"] } == downs.reversed().compactMap { $0["height"] })
    #expect(ups.compactMap { $0["height"] } == ups.compactMap { $0["height"] }.sorted())
  }

  @Test func `a tornado chart fits into its drawing`() throws {
    let rows = [(-0.5, 0.25), (0.5, 0.125)].map {
      Chart.Tornado.Row(label: "a", low: $0.0, high: $0.1, lowText: "low", highText: "high")
    }
    let svg = ChartDrawing.svg(
      .tornado(tornado(standard: 0.25, rows)), id: "a")
    let (low, high) = (shapes("circle", "end low", in: svg), shapes("circle", "end high", in: svg))
    // Skip the last circles, which belong to the legend.
    #expect(low.dropLast().compactMap { $0["cx"] } == [20, 460])
    #expect(high.dropLast().compactMap { $0["cx"] } == [350, 295])
    #expect(shapes("line", "zero", in: svg).first?["x1"] == 240)
    let bars = shapes("rect", "bar", in: svg)
    #expect(bars.compactMap { $0["x"] } == [20, 295])
    #expect(bars.compactMap { $0["width"] } == [330, 165])
  }

  @Test func `every chart has a scale and a legend`() {
    let row = Chart.Forest.Row(label: "a", text: "+1.00 pp", value: 0.01, lower: -0.01, upper: 0.03)
    let forest = Chart.Forest(
      title: "a",
      groups: [
        Chart.Forest.Group(rows: [row, row], reach: 0.03, ends: ["-3.00 pp", "+3.00 pp"]),
        Chart.Forest.Group(rows: [row], reach: 6, ends: ["-6.0000", "+6.0000"]),
      ])
    let bar = Chart.Tornado.Row(label: "a", low: -1, high: 2, lowText: "low", highText: "high")
    let charts: [(Chart, [String])] = [
      (
        .forest(forest),
        [
          "-3.00 pp", "0", "+3.00 pp", "-6.0000", "0", "+6.0000", "interval without 0: a difference",
          "interval with 0: maybe no difference",
        ]
      ),
      (
        .hours(hours(up: [12_345] + Array(repeating: 0, count: 23), down: Array(repeating: 7, count: 24))),
        [
          "notifications", "12,345", "0", "12,345", "21", "hour of the local day →", "gained: shown anew",
          "displaced: denied anew",
        ]
      ),
      (
        .scatter(
          Chart.Scatter(
            title: "a", xTitle: "x", yTitle: "y", sizeTitle: "larger: more z", points: [point(1, 0, 0)],
            xTexts: ["1", "9"], yTexts: ["2 %", "8 %"])),
        ["↑ y", "2 %", "8 %", "1", "9", "x →", "beaten by another policy", "the base", "larger: more z"]
      ),
      (
        .tornado(tornado(standard: 1, [bar])),
        ["least", "greatest", "difference of a →", "with the lowest value", "no difference"]
      ),
    ]
    for (chart, wanted) in charts {
      let svg = ChartDrawing.svg(chart, id: "a")
      var rest = texts(svg)[...]
      for text in wanted {
        let index = rest.firstIndex(of: text)
        #expect(index != nil, "'\(text)' is not in \(rest)")
        if let index { rest = rest[(index + 1)...] }
      }
      // All shapes are inside the drawing.
      let height = svg.components(separatedBy: "viewBox=\"0 0 480 ").last.flatMap {
        Double($0.prefix { $0 != "\"" })
      }
      #expect(shapes("text", "", in: svg).allSatisfy { $0["y"] ?? .infinity < height ?? 0 })
    }
  }
}
