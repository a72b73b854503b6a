import CivilTime

/// The oracle of recurrences (`oracle recurrence`): each input line is a rule, each output line its
/// occurrences.
public struct RecurrenceOracle {
  /// The number of occurrences that a line may request.
  public static let counts = 1...10_000

  private static let keys = ["start", "time", "timeZone", "frequency", "interval", "skip", "count"]

  /// Shared by all lines because loading a zone takes a millisecond.
  private var zones = ZoneTable()

  /// Creates the oracle. Zones are loaded when a line names them.
  public init() {}

  /// Returns the occurrences of a rule.
  ///
  /// The answer to
  /// `{"start":"2014-01-31","time":"09:00","timeZone":"Europe/Berlin","frequency":"monthly","interval":1,"skip":"backward","count":2}`
  /// is `{"occurrences":["2014-01-31T09:00:00+01:00","2014-02-28T09:00:00+01:00"]}`. The default of
  /// `interval` is 1, that of `skip` is backward.
  public mutating func answer(_ line: String) throws(OracleLineError) -> String {
    let fields = try JSONFields(
      JSONInput(line: line, "rule"), "rule", keys: Self.keys)
    let zone = try zone(fields)
    let count = try fields.count("count", in: Self.counts)
    let occurrences = try recurrence(fields).occurrences(in: zone).prefix(count)
    let texts = occurrences.map { "\"\($0.iso8601(in: zone))\"" }
    return "{\"occurrences\":[\(texts.joined(separator: ","))]}"
  }

  private mutating func zone(_ fields: JSONFields) throws(OracleLineError) -> Zone {
    let identifier = try fields.text("timeZone")
    do {
      let id = try zones.intern(identifier)
      return zones[id]
    } catch {
      throw OracleLineError("rule: \"timeZone\": \(error)")
    }
  }

  private func recurrence(_ fields: JSONFields) throws(OracleLineError) -> Recurrence {
    Recurrence(
      start: try fields.civil("start", CivilDate.init(iso8601:)),
      minute: try fields.civil("time", MinuteOfDay.parse),
      frequency: try fields.choice("frequency", Recurrence.Frequency.allCases.map { ($0.name, $0) }),
      interval: fields.has("interval") ? try fields.count("interval", in: Recurrence.intervals) : 1,
      skip: fields.has("skip")
        ? try fields.choice("skip", Recurrence.Skip.allCases.map { ($0.name, $0) }) : .backward)
  }
}

extension JSONFields {
  /// Reads a text that `read` can parse.
  fileprivate func civil<Value>(
    _ key: String, _ read: (String) throws(InvalidCivilText) -> Value
  ) throws(OracleLineError) -> Value {
    let text = try text(key)
    do { return try read(text) } catch {
      throw OracleLineError("\(place): \"\(key)\": \(error)")
    }
  }

  /// Reads an integer in a range.
  fileprivate func count(_ key: String, in range: ClosedRange<Int>) throws(OracleLineError) -> Int {
    let count = try count(key)
    guard range.contains(count) else {
      throw OracleLineError(
        "\(place): \"\(key)\" is \(count); write \(range.lowerBound) to \(range.upperBound)")
    }
    return count
  }
}
