import DeviceSimulation
import NotificationGateway
import TriggerModel

/// What takes the fields of a row one after the other: it writes them, reads them, or describes them.
///
/// Each kind of event says once which fields it has, and hands every value through its coder. A writer gives
/// the value back as it is; a reader gives what stands on the line, whatever it was handed; the schema's
/// coder notes what may stand there.
protocol FieldCoder {
  associatedtype Failure: Error

  /// Of the record, in simulation time.
  var instant: Instant { get }
  /// Of the record.
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
  /// - Parameter isNullable: `null` stands for `distantFuture`.
  mutating func time(
    _ key: StaticString, _ value: Instant, on clock: WireClock, isNullable: Bool,
    _ presence: Presence<Instant>
  ) throws(Failure) -> Instant
  mutating func word(
    _ key: StaticString, _ words: NameTable, _ word: UInt8, _ presence: Presence<UInt8>
  ) throws(Failure) -> UInt8
  /// A word that is left out when it is nil.
  mutating func optionalWord(
    _ key: StaticString, _ words: NameTable, _ word: UInt8?
  ) throws(Failure) -> UInt8?
  /// A word on which it depends which fields follow.
  mutating func variant(
    _ key: StaticString, _ words: NameTable, _ word: UInt8
  ) throws(Failure) -> UInt8
  /// A list of words, as bits.
  mutating func words(_ key: StaticString, _ words: NameTable, _ set: UInt64) throws(Failure) -> UInt64
  /// Null for nil.
  mutating func count(_ key: StaticString, _ count: UInt32?) throws(Failure) -> UInt32?
  /// Whether a key is there, on which it depends which fields follow.
  mutating func has(_ key: StaticString, _ isThere: Bool) throws(Failure) -> Bool
  /// Which one of several keys is there.
  mutating func choice(_ keys: [StaticString], _ chosen: Int) throws(Failure) -> Int
  /// The value of a fact, in the form of its kind.
  mutating func value(_ key: StaticString, of fact: FactID, _ value: FactValue) throws(Failure) -> FactValue
  /// The name of one of a reminder's edits.
  mutating func edit(_ key: StaticString, of reminder: ReminderID, _ edit: UInt32) throws(Failure) -> UInt32
  mutating func destination(_ destination: LinkDestination) throws(Failure) -> LinkDestination
  /// The request of that name as it was written last; nil when it was not.
  func known(_ id: RequestID) -> NotificationRequest?
  mutating func remember(_ request: NotificationRequest)
  /// The place of a reminder among all in the order of their names.
  func rank(of reminder: ReminderID) -> UInt32
  /// An object of its own: the event that something is owed to.
  mutating func cause(_ key: StaticString, _ event: ObservedEvent) throws(Failure) -> ObservedEvent
  /// What is to be stored, if it comes along.
  mutating func state(_ key: StaticString) throws(Failure)
}

/// Whether a field has to be there.
enum Presence<Value> {
  case always
  /// It is left out when it is this.
  case unless(Value)
  /// It is written, and others may leave it out: then it is this.
  case orElse(Value)

  func map<Other>(_ transform: (Value) -> Other) -> Presence<Other> {
    switch self {
    case .always: .always
    case .unless(let value): .unless(transform(value))
    case .orElse(let value): .orElse(transform(value))
    }
  }

  /// What a field is that is not there; nil when it must be there.
  var absent: Value? {
    switch self {
    case .always: nil
    case .unless(let value), .orElse(let value): value
    }
  }
}

/// Which clock shows an instant.
enum WireClock {
  /// Written in UTC.
  case simulation
  /// The phone's, written with the offset of the zone that the phone is set to.
  case wall
}

extension FieldCoder {
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

  /// In milliseconds.
  mutating func span(_ key: StaticString, _ span: TimeSpan) throws(Failure) -> TimeSpan {
    TimeSpan(milliseconds: try integer(key, span.milliseconds, in: TimeSpan.wireRange, .always))
  }

  mutating func truth(_ key: StaticString, _ value: Bool) throws(Failure) -> Bool {
    try truth(key, value, .always)
  }

  /// True, or not there.
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
  /// Positions come from the table of this very type.
  init(raw: UInt8, _ otherwise: Self) {
    self = Self(rawValue: raw) ?? otherwise
  }
}

extension FixedWidthInteger {
  /// What of it a whole number on the wire can be.
  static var wireRange: ClosedRange<Int64> { Int64(clamping: Self.min)...Int64(clamping: Self.max) }
}

extension TimeSpan {
  /// Ten thousand years: no sum of such a span and an instant overflows.
  static let wireRange: ClosedRange<Int64> = -315_569_520_000_000...315_569_520_000_000
}
