import DeviceSimulation
import NotificationGateway
import TriggerModel

/// Visits the fields of a row in order, to write, read or describe them.
///
/// Each kind of event declares its fields once and passes every value through a coder. A writer writes the
/// value and returns it unchanged. A reader ignores the value and returns the one that it read. The schema
/// coder collects the possible contents of a line.
protocol FieldCoder {
  associatedtype Failure: Error

  /// The instant of the record in simulation time.
  var instant: Instant { get }
  /// The clock readings of the record.
  var moment: Moment { get }

  mutating func name(
    _ key: StaticString, _ list: NameList, _ id: UInt32, _ presence: Presence<UInt32>
  ) throws(Failure) -> UInt32
  mutating func integer(
    _ key: StaticString, _ value: Int64, in range: ClosedRange<Int64>, _ presence: Presence<Int64>
  ) throws(Failure) -> Int64
  mutating func number(
    _ key: StaticString, _ value: Double, in range: ClosedRange<Double>, _ presence: Presence<Double>
  ) throws(Failure) -> Double
  mutating func truth(
    _ key: StaticString, _ value: Bool, _ presence: Presence<Bool>
  ) throws(Failure) -> Bool
  /// Encodes or decodes an instant.
  ///
  /// - Parameter isNullable: Whether `null` represents `distantFuture`.
  mutating func time(
    _ key: StaticString, _ value: Instant, on clock: WireClock, isNullable: Bool,
    _ presence: Presence<Instant>
  ) throws(Failure) -> Instant
  mutating func word(
    _ key: StaticString, _ words: NameTable, _ word: UInt8, _ presence: Presence<UInt8>
  ) throws(Failure) -> UInt8
  /// Encodes or decodes an optional word. Omits the field if the word is `nil`.
  mutating func optionalWord(
    _ key: StaticString, _ words: NameTable, _ word: UInt8?
  ) throws(Failure) -> UInt8?
  /// Encodes or decodes a word that determines which other fields follow.
  mutating func variant(
    _ key: StaticString, _ words: NameTable, _ word: UInt8
  ) throws(Failure) -> UInt8
  /// Encodes or decodes a set of words, each represented by a bit of `set`.
  mutating func words(_ key: StaticString, _ words: NameTable, _ set: UInt64) throws(Failure) -> UInt64
  /// Encodes or decodes a count. Writes `nil` as `null`.
  mutating func count(_ key: StaticString, _ count: UInt32?) throws(Failure) -> UInt32?
  /// Encodes or decodes whether a key is present. This determines the other fields.
  mutating func has(_ key: StaticString, _ isThere: Bool) throws(Failure) -> Bool
  /// Encodes or decodes the choice between several keys. Exactly one of them is present.
  mutating func choice(_ keys: [StaticString], _ chosen: Int) throws(Failure) -> Int
  /// Encodes or decodes the value of a fact. The fact's kind determines the form of the value.
  mutating func value(_ key: StaticString, of fact: FactID, _ value: FactValue) throws(Failure) -> FactValue
  /// Encodes or decodes the name of an edit of a reminder.
  mutating func edit(_ key: StaticString, of reminder: ReminderID, _ edit: UInt32) throws(Failure) -> UInt32
  mutating func destination(_ destination: LinkDestination) throws(Failure) -> LinkDestination
  /// Returns the last version of a request in the journal so far, or `nil` if there is none.
  func known(_ id: RequestID) -> NotificationRequest?
  mutating func remember(_ request: NotificationRequest)
  /// Returns the rank of a reminder among the sorted names.
  func rank(of reminder: ReminderID) -> UInt32
  /// Encodes or decodes the event that caused the record, as a nested object.
  mutating func cause(_ key: StaticString, _ event: ObservedEvent) throws(Failure) -> ObservedEvent
  /// Encodes or decodes the state that the engine stores, if the line contains one.
  mutating func state(_ key: StaticString) throws(Failure)
}

/// The conditions under which a field may be missing, and the value of a missing field.
enum Presence<Value> {
  case always
  /// The field is omitted if it has this value.
  case unless(Value)
  /// The field is always written. If it is missing, a reader uses this value.
  case orElse(Value)

  func map<Other>(_ transform: (Value) -> Other) -> Presence<Other> {
    switch self {
    case .always: .always
    case .unless(let value): .unless(transform(value))
    case .orElse(let value): .orElse(transform(value))
    }
  }

