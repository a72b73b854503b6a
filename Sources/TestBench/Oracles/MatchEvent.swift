import CivilTime
import Recordings
import TriggerModel

/// One event of the shared workload.
struct MatchEvent {
  /// As the line numbers it.
  var number: Int
  var event: ObservedEvent

  private static let kinds: [StaticString] = [
    "unlock", "locationEnter", "chargingStarted", "appOpened", "locationExit", "chargingStopped",
  ]

  init(_ scanner: inout NDJSONScanner) throws(ScanProblem) {
    let subject = try MatchSubject(&scanner, kinds: Self.kinds, isEvent: true)
    guard let number = subject.number else { throw scanner.missingKey("i") }
    guard let instant = subject.instant else { throw scanner.missingKey("t") }
    self.number = number
    let uptime = Uptime(boot: 0, span: max(TimeSpan(milliseconds: instant.millisecondsSince1970), .zero))
    event = ObservedEvent(
      subject.kind, subject: subject.subject, at: Moment(wall: instant, uptime: uptime, zone: ZoneID(0)))
  }
}

/// `{"type":…,"place":…}`: what triggers and events have in common.
struct MatchSubject {
  var kind: ObservedEvent.Kind
  var subject: UInt32 = 0
  /// For events: the number of the line's event, and when.
  var number: Int?
  var instant: Instant?

  init(_ scanner: inout NDJSONScanner, kinds: [StaticString], isEvent: Bool = false) throws(ScanProblem) {
    var kind: ObservedEvent.Kind?
    var (place, app): (Int?, Int?) = (nil, nil)
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "type" {
        guard kind == nil else { throw scanner.repeatedKey(key) }
        let name = try scanner.string()
        guard let known = kinds.first(where: { name == $0 }) else {
          throw scanner.unknown("type", name, known: kinds.map(\.description))
        }
        kind = Self.kind(known)
      } else if key == "place" {
        place = try scanner.integer(below: MatchReminders.places, "a place")
      } else if key == "app" {
        app = try scanner.integer(below: MatchReminders.apps, "an app")
      } else if isEvent, key == "i" {
        guard number == nil else { throw scanner.repeatedKey(key) }
        number = try scanner.integer(below: .max, "an event's number")
      } else if isEvent, key == "t" {
        guard instant == nil else { throw scanner.repeatedKey(key) }
        instant = try scanner.localInstant()
      } else {
        throw scanner.unknownKey(
          key, known: isEvent ? ["i", "t", "type", "place", "app"] : ["type", "place", "app"])
      }
    }
    guard let kind else { throw scanner.missingKey("type") }
    self.kind = kind
    switch kind {
    case .regionEntered, .regionExited:
      guard let place else { throw scanner.missingKey("place") }
      subject = UInt32(place)
    case .appOpened:
      guard let app else { throw scanner.missingKey("app") }
      subject = UInt32(app)
    default: break
    }
  }

  private static func kind(_ name: StaticString) -> ObservedEvent.Kind {
    switch name.description {
    case "unlock": .unlock
    case "locationEnter": .regionEntered
    case "locationExit": .regionExited
    case "chargingStarted": .chargingStarted
    case "chargingStopped": .chargingStopped
    default: .appOpened
    }
  }
}

extension NDJSONScanner {
  /// A whole number from 0 on.
  mutating func integer(below bound: Int, _ what: String) throws(ScanProblem) -> Int {
    let value = try integer()
    guard value >= 0, value < bound else {
      throw invalid("\(value) is not \(what)", remedy: "write a number from 0 to \(bound - 1)")
    }
    return Int(value)
  }

  /// A local time of day such as "07:30".
  mutating func minuteOfDay() throws(ScanProblem) -> Int {
    let text = try string()
    let digits = text.bytes.map { Int($0) - 0x30 }
    guard digits.count == 5, text.bytes[2] == UInt8(ascii: ":"),
      [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) }),
      digits[0] * 10 + digits[1] < 24, digits[3] < 6
    else { throw invalid("\"\(text.string.prefix(64))\" is not a time of day", remedy: "write it as 07:30") }
    return (digits[0] * 10 + digits[1]) * 60 + digits[3] * 10 + digits[4]
  }

  /// A local time without zone, read as UTC.
  mutating func localInstant() throws(ScanProblem) -> Instant {
    let text = try string()
    guard let stamp = Timestamp(text), stamp.offset == nil else {
      throw invalid(
        "\"\(text.string.prefix(64))\" is not a local time",
        remedy: "write it as 2026-01-05T00:05:17, without zone")
    }
    return stamp.instant
  }
}
