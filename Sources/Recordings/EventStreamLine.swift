import TriggerModel

/// The object on one line of an event stream, checked: it is either a fix or an event.
struct EventStreamLine {
  private static let keys = ["t", "lat", "lon", "accuracy", "event", "name", "value"]

  private var instant: Instant?
  private var latitude: Double?
  private var longitude: Double?
  private var accuracy: Double?
  private var eventIndex: Int?
  private var name: String?
  private var value: Double?

  init(_ scanner: inout NDJSONScanner, names: [String]) throws(ScanProblem) {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "t" {
        guard instant == nil else { throw scanner.repeatedKey(key) }
        instant = try scanner.instant()
      } else if key == "lat" {
        guard latitude == nil else { throw scanner.repeatedKey(key) }
        latitude = try Self.degrees(&scanner, limit: 90)
      } else if key == "lon" {
        guard longitude == nil else { throw scanner.repeatedKey(key) }
        longitude = try Self.degrees(&scanner, limit: 180)
      } else if key == "accuracy" {
        guard accuracy == nil else { throw scanner.repeatedKey(key) }
        accuracy = try Self.accuracy(&scanner)
      } else if key == "event" {
        guard eventIndex == nil else { throw scanner.repeatedKey(key) }
        eventIndex = try Self.event(&scanner, names)
      } else if key == "name" {
        guard name == nil else { throw scanner.repeatedKey(key) }
        name = try scanner.string().string
      } else if key == "value" {
        guard value == nil else { throw scanner.repeatedKey(key) }
        value = try scanner.number()
      } else {
        throw scanner.unknownKey(key, known: Self.keys)
      }
    }
    try checkForm(scanner)
  }

  /// The fix, if the line is one.
  var fix: Fix? {
    guard let instant, let latitude, let longitude else { return nil }
    return Fix(
      instant: instant, coordinate: Coordinate(latitude: latitude, longitude: longitude),
      accuracy: accuracy ?? -1)
  }

  /// The event; only for a line that is not a fix.
  func event(line: Int) -> EventStreamReader.Event {
    EventStreamReader.Event(
      instant: instant ?? .distantPast, line: line, event: eventIndex ?? 0, name: name, value: value)
  }

  private func checkForm(_ scanner: NDJSONScanner) throws(ScanProblem) {
    guard instant != nil else { throw scanner.missingKey("t") }
    if eventIndex == nil {
      guard latitude != nil else { throw scanner.missingKey(longitude == nil ? "lat or event" : "lat") }
      guard longitude != nil else { throw scanner.missingKey("lon") }
      guard name == nil, value == nil else { throw Self.mixed }
    } else {
      guard latitude == nil, longitude == nil, accuracy == nil else { throw Self.mixed }
    }
  }

  private static let mixed = ScanProblem(
    .value, offset: 0, "the line mixes the keys of a fix (lat, lon, accuracy) and of an event",
    remedy: "write two lines")

  private static func degrees(_ scanner: inout NDJSONScanner, limit: Double) throws(ScanProblem) -> Double {
    let value = try scanner.number()
    guard abs(value) <= limit else {
      throw scanner.invalid(
        "\(value) is out of range", remedy: "degrees are from -\(Int(limit)) to \(Int(limit))")
    }
    return value
  }

  private static func accuracy(_ scanner: inout NDJSONScanner) throws(ScanProblem) -> Double {
    let metres = try scanner.number()
    guard metres >= 0 else {
      throw scanner.invalid(
        "the accuracy is negative", remedy: "leave the key away when the accuracy is not known")
    }
    return metres
  }

  private static func event(_ scanner: inout NDJSONScanner, _ names: [String]) throws(ScanProblem) -> Int {
    let text = try scanner.string()
    guard let index = names.firstIndex(of: text.string) else {
      throw scanner.unknown("event", text, known: names)
    }
    return index
  }
}
