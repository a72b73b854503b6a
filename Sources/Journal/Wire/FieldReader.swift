import CivilTime
import NotificationGateway
import Recordings
import TriggerModel

/// Reads the fields of a row from a JSON object.
struct FieldReader {
  let names: WireNames
  var fields = ObjectFields()
  /// The members of a nested object.
  private var inner = ObjectFields()
  var requests = RequestMemory()
  // The stamp of the current record.
  var person: UInt64 = 0
  var device: UInt8 = 0
  var instant = Instant.distantPast
  var moment = Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))
  /// The state in a `persist` line, or `nil` if the line contains none.
  var stored: [UInt8]?

  init(_ names: WireNames) {
    self.names = names
  }

  /// Returns the value for a key, or `nil` if the key is missing.
  mutating func optional<Value>(
    _ key: StaticString, _ body: (inout NDJSONScanner) throws(ScanProblem) -> Value
  ) throws(WireProblem) -> Value? {
    guard var scanner = fields.take(key) else { return nil }
    do throws(ScanProblem) {
      return try body(&scanner)
    } catch {
      throw WireProblem(error, field: key.description)
    }
  }

  mutating func read<Value>(
    _ key: StaticString, _ presence: Presence<Value>,
    _ body: (inout NDJSONScanner) throws(ScanProblem) -> Value
  ) throws(WireProblem) -> Value {
    if let value = try optional(key, body) { return value }
    guard let value = presence.defaultValue else { throw fields.missing(key) }
    return value
  }

  /// Reads a name and returns its position in a table. The table must contain the name.
  mutating func position(
    _ key: StaticString, in table: NameTable, _ presence: Presence<UInt32>
  ) throws(WireProblem) -> UInt32 {
    try read(key, presence) { (scanner) throws(ScanProblem) in try scanner.position(in: table) }
  }

  /// Reads the readings of the phone's clocks.
  ///
  /// - Parameter other: The default values of missing fields, or `nil` if all fields are required.
  mutating func moment(orElse other: Moment?) throws(WireProblem) -> Moment {
    func presence<Value>(_ value: (Moment) -> Value) -> Presence<Value> {
      other.map { .orElse(value($0)) } ?? .always
    }
    let wall = try time("wall", .distantPast, on: .wall, isNullable: false, presence(\.wall))
    let zone = try position("zone", in: names[.zone], presence(\.zone.rawValue))
    let boot: UInt32 = try integer("boot", 0, presence(\.uptime.boot))
    let uptime = try integer(
      "uptime", 0, in: 0...TimeSpan.wireRange.upperBound, presence(\.uptime.span.milliseconds))
    return Moment(
      wall: wall, uptime: Uptime(boot: boot, span: TimeSpan(milliseconds: uptime)), zone: ZoneID(zone))
  }
}

extension NDJSONScanner {
  /// Reads a string and returns its position in a table of names. The table must contain the string.
  mutating func position(in table: NameTable) throws(ScanProblem) -> UInt32 {
    let text = try string()
    if let position = table.position(of: text) { return position }
    let name = text.string
    throw invalid(
      "unknown \(table.noun) \"\(name.prefix(64))\"",
      remedy: table.remedy(for: name),
      .unknownName)
  }
}

extension FieldReader: FieldCoder {
  typealias Failure = WireProblem

  mutating func name(
    _ key: StaticString, _ list: NameList, _ id: UInt32, _ presence: Presence<UInt32>
  ) throws(WireProblem) -> UInt32 {
    try position(key, in: names[list], presence)
  }