  /// The value of a missing field, or `nil` if the field is required.
  var defaultValue: Value? {
    switch self {
    case .always: nil
    case .unless(let value), .orElse(let value): value
    }
  }
}

/// The clock that an instant refers to.
enum WireClock {
  /// Simulation time, written in UTC.
  case simulation
  /// The phone's wall clock, written with the UTC offset of its zone.
  case wall
}

extension FieldCoder {
  mutating func variant(
    _ key: StaticString, _ words: NameTable, _ word: UInt8
  ) throws(Failure) -> UInt8 {
    try self.word(key, words, word, .always)
  }

  mutating func name<Subject>(
    _ key: StaticString, _ list: NameList, _ id: DenseID<Subject>
  ) throws(Failure) -> DenseID<Subject> {
    DenseID(try name(key, list, id.rawValue, .always))
  }

  mutating func integer<Value: FixedWidthInteger>(
    _ key: StaticString, _ value: Value, in range: ClosedRange<Int64> = Value.wireRange,
    _ presence: Presence<Value> = .always
  ) throws(Failure) -> Value {
    Value(truncatingIfNeeded: try integer(key, Int64(value), in: range, presence.map { Int64($0) }))
  }

  /// Encodes or decodes a duration in milliseconds.
  mutating func span(_ key: StaticString, _ span: TimeSpan) throws(Failure) -> TimeSpan {
    TimeSpan(milliseconds: try integer(key, span.milliseconds, in: TimeSpan.wireRange, .always))
  }

  mutating func truth(_ key: StaticString, _ value: Bool) throws(Failure) -> Bool {
    try truth(key, value, .always)
  }

  /// Encodes or decodes a Boolean value. Omits the field if the value is `false`.
  mutating func flag(_ key: StaticString, _ value: Bool) throws(Failure) -> Bool {
    try truth(key, value, .unless(false))
  }

  mutating func time(
    _ key: StaticString, _ value: Instant, on clock: WireClock = .wall
  ) throws(Failure) -> Instant {
    try time(key, value, on: clock, isNullable: false, .always)
  }

  mutating func word<Word: WireWord>(_ key: StaticString, _ word: Word) throws(Failure) -> Word {
    Word(raw: try self.word(key, Word.table, word.rawValue, .always), word)
  }

  mutating func optionalWord<Word: WireWord>(_ key: StaticString, _ word: Word?) throws(Failure) -> Word? {
    try optionalWord(key, Word.table, word?.rawValue).flatMap { Word(rawValue: $0) }
  }

  mutating func variant<Word: WireWord>(_ key: StaticString, _ word: Word) throws(Failure) -> Word {
    Word(raw: try variant(key, Word.table, word.rawValue), word)
  }

  mutating func request(_ id: RequestID) throws(Failure) -> RequestID {
    RequestID(
      reminder: try name("reminder", .reminder, id.reminder),
      occurrence: try integer("occurrence", id.occurrence))
  }
}

extension WireWord {
  /// Creates the word with a raw value. Uses `otherwise` if there is no such word.
  init(raw: UInt8, _ otherwise: Self) {
    self = Self(rawValue: raw) ?? otherwise
  }
}

extension FixedWidthInteger {
  /// The range of an integer on the wire.
  static var wireRange: ClosedRange<Int64> { Int64(clamping: Self.min)...Int64(clamping: Self.max) }
}

extension TimeSpan {
  /// Plus or minus 10,000 years, in milliseconds. Adding such a duration to an instant cannot overflow.
  static let wireRange: ClosedRange<Int64> = -315_569_520_000_000...315_569_520_000_000
}

/// The last version of each request in a journal. With it, the writer omits unchanged fields, and the reader
/// restores them.
///
/// If there are too many requests, the writer and the reader both forget all of them at the same line. The
/// next line about each request then contains all fields.
struct RequestMemory {
  private struct Key: Hashable {
    var person: UInt64
    var device: UInt8
    var id: RequestID
  }

  /// The maximum number of requests, which limits the memory to a few megabytes.
  static let limit = 1 << 16

  private var requests: [Key: NotificationRequest] = [:]

  func last(_ id: RequestID, person: UInt64, device: UInt8) -> NotificationRequest? {
    requests[Key(person: person, device: device, id: id)]
  }

  mutating func remember(_ request: NotificationRequest, person: UInt64, device: UInt8) {
    let key = Key(person: person, device: device, id: request.id)
    if requests.count == Self.limit, requests[key] == nil { requests.removeAll(keepingCapacity: true) }
    requests[key] = request
  }
}
