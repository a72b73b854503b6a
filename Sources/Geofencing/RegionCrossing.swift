public import TriggerModel

/// A boundary crossed on the way between two fixes.
public struct RegionCrossing: Hashable, Sendable, BitwiseCopyable {
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case enter, exit
  }

  public var kind: Kind
  public var region: RegionID
  /// Simulation time: the first whole millisecond at which the boundary is behind the person; later
  /// than the fix before, at most that of the fix after.
  public var instant: Instant

  public init(_ kind: Kind, _ region: RegionID, at instant: Instant) {
    self.kind = kind
    self.region = region
    self.instant = instant
  }
}

extension RegionCrossing {
  /// When a boundary at a fraction of a way is behind the person.
  ///
  /// - Parameter duration: Of the way, in milliseconds.
  static func instant(at fraction: Double, of duration: Double, after start: Instant) -> Instant {
    // At the last fix itself the boundary was not crossed yet.
    start + TimeSpan(milliseconds: Int64(max(min(1, duration), (fraction * duration).rounded(.up))))
  }
}

/// The part of a segment that lies in a region, in fractions of the segment's length.
public struct RegionVisit: Hashable, Sendable, BitwiseCopyable {
  /// 0 when the segment starts inside.
  public var enter: Double
  /// 1 when the segment ends inside.
  public var exit: Double
}
