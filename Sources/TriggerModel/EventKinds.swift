/// A set of kinds of events.
package struct EventKinds: Hashable, Sendable, BitwiseCopyable {
  /// One bit for each kind. The kind's raw value is the number of its bit.
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

/// The effect of an event of one kind on regions and the charging state.
///
/// The effect is encoded as numbers, so that it can be applied without branches. A branch would often be
/// mispredicted, because event kinds follow no pattern.
package struct EventKindEffect: Sendable, BitwiseCopyable {
  /// 1 if the event's subject is a region that was entered or left, otherwise 0.
  package let region: UInt8
  /// 1 if the region was entered, otherwise 0.
  package let enters: UInt8
  /// The charging state after the event. Bit 0 applies if the phone was charging before, and bit 1 if it was
  /// not.
  package let charger: UInt8
  /// 1 if the event may have effects beyond these states and triggers, otherwise 0.
  package let needsFullProcessing: UInt8

  package init(of kind: ObservedEvent.Kind) {
    region = kind == .regionEntered || kind == .regionExited ? 1 : 0
    enters = kind == .regionEntered ? 1 : 0
    charger = kind == .chargingStarted ? 3 : kind == .chargingStopped ? 0 : 1
    needsFullProcessing = region != 0 || charger != 1 || kind.isTriggerOnly ? 0 : 1
  }
}

extension ObservedEvent.Kind {
  /// Whether triggering reminders is the event's only effect. Such an event needs no evaluation if no
  /// reminder listens to it.
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

/// The events that an engine does not need to observe, because they have no effect now or later.
///
/// Most events have no listening reminder. While nothing is due, the bench omits such an event unless another
/// participant observes it.
public struct IrrelevantEvents: Hashable, Sendable, BitwiseCopyable {
  /// One bit for each kind. The kind's raw value is the number of its bit.
  @usableFromInline var kinds: UInt64
  /// The wall-clock instant of the next deadline, from which all events are relevant.
  public var until: Instant
  /// The zone and the boot for which this value is valid.
  @usableFromInline var zone: ZoneID
  @usableFromInline var boot: UInt32
  /// The wall-clock time at which the monotonic clock read zero. The value becomes invalid when the wall
  /// clock is set.
  @usableFromInline var wallAtBoot: Instant

  /// A value that omits no events.
  public static let none = IrrelevantEvents(
    to: [], until: .distantPast,
    at: Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0)))

  /// Creates a value that omits events of some kinds.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that have no effect.
  ///   - until: The wall-clock instant of the next deadline.
  ///   - moment: The current moment.
  public init(to kinds: [ObservedEvent.Kind], until: Instant, at moment: Moment) {
    self.kinds = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    self.until = until
    zone = moment.zone
    boot = moment.uptime.boot
    wallAtBoot = moment.wall - moment.uptime.span
  }

  /// Marks a kind of event as relevant.
  public mutating func markRelevant(_ kind: ObservedEvent.Kind) { kinds &= ~(1 << UInt64(kind.rawValue)) }

  /// Returns whether events of a kind may be omitted at a moment.
  @inlinable
  public func covers(_ kind: ObservedEvent.Kind, at moment: Moment) -> Bool {
    kinds >> UInt64(kind.rawValue) & 1 == 1 && moment.wall < until && moment.zone == zone
      && moment.uptime.boot == boot && moment.wall - moment.uptime.span == wallAtBoot
  }

  /// Returns a value that omits only the events that both values omit. Both values must be created at the
  /// same moment.
  public func intersection(_ other: IrrelevantEvents) -> IrrelevantEvents {
    var both = self
    both.kinds &= other.kinds
    both.until = min(until, other.until)
    return both
  }
}

extension ObservedEvent.Kind {
  /// The kinds of frequent events that do not affect the evaluation of later events.
  package static let frequent: [Self] = [.unlock, .lock, .batteryLevel]
}
