public import TriggerModel

/// Reads one zone for instants that seldom leave a stretch of constant offset: remembers the stretch, so
/// that local time is an addition and a division.
public struct ZoneCursor: Sendable {
  /// The one that is read.
  public let zone: Zone
  @usableFromInline var segment: OffsetTable.Segment

  /// It begins at 1970-01-01T00:00Z.
  public init(_ zone: Zone) {
    self.zone = zone
    segment = zone.table.segment(at: 0)
  }

  /// As ``Zone/offset(at:)``.
  @inlinable @inline(__always)
  public mutating func offset(at instant: Instant) -> TimeSpan {
    move(to: instant)
    return TimeSpan(milliseconds: segment.offset)
  }

  /// As ``Zone/local(at:)``.
  @inlinable @inline(__always)
  public mutating func local(at instant: Instant) -> LocalTime {
    move(to: instant)
    return segment.local(at: instant)
  }

  /// As ``Zone/hands(at:)``.
  @inlinable @inline(__always)
  public mutating func hands(at instant: Instant) -> WindowHands {
    move(to: instant)
    return segment.hands(at: instant)
  }

  @inlinable @inline(__always)
  mutating func move(to instant: Instant) {
    if !segment.contains(instant.millisecondsSince1970) { search(instant) }
  }

  @usableFromInline @inline(never)
  mutating func search(_ instant: Instant) {
    segment = zone.table.segment(at: instant.millisecondsSince1970)
  }
}
