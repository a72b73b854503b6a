import CivilTime
public import Foundation
import Recordings
import ReminderEngine
import ReminderMatching
import TextFormats
import TriggerModel

/// The oracle of the reminder engine (`oracle match`). It reads the events of the shared workload and writes
/// the reminders that they fire.
///
/// Times have no zone and are interpreted as UTC.
public struct MatchOracle {
  /// The limit on how often a reminder may fire.
  public enum Mode: String, Sendable, CaseIterable {
    /// At most once, or at most once per UTC day.
    case once, daily
  }

  private let program: ReminderProgram
  /// The number of each reminder, by its index in the program.
  private let numbers: [UInt32]
  private var engine: ReminderEngine
  private var buffer = MatchBuffer()
  private var lastEvent = Instant.distantPast

  /// Reads reminders, one per line:
  /// `{"id":0,"trigger":{"type":"locationEnter","place":0},"conditions":[{"type":"charging"}]}`.
  ///
  /// - Parameters:
  ///   - data: The lines.
  ///   - file: The name of the file, for messages.
  ///   - mode: How often each reminder fires.
  /// - Throws: The first problem, with file, line and column.
  public init(reminders data: Data, file: String, mode: Mode) throws(OracleLineError) {
    var lines = MatchReminders(repeats: mode == .once ? .once : .daily)
    do throws(RecordingError) {
      try NDJSON.forEachLine(data, file: file) { (_, scanner) throws(ScanProblem) in try lines.read(&scanner)
      }
    } catch {
      throw OracleLineError("\(error)")
    }
    // The answer lists the fires of one event in ascending order of the reminders' numbers.
    lines.reminders.sort { $0.number < $1.number }
    numbers = lines.reminders.map(\.number)
    var zones = ZoneTable()
    do {
      program = try ReminderProgram(compiling: lines.reminders.map(\.declaration), names: lines.names)
      let utc = try zones.intern("UTC")
      engine = ReminderEngine(program: program, zones: zones, zone: utc)
    } catch {
      throw OracleLineError("\(file): \(error)")
    }
  }