  mutating func integer(
    _ key: StaticString, _ value: Int64, in range: ClosedRange<Int64>, _ presence: Presence<Int64>
  ) throws(WireProblem) -> Int64 {
    try read(key, presence) { (scanner) throws(ScanProblem) in
      let number = try scanner.integer()
      guard range.contains(number) else {
        throw scanner.invalid(
          "\(number) is out of range",
          remedy: "write a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
  }

  mutating func number(
    _ key: StaticString, _ value: Double, in range: ClosedRange<Double>, _ presence: Presence<Double>
  ) throws(WireProblem) -> Double {
    try read(key, presence) { (scanner) throws(ScanProblem) in
      let number = try scanner.number()
      guard range.contains(number) else {
        let highest = range.upperBound < 1e9 ? "to \(Int(range.upperBound))" : "on"
        throw scanner.invalid(
          "\(number) is out of range", remedy: "write a number from \(Int(range.lowerBound)) \(highest)")
      }
      return number
    }
  }

  mutating func truth(
    _ key: StaticString, _ value: Bool, _ presence: Presence<Bool>
  ) throws(WireProblem) -> Bool {
    try read(key, presence) { (scanner) throws(ScanProblem) in try scanner.truth() }
  }

  mutating func time(
    _ key: StaticString, _ value: Instant, on clock: WireClock, isNullable: Bool,
    _ presence: Presence<Instant>
  ) throws(WireProblem) -> Instant {
    try read(key, presence) { (scanner) throws(ScanProblem) in
      if isNullable, scanner.peek() == .null {
        try scanner.null()
        return .distantFuture
      }
      return try scanner.instant()
    }
  }

  mutating func word(
    _ key: StaticString, _ words: NameTable, _ word: UInt8, _ presence: Presence<UInt8>
  ) throws(WireProblem) -> UInt8 {
    UInt8(truncatingIfNeeded: try position(key, in: words, presence.map { UInt32($0) }))
  }

  mutating func optionalWord(
    _ key: StaticString, _ words: NameTable, _ word: UInt8?
  ) throws(WireProblem) -> UInt8? {
    try optional(key) { (scanner) throws(ScanProblem) in
      UInt8(truncatingIfNeeded: try scanner.position(in: words))
    }
  }

  mutating func words(
    _ key: StaticString, _ words: NameTable, _ set: UInt64
  ) throws(WireProblem) -> UInt64 {
    try read(key, .always) { (scanner) throws(ScanProblem) in
      var set: UInt64 = 0
      try scanner.beginArray()
      while try scanner.nextElement() { set |= 1 << UInt64(try scanner.position(in: words)) }
      return set
    }
  }

  mutating func count(_ key: StaticString, _ count: UInt32?) throws(WireProblem) -> UInt32? {
    let isNull = try read(key, .always) { (scanner) throws(ScanProblem) in
      guard scanner.peek() == .null else { return false }
      try scanner.null()
      return true
    }
    return isNull ? nil : try integer(key, 0)
  }

  func has(_ key: StaticString, _ isThere: Bool) -> Bool { fields.has(key) }

  mutating func choice(_ keys: [StaticString], _ chosen: Int) throws(WireProblem) -> Int {
    let present = keys.indices.filter { fields.has(keys[$0]) }
    guard let one = present.first else { throw fields.missing(oneOf: keys) }
    guard present.count == 1 else { throw fields.excluded(keys[present[1]], by: keys[one]) }
    return one
  }

  mutating func value(
    _ key: StaticString, of fact: FactID, _ value: FactValue
  ) throws(WireProblem) -> FactValue {
    let kind = names.facts[fact.index].kind
    let list = names.names(of: fact)
    return try read(key, .always) { (scanner) throws(ScanProblem) in
      if scanner.peek() == .null {
        try scanner.null()
        return .missing
      }
      switch kind {
      case .truth: return .truth(try scanner.truth())
      case .number: return .number(thousandths: try scanner.thousandths())
      case .instant: return .instant(try scanner.instant())
      case .date: return .date(try scanner.date())
      case .name: return .name(Int(try scanner.position(in: list)))
      }
    }
  }

  mutating func edit(
    _ key: StaticString, of reminder: ReminderID, _ edit: UInt32
  ) throws(WireProblem) -> UInt32 {
    names.edit(try position(key, in: names.edits(of: reminder), .always), of: reminder)
  }

  mutating func destination(_ destination: LinkDestination) throws(WireProblem) -> LinkDestination {
    let consumer = try position("consumer", in: names[.consumer], .always)
    let pattern = try position("pattern", in: names.patterns(of: consumer), .always)
    return LinkDestination(
      consumer: UInt32(consumer), pattern: UInt32(pattern),
      isFallback: try flag("fallback", false))
  }

  func known(_ id: RequestID) -> NotificationRequest? {
    requests.last(id, person: person, device: device)
  }

  mutating func remember(_ request: NotificationRequest) {
    requests.remember(request, person: person, device: device)
  }

  func rank(of reminder: ReminderID) -> UInt32 { names.rank(of: reminder) }

  mutating func cause(_ key: StaticString, _ event: ObservedEvent) throws(WireProblem) -> ObservedEvent {
    guard var scanner = fields.take(key) else { throw fields.missing(key) }
    do throws(WireProblem) {
      try inner.scan(&scanner)
      swap(&fields, &inner)
      defer { swap(&fields, &inner) }
      return try cause()
    } catch {
      var problem = error
      problem.field = key.description + (error.field.map { ".\($0)" } ?? "")
      throw problem
    }
  }

  private mutating func cause() throws(WireProblem) -> ObservedEvent {
    let word = try position("event", in: ObservedEvent.Kind.table, .always)
    let kind = ObservedEvent.Kind(raw: UInt8(truncatingIfNeeded: word), .unlock)
    var cause = try ObservedEvent(row: kind, at: moment).coded(by: &self)
    cause.moment = try moment(orElse: moment)
    try fields.end()
    return cause
  }

  mutating func state(_ key: StaticString) throws(WireProblem) {
    stored = try optional(key) { (scanner) throws(ScanProblem) in
      let text = try scanner.string()
      guard !text.hasEscapes, let bytes = Base64.decode(text.bytes) else {
        throw scanner.invalid("this is not base64", remedy: "encode the state in base64 with padding")
      }
      return bytes
    }
  }
}

extension NDJSONScanner {
  /// Reads a number with at most three decimals, and returns it in thousandths.
  fileprivate mutating func thousandths() throws(ScanProblem) -> Int64 {
    let number = try decimal()
    guard let value = number.scaled(by: 3), number.isWhole(by: 3), value != .min else {
      throw invalid("expected a number with at most three decimals", remedy: "write it as 12.5")
    }
    return value
  }
}

extension DecimalNumber {
  /// Returns whether the number times 10^`places` is an integer.
  fileprivate func isWhole(by places: Int) -> Bool {
    guard isComplete else { return false }
    var rest = significand
    for _ in 0..<max(0, -(exponent + places)) where rest != 0 {
      if rest % 10 != 0 { return false }
      rest /= 10
    }
    return true
  }
}
