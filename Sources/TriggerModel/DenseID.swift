/// A position in one of the tables of a compiled program: 0, 1, 2, … without holes.
///
/// `Subject` keeps the kinds apart at compile time; at run time an identifier is four bytes, and a
/// look-up is an array index.
public struct DenseID<Subject>: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The position, from 0.
  public var rawValue: UInt32

  /// The identifier of a position in the table.
  @inlinable
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The same of an array index; traps where it is negative or does not fit into four bytes.
  @inlinable
  public init(_ index: Int) {
    self.rawValue = UInt32(index)
  }

  /// The identifier as an array index.
  @inlinable
  public var index: Int { Int(rawValue) }

  @inlinable
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Makes ``ZoneID`` the identifier of time zones; it has no values.
public enum ZoneSubject {}
/// Makes ``ReminderID`` the identifier of reminders; it has no values.
public enum ReminderSubject {}
/// Makes ``TypeID`` the identifier of notification types; it has no values.
public enum NotificationTypeSubject {}
/// Makes ``RegionID`` the identifier of regions; it has no values.
public enum RegionSubject {}
/// Makes ``AppID`` the identifier of other apps; it has no values.
public enum AppSubject {}
/// Makes ``FactID`` the identifier of facts; it has no values.
public enum FactSubject {}
/// Makes ``LinkID`` the identifier of links; it has no values.
public enum LinkSubject {}

/// A time zone in the program's zone table.
public typealias ZoneID = DenseID<ZoneSubject>
/// A reminder in the order of its declaration.
public typealias ReminderID = DenseID<ReminderSubject>
/// What the per-type caps count: several reminders may share a type.
public typealias TypeID = DenseID<NotificationTypeSubject>
/// A circular region.
public typealias RegionID = DenseID<RegionSubject>
/// Another app on the phone, as named by a trigger.
public typealias AppID = DenseID<AppSubject>
/// A typed value that the app knows.
public typealias FactID = DenseID<FactSubject>
/// A link that leads into the app.
public typealias LinkID = DenseID<LinkSubject>

extension ReminderID {
  /// Stands for no reminder but for the held requests, in wake-ups: the subject of a `woken` event
  /// that answers `wakeForRelease`.
  package static var heldRequests: ReminderID { ReminderID(UInt32.max) }
}
