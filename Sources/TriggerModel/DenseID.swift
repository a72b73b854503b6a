/// The position of an entry in a table of a compiled program. Positions are consecutive and start at 0.
///
/// The type parameter `Subject` distinguishes kinds of identifiers at compile time. At run time, an
/// identifier takes four bytes, and a lookup is an array access.
public struct DenseID<Subject>: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The position, starting at 0.
  public var rawValue: UInt32

  /// Creates an identifier from a position.
  @inlinable
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates the identifier of an array index. Traps if the index is negative or exceeds four bytes.
  @inlinable
  public init(_ index: Int) {
    self.rawValue = UInt32(index)
  }

  /// The identifier as an array index.
  @inlinable
  public var index: Int { Int(rawValue) }

  @inlinable
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// Returns a dictionary from names to positions. If a name occurs twice, the dictionary contains its first
  /// position.
  static func byName(_ names: [String]) -> [String: Self] {
    Dictionary(
      names.enumerated().map { ($0.element, Self($0.offset)) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The subject of ``ZoneID``. It has no values.
public enum ZoneSubject {}
/// The subject of ``ReminderID``. It has no values.
public enum ReminderSubject {}
/// The subject of ``TypeID``. It has no values.
public enum NotificationTypeSubject {}
/// The subject of ``RegionID``. It has no values.
public enum RegionSubject {}
/// The subject of ``AppID``. It has no values.
public enum AppSubject {}
/// The subject of ``FactID``. It has no values.
public enum FactSubject {}
/// The subject of ``LinkID``. It has no values.
public enum LinkSubject {}

/// A time zone in the program's zone table.
public typealias ZoneID = DenseID<ZoneSubject>
/// A reminder, in the order of declaration.
public typealias ReminderID = DenseID<ReminderSubject>
/// A notification type, to which caps by type apply. Several reminders may share a type.
public typealias TypeID = DenseID<NotificationTypeSubject>
/// A circular region.
public typealias RegionID = DenseID<RegionSubject>
/// Another app on the phone that a trigger names.
public typealias AppID = DenseID<AppSubject>
/// A typed value that the app knows.
public typealias FactID = DenseID<FactSubject>
/// A link into the app.
public typealias LinkID = DenseID<LinkSubject>

extension ReminderID {
  /// The subject of a `woken` event that `wakeForRelease` requested. It represents the deferred requests
  /// instead of a reminder.
  package static var heldRequests: ReminderID { ReminderID(UInt32.max) }
}
