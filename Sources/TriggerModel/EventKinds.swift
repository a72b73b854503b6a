/// A set of kinds of events.
package struct EventKinds: Hashable, Sendable, BitwiseCopyable {
  /// One bit per kind, by raw value.
  private var bits: UInt64

  package static let all = EventKinds(bits: .max)

  private init(bits: UInt64) { self.bits = bits }

  package init(_ kinds: ObservedEvent.Kind...) {
    bits = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  @inline(__always)
  package func contains(_ kind: ObservedEvent.Kind) -> Bool { bits & 1 << UInt64(kind.rawValue) != 0 }

  package func union(_ other: EventKinds) -> EventKinds { EventKinds(bits: bits | other.bits) }
}

/// The effect of every event of a kind on region and charging state.
///
/// Encoded as numbers, because the kind of the next event is unpredictable and arithmetic needs no branch.
package struct EventKindEffect: Sendable, BitwiseCopyable {
  /// 1 if the event's subject is a region that was entered or left.
  package let region: UInt8
  /// 1 if the region was entered.
  package let enters: UInt8
  /// Whether the phone is charging after the event: bit 0 if it was charging before, bit 1 in any case.
  package let charger: UInt8
  /// 1 if the event may do more than change these states and start its trigger.
  package let needsFullProcessing: UInt8

  package init(of kind: ObservedEvent.Kind) {
    region = kind == .regionEntered || kind == .regionExited ? 1 : 0
    enters = kind == .regionEntered ? 1 : 0
    charger = kind == .chargingStarted ? 3 : kind == .chargingStopped ? 0 : 1
    needsFullProcessing = region != 0 || charger != 1 || kind.isTriggerOnly ? 0 : 1
  }
}

extension ObservedEvent.Kind {
  /// Whether the event can do nothing but start its trigger. Without a listener it needs no evaluation.
  package var isTriggerOnly: Bool {
    switch self {
    case .chargingStarted, .chargingStopped, .regionEntered, .regionExited, .factChanged, .factFound, .woken,
      .located, .opened:
      false
    case .unlock, .lock, .batteryLevel, .appOpened, .backgrounded, .regionFailed, .zoneChanged, .clockChanged,
      .permissionChanged, .launched, .storeAvailable, .reinstalled, .addFailed, .pendingDropped, .delivered,
      .tapped, .dismissed, .acted, .snooze, .cancel, .create, .edit, .cancelAll, .preferencesChanged,
      .deliveredElsewhere:
      true
    }
  }
}

/// The events that an engine does not need to observe, because they have no effect, now or later.
///
/// No reminder listens to most events. While nothing is due, the bench omits them if no one else observes
/// them.
public struct IrrelevantEvents: Hashable, Sendable, BitwiseCopyable {
  /// One bit per kind, by raw value.
  @usableFromInline var kinds: UInt64
  /// The wall-clock instant at which something is due. From then on every event matters.
  public var until: Instant
  /// The zone and the boot for which the value is valid.
  @usableFromInline var zone: ZoneID
  @usableFromInline var boot: UInt32
  /// The wall-clock time at which the monotonic clock read zero. The value is invalid after the clock was
  /// set.
  @usableFromInline var wallAtBoot: Instant

  /// The value that omits no events.
  public static let none = IrrelevantEvents(
    to: [], until: .distantPast,
    at: Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0)))

  /// Creates a value that omits some kinds of events.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that have no effect.
  ///   - until: The wall-clock instant at which something is due next.
  ///   - moment: The present moment.
  public init(to kinds: [ObservedEvent.Kind], until: Instant, at moment: Moment) {
    self.kinds = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    self.until = until
    zone = moment.zone
    boot = moment.uptime.boot
    wallAtBoot = moment.wall - moment.uptime.span
  }

  /// Marks a kind of event as relevant.
  public mutating func markRelevant(_ kind: ObservedEvent.Kind) { kinds &= ~(1 << UInt64(kind.rawValue)) }

  /// Returns whether an event of a kind may be omitted.
  @inlinable
  public func covers(_ kind: ObservedEvent.Kind, at moment: Moment) -> Bool {
    kinds >> UInt64(kind.rawValue) & 1 == 1 && moment.wall < until && moment.zone == zone
      && moment.uptime.boot == boot && moment.wall - moment.uptime.span == wallAtBoot
  }

  /// Returns the events that both values omit. Both must be of the same moment.
  public func intersection(_ other: IrrelevantEvents) -> IrrelevantEvents {
    var both = self
    both.kinds &= other.kinds
    both.until = min(until, other.until)
    return both
  }
}

extension ObservedEvent.Kind {
  /// The frequent kinds of events that do not affect how later events are evaluated.
  package static let frequent: [Self] = [.unlock, .lock, .batteryLevel]
}
