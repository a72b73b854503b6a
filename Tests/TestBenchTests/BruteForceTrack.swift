import Foundation

/// Computes by brute force when a GPX track enters circles. It evaluates Vincenty's inverse formula at many
/// points between fixes and then bisects. It shares no code with the implementation under test.
struct BruteForceTrack {
  struct Point {
    var time: Double
    var latitude: Double
    var longitude: Double
  }

  struct Enter {
    var region: Int
    /// The time in seconds since 1970.
    var time: Double
  }

  struct Circle {
    var latitude: Double
    var longitude: Double
    var radius: Double
  }

  /// The segments of the track. The path between two segments is unknown.
  var segments: [[Point]] = []

  /// Parses the track points of a file. Of several points within a second, it keeps the first. A point at an
  /// impossible distance starts a new segment.
  init(gpx: Data) throws {
    var text = String(decoding: gpx, as: UTF8.self)[...]
    let date = ISO8601DateFormatter()
    while let start = text.range(of: "<trkpt lat=\"") {
      text = text[start.upperBound...]
      let latitude = Self.take(&text, until: "\" lon=\"")
      let longitude = Self.take(&text, until: "\"")
      _ = Self.take(&text, until: "<time>")
      let time = date.date(from: Self.take(&text, until: "</time>"))
      guard let time, let latitude = Double(latitude), let longitude = Double(longitude) else { continue }
      add(Point(time: time.timeIntervalSince1970, latitude: latitude, longitude: longitude))
    }
  }

  private static func take(_ text: inout Substring, until mark: String) -> String {
    guard let range = text.range(of: mark) else { return "" }
    defer { text = text[range.upperBound...] }
    return String(text[..<range.lowerBound])
  }

  private mutating func add(_ point: Point) {
    guard let last = segments.last?.last else {
      segments.append([point])
      return
    }
    if point.time == last.time { return }
    if Self.distance(last, point) > 400 * (point.time - last.time + 1) {
      segments.append([point])
    } else {
      segments[segments.count - 1].append(point)
    }
  }

  /// Returns all enters in chronological order.
  func enters(_ circles: [Circle]) -> [Enter] {
    var enters: [Enter] = []
    for (region, circle) in circles.enumerated() {
      let centre = Point(time: 0, latitude: circle.latitude, longitude: circle.longitude)
      func isInside(_ point: Point) -> Bool { Self.distance(point, centre) <= circle.radius }
      for segment in segments {
        for (a, b) in zip(segment, segment.dropFirst()) {
          let length = Self.distance(a, b)
          // The segment cannot reach the circle if the distance exceeds the radius by more than the segment's
          // length.
          if Self.distance(a, centre) > circle.radius + length + 1 { continue }
          let steps = max(2, Int(length * 4))
          var before = a
          for step in 1...steps {
            let after = Self.between(a, b, Double(step) / Double(steps))
            if !isInside(before), isInside(after) {
              enters.append(Enter(region: region, time: Self.bisect(before, after, isInside)))
            }
            before = after
          }
        }
      }
    }
    return enters.sorted { ($0.time, $0.region) < ($1.time, $1.region) }
  }

  private static func bisect(_ outside: Point, _ inside: Point, _ isInside: (Point) -> Bool) -> Double {
    var (low, high) = (outside, inside)
    for _ in 0..<40 {
      let middle = between(low, high, 0.5)
      if isInside(middle) { high = middle } else { low = middle }
    }
    return high.time
  }

  private static func between(_ a: Point, _ b: Point, _ fraction: Double) -> Point {
    Point(
      time: a.time + (b.time - a.time) * fraction,
      latitude: a.latitude + (b.latitude - a.latitude) * fraction,
      longitude: a.longitude + (b.longitude - a.longitude) * fraction)
  }

  /// Returns the distance in metres on WGS84, by Vincenty's inverse formula.
  static func distance(_ p: Point, _ q: Point) -> Double {
    let (a, f) = (6_378_137.0, 1 / 298.257223563)
    let b = a * (1 - f)
    let radians = Double.pi / 180
    let l = (q.longitude - p.longitude) * radians
    let u1 = atan((1 - f) * tan(p.latitude * radians))
    let u2 = atan((1 - f) * tan(q.latitude * radians))
    let (sinU1, cosU1, sinU2, cosU2) = (sin(u1), cos(u1), sin(u2), cos(u2))
    var lambda = l
    for _ in 0..<100 {
      let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
      let x = cosU2 * sinLambda
      let y = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
      let sinSigma = (x * x + y * y).squareRoot()
      if sinSigma == 0 { return 0 }
      let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
      let sigma = atan2(sinSigma, cosSigma)
      let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
      let cosAlpha2 = 1 - sinAlpha * sinAlpha
      let cos2M = cosAlpha2 == 0 ? 0 : cosSigma - 2 * sinU1 * sinU2 / cosAlpha2
      let c = f / 16 * cosAlpha2 * (4 + f * (4 - 3 * cosAlpha2))
      let next =
        l + (1 - c) * f * sinAlpha
        * (sigma + c * sinSigma * (cos2M + c * cosSigma * (2 * cos2M * cos2M - 1)))
      let change = abs(next - lambda)
      lambda = next
      guard change < 1e-12 else { continue }
      let k = cosAlpha2 * (a * a - b * b) / (b * b)
      let big = 1 + k / 16384 * (4096 + k * (-768 + k * (320 - 175 * k)))
      let small = k / 1024 * (256 + k * (-128 + k * (74 - 47 * k)))
      let delta =
        small * sinSigma
        * (cos2M + small / 4
          * (cosSigma * (2 * cos2M * cos2M - 1)
            - small / 6 * cos2M * (4 * sinSigma * sinSigma - 3) * (4 * cos2M * cos2M - 3)))
      return b * big * (sigma - delta)
    }
    return .infinity
  }
}
