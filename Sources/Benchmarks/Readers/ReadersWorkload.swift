import CivilTime
import TriggerModel

/// A walk with a fix every second, as text in the formats that are read.
enum ReadersWorkload {
  /// 2026-03-02T07:00:00Z
  private static let start = Instant(millisecondsSince1970: 1_772_434_800_000)

  /// `{"t":"2026-03-02T07:00:00Z","lat":52.520000,"lon":13.405000,"accuracy":8}`, a line a fix.
  static func ndjson(fixes: Int) -> String {
    var text = ""
    text.reserveCapacity(fixes * 80)
    for index in 0..<fixes {
      let (time, latitude, longitude) = fix(index)
      text += "{\"t\":\"\(time)\",\"lat\":\(latitude),\"lon\":\(longitude),\"accuracy\":\(5 + index % 20)}\n"
    }
    return text
  }

  /// A track of one segment, indented as most programs write it.
  static func gpx(fixes: Int) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"benchmark\">\n"
    text += " <trk>\n  <trkseg>\n"
    text.reserveCapacity(fixes * 120)
    for index in 0..<fixes {
      let (time, latitude, longitude) = fix(index)
      text += "   <trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">\n    <ele>\(30 + index % 9).5</ele>\n"
      text += "    <time>\(time)</time>\n   </trkpt>\n"
    }
    return text + "  </trkseg>\n </trk>\n</gpx>\n"
  }

  /// To and fro over 0.1 degrees, some metres a second.
  private static func fix(_ index: Int) -> (time: String, latitude: String, longitude: String) {
    let along = abs(index * 31 % 200_000 - 100_000)
    return ((start + .seconds(Int64(index))).iso8601, "52.\(500_000 + along)", "13.\(400_000 + along)")
  }
}