  /// Processes events, one per line (`{"i":0,"t":"2026-01-05T00:05:17","type":"unlock"}`). Writes
  /// `{"event":n,"reminder":id}` for each fire, in chunks of several thousand lines.
  public mutating func answer(
    _ events: Data, file: String, write: (String) -> Void
  ) throws(OracleLineError) {
    var output: [UInt8] = []
    // Also write the fires that precede an invalid line.
    defer { write(String(decoding: output, as: UTF8.self)) }
    try play(events, file: file) { event, reminder in
      output += "{\"event\":\(event),\"reminder\":\(reminder)}\n".utf8
      if output.count > 1 << 16 {
        write(String(decoding: output, as: UTF8.self))
        output.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Processes events and returns `{"fires":n,"hash":"16 hexadecimal digits"}`.
  public mutating func digest(_ events: Data, file: String) throws(OracleLineError) -> String {
    var digest = FireDigest()
    try play(events, file: file) { digest.add(event: $0, reminder: $1) }
    return "{\"fires\":\(digest.fires),\"hash\":\"\(digest.value.hexadecimal)\"}"
  }

  private mutating func play(
    _ data: Data, file: String, _ fire: (_ event: Int, _ reminder: UInt32) -> Void
  ) throws(OracleLineError) {
    var failure: RecordingError?
    do throws(RecordingError) {
      try NDJSON.forEachLine(data, file: file) { (_, scanner) throws(ScanProblem) in
        let line = try MatchEvent(&scanner)
        guard line.event.moment.wall >= lastEvent else {
          throw ScanProblem(
            .value, offset: 0, "the event is earlier than the one before", remedy: "sort the events by time")
        }
        lastEvent = line.event.moment.wall
        engine.match(line.event, into: &buffer)
        for index in 0..<buffer.count { fire(line.number, numbers[buffer[index].reminder.index]) }
      }
    } catch {
      failure = error
    }
    if let failure { throw OracleLineError("\(failure)") }
  }
}

/// The reminders of the shared workload, parsed line by line.
struct MatchReminders {
  /// The number of apps. Apps are numbered 0…9,999, and places 0…19.
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
          throw scanner.invalid("another reminder has this id", remedy: "use different ids")
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
    let event = try MatchSubject(&scanner, isEvent: false)
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

/// An event of the shared workload.
struct MatchEvent {
  /// The number of the event, as its line states it.
  var number: Int
  var event: ObservedEvent

  init(_ scanner: inout NDJSONScanner) throws(ScanProblem) {
    let subject = try MatchSubject(&scanner, isEvent: true)
    guard let number = subject.number else { throw scanner.missingKey("i") }
    guard let instant = subject.instant else { throw scanner.missingKey("t") }
    self.number = number
    let uptime = Uptime(boot: 0, span: max(TimeSpan(milliseconds: instant.millisecondsSince1970), .zero))
    event = ObservedEvent(
      subject.kind, subject: subject.subject, at: Moment(wall: instant, uptime: uptime, zone: ZoneID(0)))
  }
}

/// The members that triggers and events have in common: `{"type":…,"place":…}`.
struct MatchSubject {
  var kind: ObservedEvent.Kind
  var subject: UInt32 = 0
  /// The number and the instant of an event, or `nil` for a trigger.
  var number: Int?
  var instant: Instant?

  /// The names of event kinds. Only the first four kinds can be triggers.
  private static let kinds: [(word: StaticString, kind: ObservedEvent.Kind)] = [
    ("unlock", .unlock), ("locationEnter", .regionEntered), ("chargingStarted", .chargingStarted),
    ("appOpened", .appOpened), ("locationExit", .regionExited), ("chargingStopped", .chargingStopped),
  ]

  init(_ scanner: inout NDJSONScanner, isEvent: Bool) throws(ScanProblem) {
    let kinds = isEvent ? Self.kinds[...] : Self.kinds.prefix(4)
    var kind: ObservedEvent.Kind?
    var (place, app): (Int?, Int?) = (nil, nil)
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "type" {
        guard kind == nil else { throw scanner.repeatedKey(key) }
        let name = try scanner.string()
        kind = kinds.first { name == $0.word }?.kind
        if kind == nil { throw scanner.unknown("type", name, known: kinds.map(\.word.description)) }
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
}

extension NDJSONScanner {
  /// Parses a non-negative integer below a bound.
  mutating func integer(below bound: Int, _ what: String) throws(ScanProblem) -> Int {
    let value = try integer()
    guard value >= 0, value < bound else {
      throw invalid("\(value) is not \(what)", remedy: "write a number from 0 to \(bound - 1)")
    }
    return Int(value)
  }

  /// Parses a local time of day such as "07:30".
  mutating func minuteOfDay() throws(ScanProblem) -> Int {
    let text = try string()
    let digits = text.bytes.map { Int($0) - 0x30 }
    guard digits.count == 5, text.bytes[2] == UInt8(ascii: ":"),
      [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) }),
      digits[0] * 10 + digits[1] < 24, digits[3] < 6
    else { throw invalid("\"\(text.string.prefix(64))\" is not a time of day", remedy: "write it as 07:30") }
    return (digits[0] * 10 + digits[1]) * 60 + digits[3] * 10 + digits[4]
  }

  /// Parses a local time without a zone as UTC.
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

/// The digest of a list of fires, as the shared workload defines it: FNV-1a over event and reminder.
@usableFromInline
package struct FireDigest: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package var value: UInt64 = 0xCBF2_9CE4_8422_2325
  @usableFromInline package var fires = 0

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package mutating func add(event: Int, reminder: UInt32) {
    value = (value ^ UInt64(truncatingIfNeeded: event)) &* 0x100_0000_01B3
    value = (value ^ UInt64(reminder)) &* 0x100_0000_01B3
    fires &+= 1
  }
}
