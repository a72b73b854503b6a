import CivilTime
import Recordings
import ReminderMatching
import TriggerModel

/// The reminders of the shared workload, read line by line.
struct MatchReminders {
  /// Places are numbered 0…19, apps 0…9,999.
  static let apps = 10_000
  static let places = 20

  let names = EngineNames(
    apps: (0..<Self.apps).map { "app\($0)" },
    regions: (0..<Self.places).map { "place\($0)" })
  var reminders: [(number: UInt32, declaration: ReminderDeclaration)] = []
  private var seen: Set<UInt32> = []
  private let repeats: Repeat

  init(repeats: Repeat) {
    self.repeats = repeats
  }

  mutating func read(_ scanner: inout NDJSONScanner) throws(ScanProblem) {
    var number: UInt32?
    var trigger: Trigger?
    var conditions: [Condition]?
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "id" {
        guard number == nil else { throw scanner.repeatedKey(key) }
        number = UInt32(try scanner.integer(below: 1 << 32, "an id"))
        guard seen.insert(number ?? 0).inserted else {
          throw scanner.invalid("there is a reminder of this id already", remedy: "number them apart")
        }
      } else if key == "trigger" {
        guard trigger == nil else { throw scanner.repeatedKey(key) }
        trigger = try self.trigger(&scanner)
      } else if key == "conditions" {
        guard conditions == nil else { throw scanner.repeatedKey(key) }
        conditions = []
        try scanner.beginArray()
        while try scanner.nextElement() { conditions?.append(try condition(&scanner)) }
      } else {
        throw scanner.unknownKey(key, known: ["id", "trigger", "conditions"])
      }
    }
    guard let number else { throw scanner.missingKey("id") }
    guard let trigger else { throw scanner.missingKey("trigger") }
    guard let conditions else { throw scanner.missingKey("conditions") }
    let declaration = ReminderDeclaration(
      id: "r\(number)", triggers: [trigger], conditions: conditions, repeats: repeats,
      notification: NotificationDeclaration(type: "reminder"))
    reminders.append((number, declaration))
  }

  private func trigger(_ scanner: inout NDJSONScanner) throws(ScanProblem) -> Trigger {
    let event = try MatchSubject(
      &scanner, kinds: ["unlock", "locationEnter", "chargingStarted", "appOpened"])
    switch event.kind {
    case .unlock: return .unlock
    case .chargingStarted: return .chargingStarted
    case .regionEntered: return .regionEntered(names.regions[Int(event.subject)])
    default: return .appOpened(names.apps[Int(event.subject)])
    }
  }

  private func condition(_ scanner: inout NDJSONScanner) throws(ScanProblem) -> Condition {
    var type: JSONText?
    var (from, to): (Int?, Int?) = (nil, nil)
    var place: Int?
    var days: WeekdaySet?
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "type" {
        type = try scanner.string()
        guard let type, Self.conditions.contains(where: { type == $0 }) else {
          throw scanner.unknown("condition", type ?? key, known: Self.conditions.map(\.description))
        }
      } else if key == "from" {
        from = try scanner.minuteOfDay()
      } else if key == "to" {
        to = try scanner.minuteOfDay()
      } else if key == "place" {
        place = try scanner.integer(below: Self.places, "a place")
      } else if key == "days" {
        days = []
        try scanner.beginArray()
        while try scanner.nextElement() {
          days?.formUnion(WeekdaySet(rawValue: 1 << UInt8(try scanner.integer(below: 7, "a weekday"))))
        }
      } else {
        throw scanner.unknownKey(key, known: ["type", "from", "to", "place", "days"])
      }
    }
    guard let type else { throw scanner.missingKey("type") }
    if type == "timeWindow" {
      guard let from else { throw scanner.missingKey("from") }
      guard let to else { throw scanner.missingKey("to") }
      return .timeWindow(DailyWindow(from: from, to: to))
    }
    if type == "insidePlace" {
      guard let place else { throw scanner.missingKey("place") }
      return .inside(names.regions[place])
    }
    if type == "charging" { return .charging(true) }
    guard let days else { throw scanner.missingKey("days") }
    return .weekdays(days)
  }

  private static let conditions: [StaticString] = ["timeWindow", "insidePlace", "charging", "weekdays"]
}
