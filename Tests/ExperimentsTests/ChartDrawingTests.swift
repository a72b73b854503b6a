import Foundation
import Testing

@testable import ExperimentReports

/// Where the shapes of a drawing lie.
@Suite struct ChartDrawingTests {
  /// Attributes of each element of a name whose class begins with a word, in the order in which they are drawn.
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

  private func point(_ number: Int, _ x: Double, _ y: Double, size: Double = 0) -> Chart.Scatter.Point {
    Chart.Scatter.Point(
      number: number, label: "", x: x, y: y, size: size, isOnFront: true, isBase: number == 1)
  }

  private func scatter(_ points: [Chart.Scatter.Point]) -> String {
    let chart = Chart.Scatter(
      title: "a", xTitle: "x", yTitle: "y", sizeTitle: "z", points: points, xTexts: [], yTexts: [])
    return ChartDrawing.svg(.scatter(chart), id: "a")
  }

  @Test func numbersOfDotsInOnePlaceStandOnItsFourSides() {
    let svg = scatter((1...4).map { point($0, 1, 1, size: 1) })
    let dots = shapes("circle", "dot", in: svg)
    let numbers = shapes("text", "label small", in: svg)
    #expect(dots.count == 4 && numbers.count == 4)
    let sides = zip(dots, numbers).map { dot, number -> String in
      let (x, y) = ((number["x"] ?? 0) - (dot["cx"] ?? 0), (number["y"] ?? 0) - (dot["cy"] ?? 0))
      // Text stands on its line, so that one beside a dot is a little below its middle.
      return x < 0 ? "left" : x > 0 ? "right" : y < 0 ? "above" : "below"
    }
    #expect(sides == ["above", "below", "right", "left"])
    for (dot, number) in zip(dots, numbers) {
      let away = [("x", "cx"), ("y", "cy")].map { abs((number[$0.0] ?? 0) - (dot[$0.1] ?? 0)) }
      #expect(away.contains { $0 > dot["r"] ?? .infinity }, "\(number) lies on its dot")
    }
  }

  @Test func theLinesOfATornadoLieOverItsBarsAndNotItsLabels() {
    let rows = (0..<4).map {
      Chart.Tornado.Row(
        label: "a", low: Double($0), high: Double($0) + 3, lowText: "low", highText: "high")
    }
    let chart = Chart.Tornado(title: "a", standard: 1, standardText: "1", rows: rows)
    let svg = ChartDrawing.svg(.tornado(chart), id: "a")
    let lines = shapes("line", "", in: svg)
    #expect(lines.count == 2 * 4 + 2)
    for label in shapes("text", "label", in: svg) {
      // What stands on its line is 14 high at the most.
      // The last two are in the legend.
      for line in lines.dropLast(2) {
        let isBeside = (line["x1"] ?? 0) < (label["x"] ?? 0)
        #expect(
          isBeside || (line["y2"] ?? 0) < (label["y"] ?? 0) - 14 || (line["y1"] ?? 0) > label["y"] ?? 0,
          "\(line) goes through \(label)")
      }
    }
  }

  @Test func numbersDoNotLieOnEachOther() {
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

  @Test func dotsGrowWithTheThirdFigure() {
    let svg = scatter([point(1, 0, 0), point(2, 1, 1, size: 0.5), point(3, 2, 2, size: 1)])
    let dots = shapes("circle", "dot", in: svg)
    #expect(dots.compactMap { $0["r"] } == [4, 6.5, 9])
    #expect((dots.first?["cx"] ?? 0) < (dots.last?["cx"] ?? 0))
    #expect((dots.first?["cy"] ?? 0) > (dots.last?["cy"] ?? 0))
    // The base has a ring around its dot.
    #expect(shapes("circle", "ring", in: svg).compactMap { $0["r"] } == [8])
  }

  @Test func barsOfAnHourStandOnEachOtherInTheirOwnColumn() {
    let counts = (0..<24).map { Int64($0 + 1) }
    let chart = Chart.Hours(title: "a", up: ("shown", counts), down: ("tapped", counts.reversed()))
    let svg = ChartDrawing.svg(.hours(chart), id: "a")
    let (ups, downs) = (shapes("rect", "up", in: svg), shapes("rect", "down", in: svg))
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

  @Test func assumptionsLieWithinTheDrawing() throws {
    let rows = [(-0.5, 0.25), (0.5, 0.125)].map {
      Chart.Tornado.Row(label: "a", low: $0.0, high: $0.1, lowText: "low", highText: "high")
    }
    let svg = ChartDrawing.svg(
      .tornado(Chart.Tornado(title: "a", standard: 0.25, standardText: "b", rows: rows)), id: "a")
    let (low, high) = (shapes("circle", "end low", in: svg), shapes("circle", "end high", in: svg))
    // Those of the legend come last.
    #expect(low.dropLast().compactMap { $0["cx"] } == [20, 460])
    #expect(high.dropLast().compactMap { $0["cx"] } == [350, 295])
    #expect(shapes("line", "zero", in: svg).first?["x1"] == 240)
    let bars = shapes("rect", "bar", in: svg)
    #expect(bars.compactMap { $0["x"] } == [20, 295])
    #expect(bars.compactMap { $0["width"] } == [330, 165])
  }

  @Test func countsByHourAreTheSameOnlyInBothDirections() {
    let one = Chart.Hours(title: "a", up: ("shown", [1]), down: ("tapped", [2]))
    var other = one
    #expect(other == one)
    other.up.counts = [3]
    #expect(other != one)
    other = one
    other.down.counts = [3]
    #expect(other != one)
    other = one
    other.title = "b"
    #expect(other != one)
  }
}
