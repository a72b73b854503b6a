public import TriggerModel

/// The zones of one program, by dense identifier.
public struct ZoneTable: Sendable {
  /// In the order in which they were interned.
  public private(set) var zones: [Zone] = []

  /// It has no zones.
  public init() {}

  /// The identifier of a zone, which is added when it is new.
  ///
  /// - Complexity: O(n) in the number of zones, of which a program has a handful
  public mutating func intern(_ identifier: String) throws(UnknownZone) -> ZoneID {
    if let index = zones.firstIndex(where: { $0.identifier == identifier }) { return ZoneID(index) }
    zones.append(try Zone(identifier: identifier))
    return ZoneID(zones.count - 1)
  }

  /// - Parameter id: Given by ``intern(_:)`` of this table.
  public subscript(id: ZoneID) -> Zone { zones[id.index] }
}

/// Two tables are equal when they name the same zones in the same order.
extension ZoneTable: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    a.zones.map(\.identifier) == b.zones.map(\.identifier)
  }
}
