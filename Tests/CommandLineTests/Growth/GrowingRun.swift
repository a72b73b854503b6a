import Foundation

/// Other quantities that can grow: the duration of a scenario, recordings, and the number of errors in a
/// file.
extension GrowingList {
  static let ofStories: [GrowingList] = [
    .init("days", 365) { story, days in
      story.days = days
      story.timeline = ["every day 08:00 unlock"]
      story.reminders = ["a: {when: unlock, repeat: daily, notify: {title: A, bucket: user}}"]
    },
    .init("days with plans that never hold", 182) { story, days in
      story.days = days
      story.timeline = ["every day 08:00 unlock"]
      for number in 0..<30 {
        story.reminders.append(
          "r\(number): {when: every day 09:00 ahead 7, if: charging, notify: {title: R}}")
      }
    },
    .init("days with plans", 182) { story, days in
      story.days = days
      story.timeline = ["every day 08:00 unlock"]
      story.remind(10, when: "every day 09:00 ahead 7")
    },
    .init("schedules of which few have room", 400) { story, count in
      story.days = 7
      story.declarations = ["profile: ios", "knobs: {pendingCapacity: 4}"]
      story.remind(count, when: "every day 18:00 ahead 7")
    },
    .init("lapses of which few have room", 400) { story, count in
      story.days = 7
      story.declarations = ["profile: ios", "knobs: {pendingCapacity: 4}"]
      story.remind(count, when: "'closed for 3, 5, 7 days at 18:00'")
    },
    .init("what the phone repeats and has no room for", 400) { story, count in
      story.days = 7
      story.declarations = ["profile: ios", "knobs: {pendingCapacity: 4}"]
      story.remind(count, when: "every day 18:00 ahead repeating")
    },
    .init("what is planned, of all kinds, and opened every day", 400) { story, count in
      story.days = 7
      story.declarations = ["profile: ios", "knobs: {pendingCapacity: 4}"]
      story.timeline = ["every day 08:00 open", "every day 08:05 leave"]
      let kinds = [
        "every day 12:00 ahead 2", "'closed for 3 days at 18:00'", "every day 14:00 ahead repeating",
      ]
      for number in 0..<count {
        story.reminders.append("r\(number): {when: \(kinds[number % 3]), notify: {title: R}}")
      }
    },
    .init("days with unlocks that nobody tells of", 90) { story, days in
      story.days = days
      story.declarations = ["profile: ios"]
      // Add an unlock every ten minutes, starting at 10:00.
      story.timeline = (0..<60).map { "every day \(10 + $0 / 6):\($0 % 6)0 unlock" }
      story.reminders = ["a: {when: unlock, repeat: always, notify: {title: A, bucket: user}}"]
    },
    .init("days without the app", 3650) { story, days in
      story.days = days
      story.declarations = ["include: fitme"]
      story.timeline = ["08:00 open"]
      story.reminders = ["a: {when: unlock, repeat: daily, notify: {title: A, bucket: user}}"]
    },
  ]

  static let ofRecordings: [GrowingList] = [
    .init("ndjson", 2000) { story, rows in
      story.timeline = ["ndjson: rows.ndjson"]
      story.files = [
        (
          "rows.ndjson",
          (0..<rows).map {
            #"{"t":"\#(instant(10 * $0))","event":"\#($0 % 2 == 0 ? "unlock" : "lock")"}"# + "\n"
          }.joined()
        )
      ]
    },
    .init("gpx", 1000) { story, fixes in
      story.declare("places", ["p: {at: [52.5, 13.4], radius: 150 m}"])
      story.reminders.append("r: {when: enter p, repeat: always, notify: {title: R}}")
      story.timeline = ["gpx: track.gpx"]
      story.files = [("track.gpx", track(fixes))]
    },
    .init("gpx again and again", 50) { story, times in
      story.days = times + 1
      story.timeline = (1...times).map { "{gpx: track.gpx, at: day \($0) 10:00}" }
      story.files = [("track.gpx", track(100))]
    },
    .init("aware battery", 1000) { story, rows in
      story.days = 2 + rows / 144
      story.timeline = ["{aware: {battery: battery.csv}}"]
      let rows = (0..<rows).map {
        "\(1_772_440_000 + 600 * $0),\(50 + $0 % 40),\($0 % 8 < 4 ? 2 : 3),\($0 % 8 < 4 ? 1 : 0)\n"
      }
      story.files = [("battery.csv", "time,battery_level,battery_status,battery_adaptor\n" + rows.joined())]
    },
    .init("aware screen", 1000) { story, rows in
      story.days = 2 + rows / 144
      story.timeline = ["{aware: {screen: screen.csv}}"]
      let rows = (0..<rows).map { "\(1_772_440_000 + 600 * $0),\($0 % 2 == 0 ? 3 : 2)\n" }
      story.files = [("screen.csv", "time,screen_status\n" + rows.joined())]
    },
  ]

  /// Files with many errors.
  static let ofMistakes: [GrowingList] = [
    .init("unknown reminders", 400) { $0.expect = GrowingStory.names("nobody", $1).map { $0 + " fires" } },
    .init("unknown facts", 400) { story, count in
      story.know(count)
      story.reminders += (0..<count).map { "r\($0): {when: unlock, if: g\($0) >= 0, notify: {title: R}}" }
    },
    .init("unknown actions", 400) { $0.timeline = GrowingStory.names("10:00 frob", $1) },
    .init("unknown keys", 400) { $0.declarations = GrowingStory.names("key", $1).map { $0 + ": 1" } },
  ]

  private static func instant(_ seconds: Int) -> String {
    let digits = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
    let (day, rest) = (8 * 3600 + seconds).quotientAndRemainder(dividingBy: 86_400)
    return "2026-03-\(digits(2 + day))T\(digits(rest / 3600)):\(digits(rest / 60 % 60)):\(digits(rest % 60))Z"
  }

  private static func track(_ fixes: Int) -> String {
    let points = (0..<fixes).map { number in
      #"<trkpt lat="52.\#(4000 + number % 2000)" lon="13.4"><time>\#(instant(10 * number))</time></trkpt>"#
        + "\n"
    }
    return #"<gpx version="1.1" creator="growth"><trk><trkseg>"# + points.joined() + "</trkseg></trk></gpx>\n"
  }
}
