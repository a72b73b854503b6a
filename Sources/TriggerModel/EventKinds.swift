/// A set of kinds of events.
package struct EventKinds: Hashable, Sendable, BitwiseCopyable {
  /// One bit for each kind, at the position of its raw value.
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

/// The effect of a kind of event on regions and the charging state.
///
/// The effect is encoded as numbers for arithmetic without branches, because the kind of the next event is
/// unpredictable.
package struct EventKindEffect: Sendable, BitwiseCopyable {
  /// 1 if the event's subject is a region that was entered or left.
  package let region: UInt8
  /// 1 if the region was entered.
  package let enters: UInt8
  /// The charging state after the event: in bit 0 if the phone was charging before, and in bit 1 if it was
  /// not.
  package let charger: UInt8
  /// 1 if the event may have other effects than changing these states and triggering reminders.
  package let needsFullProcessing: UInt8

  package init(of kind: ObservedEvent.Kind) {
    region = kind == .regionEntered || kind == .regionExited ? 1 : 0
    enters = kind == .regionEntered ? 1 : 0
    charger = kind == .chargingStarted ? 3 : kind == .chargingStopped ? 0 : 1
    needsFullProcessing = region != 0 || charger != 1 || kind.isTriggerOnly ? 0 : 1
  }
}

extension ObservedEvent.Kind {
  /// Whether the only effect of the event is to trigger reminders. If no reminder listens to such an event,
  /// it needs no evaluation.
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
/// For most events, there is no reminder that listens to them. While nothing is due, the bench omits such
/// events if no other participant observes them.
public struct IrrelevantEvents: Hashable, Sendable, BitwiseCopyable {
  /// One bit for each kind, at the position of its raw value.
  @usableFromInline var kinds: UInt64
  /// The wall-clock instant of the next deadline, from which all events are relevant.
  public var until: Instant
  /// The zone and the boot number for which the value is valid.
  @usableFromInline var zone: ZoneID
  @usableFromInline var boot: UInt32
  /// The wall-clock instant at which the monotonic clock was at zero. If the wall clock is set, the value is
  /// no longer valid.
  @usableFromInline var wallAtBoot: Instant

  /// The value that omits no events.
  public static let none = IrrelevantEvents(
    to: [], until: .distantPast,
    at: Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0)))

  /// Creates a value that omits some kinds of events.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that have no effect.
  ///   - until: The wall-clock instant of the next deadline.
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

  /// Returns the events that both values omit. Both must have been created for the same moment.
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
