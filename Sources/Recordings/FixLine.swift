import TriggerModel

/// The object on one line of an event stream, if it is a fix.
struct FixLine {
  private static let keys = ["t", "lat", "lon", "accuracy"]

  private var instant: Instant?
  private var latitude: Double?
  private var longitude: Double?
  private var accuracy: Double?

  /// Nil, and the scanner somewhere on the line, when it has an `event`: then it is none.
  init?(_ scanner: inout NDJSONScanner) throws(ScanProblem) {
    let begin = scanner
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
      } else {
        if key == "event" { return nil }
        if try Self.hasEvent(begin) { return nil }
        throw scanner.unknownKey(key, known: Self.keys + ["event"])
      }
    }
    guard instant != nil else { throw scanner.missingKey("t") }
    guard latitude != nil else { throw scanner.missingKey(longitude == nil ? "lat or event" : "lat") }
    guard longitude != nil else { throw scanner.missingKey("lon") }
  }

  var fix: Fix? {
    guard let instant, let latitude, let longitude else { return nil }
    return Fix(
      instant: instant, coordinate: Coordinate(latitude: latitude, longitude: longitude),
      accuracy: accuracy ?? -1)
  }

  /// Whether an object has the key `event`, wherever it stands.
  private static func hasEvent(_ begin: NDJSONScanner) throws(ScanProblem) -> Bool {
    var scanner = begin
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "event" { return true }
      try scanner.skipValue()
    }
    return false
  }

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
}
