import DeviceSimulation
import NotificationGateway
import TriggerModel

/// A word of a closed list. The wire form contains the word's name, never its position in the list.
///
/// Raw values must be consecutive from 0, as an enumeration assigns them by default.
protocol WireWord: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == UInt8 {
  /// The table of all words, in the order of raw values.
  static var table: NameTable { get }
}

extension NameTable {
  /// Creates the table of an enumeration whose words are the names of its cases.
  convenience init<Word: WireWord>(_ noun: String, of words: Word.Type) {
    self.init(noun, Word.allCases.map { String(describing: $0) }, isClosed: true)
  }
}

extension Reason: WireWord {
  static let table = NameTable("reason", of: Self.self)
}

extension Bucket: WireWord {
  static let table = NameTable("bucket", of: Self.self)
}

extension Decision.Outcome: WireWord {
  static let table = NameTable("outcome", of: Self.self)
}

extension NotificationPermission: WireWord {
  static let table = NameTable("permission", of: Self.self)
}

extension LocationPermission: WireWord {
  static let table = NameTable("permission", of: Self.self)
}

extension LocationAnswer: WireWord {
  static let table = NameTable("answer", of: Self.self)
}

extension ScreenTimePermission: WireWord {
  static let table = NameTable("permission", of: Self.self)
}

extension PermissionKind: WireWord {
  static let table = NameTable("permission", of: Self.self)
}

extension ChannelImportance: WireWord {
  static let table = NameTable("importance", of: Self.self)
}

extension Presentation.Surface: WireWord {
  static let table = NameTable("surface", of: Self.self)
}

extension Presentation.Cause: WireWord {
  static let table = NameTable("cause", of: Self.self)
}

extension MissCause: WireWord {
  static let table = NameTable("cause", of: Self.self)
}

extension RegionSuppression: WireWord {
  static let table = NameTable("suppression", of: Self.self)
}

extension IgnoreCause: WireWord {
  static let table = NameTable("cause", of: Self.self)
}

extension StoreFault: WireWord {
  static let table = NameTable("fault", of: Self.self)
}

extension StoreProblem: WireWord {
  static let table = NameTable("problem", of: Self.self)
}

extension DeepLinkRouter.Source: WireWord {
  static let table = NameTable("source", of: Self.self)
}

extension ObservedEvent.Kind: WireWord {
  static let table = NameTable("event", of: Self.self)
}

extension ConditionKinds {
  /// The names, in the order of bits.
  static let table = NameTable("kind of condition", allNames)
}
