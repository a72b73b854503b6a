/// A position in one of the tables of a compiled program: 0, 1, 2, … without holes.
///
/// `Subject` keeps the kinds apart at compile time; at run time an identifier is four bytes, and a
/// look-up is an array index.
public struct DenseID<Subject>: Hashable, Comparable, Sendable, BitwiseCopyable {
  public var rawValue: UInt32

  @inlinable
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

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

public enum ZoneSubject {}
public enum ReminderSubject {}
public enum NotificationTypeSubject {}
public enum RegionSubject {}
public enum AppSubject {}
public enum FactSubject {}
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
