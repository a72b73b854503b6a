import CivilTime

/// The oracle of recurrences (`oracle recurrence`). Each input line is a rule, and the output line contains
/// its occurrences.
public struct RecurrenceOracle {
  /// The number of occurrences that a line may request.
  public static let counts = 1...10_000

  private static let keys = ["start", "time", "timeZone", "frequency", "interval", "skip", "count"]

  /// A cache of loaded zones, because loading a zone takes about a millisecond.
  private var zones = ZoneTable()

  /// Creates the oracle. A zone is loaded when a line first names it.
  public init() {}

  /// Returns the occurrences of a rule.
  ///
  /// For example, the rule
  /// `{"start":"2014-01-31","time":"09:00","timeZone":"Europe/Berlin","frequency":"monthly","interval":1,"skip":"backward","count":2}`
  /// has the answer `{"occurrences":["2014-01-31T09:00:00+01:00","2014-02-28T09:00:00+01:00"]}`. By default,
  /// `interval` is 1 and `skip` is `backward`.
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
  /// Reads a string and parses it with `read`.
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
