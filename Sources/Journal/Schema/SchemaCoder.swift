import NotificationGateway
import TextFormats
import TriggerModel

/// A coder that collects the fields of a row and their schemas.
///
/// If a field determines which other fields follow, the row is coded once for each value of that field.
struct SchemaCoder {
  struct Field: Hashable {
    var key: String
    var schema: JSONValue
    var isRequired: Bool
    /// The word of the field in this variant of the row, or `nil` if the field does not distinguish variants.
    var variant: String?
  }

  private(set) var fields: [Field] = []
  /// The choices to take at the first forks. At later forks, the first choice is taken.
  private let choices: [Int]
  /// The number of choices at each fork so far.
  private var forks: [Int] = []

  let instant = Instant(millisecondsSince1970: 0)
  let moment = Moment(
    wall: Instant(millisecondsSince1970: 0), uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0))

  private init(choices: [Int]) {
    self.choices = choices
  }

  /// Returns the fields of each variant of a row. Merges variants that differ only in one word.
  static func variants(of row: JournalRecord.Body) -> [[Field]] {
    variants { coder in _ = row.coded(by: &coder) }
  }

  static func variants(_ walk: (inout SchemaCoder) -> Void) -> [[Field]] {
    var found: [(fields: [Field], words: [String])] = []
    var choices: [Int]? = []
    while let next = choices {
      var coder = SchemaCoder(choices: next)
      walk(&coder)
      let word = coder.fields.compactMap(\.variant).first
      let rest = coder.fields.map { field in
        var field = field
        field.variant = field.variant.map { _ in "" }
        return field
      }
      if let index = found.firstIndex(where: { $0.fields == rest }) {
        found[index].words += [word].compactMap(\.self)
      } else {
        found.append((rest, [word].compactMap(\.self)))
      }
      choices = coder.nextChoices()
    }
    return found.map { fields, words in
      fields.map { field in
        var field = field
        if field.variant != nil { field.schema = .words(words) }
        return field
      }
    }
  }

  /// Returns the next choices in depth-first order, or `nil` if all were taken.
  private func nextChoices() -> [Int]? {
    var taken = forks.indices.map { $0 < choices.count ? choices[$0] : 0 }
    while let last = taken.popLast() {
      if last + 1 < forks[taken.count] { return taken + [last + 1] }
    }
    return nil
  }

  private mutating func fork(_ count: Int) -> Int {
    forks.append(count)
    return forks.count <= choices.count ? choices[forks.count - 1] : 0
  }

  private mutating func note<Value>(_ key: StaticString, _ schema: JSONValue, _ presence: Presence<Value>) {
    fields.append(
      Field(key: key.description, schema: schema, isRequired: presence.defaultValue == nil, variant: nil))
  }
}

extension SchemaCoder: FieldCoder {
  typealias Failure = Never

  mutating func name(
    _ key: StaticString, _ list: NameList, _ id: UInt32, _ presence: Presence<UInt32>
  ) -> UInt32 {
    note(key, ["type": "string"], presence)
    return id
  }

  mutating func integer(
    _ key: StaticString, _ value: Int64, in range: ClosedRange<Int64>, _ presence: Presence<Int64>
  ) -> Int64 {
    let schema: JSONValue = [
      "type": "integer", "minimum": .integer(Int(range.lowerBound)),
      "maximum": .integer(Int(range.upperBound)),
    ]
    note(key, schema, presence)
    return value
  }

  mutating func number(
    _ key: StaticString, _ value: Double, in range: ClosedRange<Double>, _ presence: Presence<Double>
  ) -> Double {
    var schema: [JSONValue.Member] = [
      .init("type", "number"), .init("minimum", .integer(Int(range.lowerBound))),
    ]
    if range.upperBound < 1e9 { schema.append(.init("maximum", .integer(Int(range.upperBound)))) }
    note(key, .object(schema), presence)
    return value
  }

  mutating func truth(_ key: StaticString, _ value: Bool, _ presence: Presence<Bool>) -> Bool {
    note(key, ["type": "boolean"], presence)
    return value
  }

  mutating func time(
    _ key: StaticString, _ value: Instant, on clock: WireClock, isNullable: Bool,
    _ presence: Presence<Instant>
  ) -> Instant {
    note(key, .reference(isNullable ? "instantOrNull" : "instant"), presence)
    return value
  }

  mutating func word(
    _ key: StaticString, _ words: NameTable, _ word: UInt8, _ presence: Presence<UInt8>
  ) -> UInt8 {
    note(key, .words(words.names), presence)
    return word
  }

  mutating func optionalWord(_ key: StaticString, _ words: NameTable, _ word: UInt8?) -> UInt8? {
    note(key, .words(words.names), Presence.orElse(0))
    return word
  }

  mutating func variant(_ key: StaticString, _ words: NameTable, _ word: UInt8) -> UInt8 {
    let choice = fork(words.names.count)
    fields.append(
      Field(key: key.description, schema: true, isRequired: true, variant: words.names[choice]))
    return UInt8(choice)
  }

  mutating func words(_ key: StaticString, _ words: NameTable, _ set: UInt64) -> UInt64 {
    note(key, ["type": "array", "items": .words(words.names)], Presence<UInt64>.always)
    return set
  }

  mutating func count(_ key: StaticString, _ count: UInt32?) -> UInt32? {
    note(key, ["type": ["integer", "null"], "minimum": 0], Presence<UInt32>.always)
    return count
  }

  mutating func has(_ key: StaticString, _ isThere: Bool) -> Bool { fork(2) == 1 }

  mutating func choice(_ keys: [StaticString], _ chosen: Int) -> Int { fork(keys.count) }

  mutating func value(_ key: StaticString, of fact: FactID, _ value: FactValue) -> FactValue {
    note(key, ["type": ["boolean", "number", "string", "null"]], Presence<UInt32>.always)
    return value
  }

  mutating func edit(_ key: StaticString, of reminder: ReminderID, _ edit: UInt32) -> UInt32 {
    note(key, ["type": "string"], Presence<UInt32>.always)
    return edit
  }

  mutating func destination(_ destination: LinkDestination) -> LinkDestination {
    note("consumer", ["type": "string"], Presence<UInt32>.always)
    note("pattern", ["type": "string"], Presence<UInt32>.always)
    note("fallback", ["type": "boolean"], Presence.orElse(false))
    return destination
  }

  /// Returns a placeholder, so that fields which may be omitted are described as optional.
  func known(_ id: RequestID) -> NotificationRequest? {
    NotificationRequest(
      id: id, type: TypeID(0), bucket: .standard, scheduledFor: instant, deliverAt: instant)
  }

  func remember(_ request: NotificationRequest) {}

  func rank(of reminder: ReminderID) -> UInt32 { 0 }

  mutating func cause(_ key: StaticString, _ event: ObservedEvent) -> ObservedEvent {
    note(key, .reference("cause"), Presence<UInt32>.always)
    return event
  }

  mutating func state(_ key: StaticString) {
    note(key, ["type": "string", "contentEncoding": "base64"], Presence.orElse(0))
  }
}

extension JSONValue {
  static func words(_ words: [String]) -> JSONValue { ["enum": .array(words.map { .string($0) })] }

  static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }
}
