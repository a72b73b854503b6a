/// What an engine need not be told: nothing would come of it, neither at once nor later.
///
/// Most of what happens to a phone no reminder listens to. As long as nothing is due either, the bench leaves it
/// out where nobody else wants to know of it.
public struct Indifference: Hashable, Sendable, BitwiseCopyable {
  /// By the kind's raw value.
  @usableFromInline var kinds: UInt64
  /// On the phone's wall clock: from here on something is due, and the engine acts on whatever it is told.
  public var until: Instant
  /// It holds in this zone, in this boot, and while the wall clock is not set.
  @usableFromInline var zone: ZoneID
  @usableFromInline var boot: UInt32
  /// The wall clock when the monotonic clock read zero.
  @usableFromInline var wallAtBoot: Instant

  /// Whatever happens is to be told.
  public static let none = Indifference(
    to: [], until: .distantPast,
    at: Moment(wall: .distantPast, uptime: Uptime(boot: 0, span: .zero), zone: ZoneID(0)))

  /// Says of some kinds of events that they need not be told.
  ///
  /// - Parameters:
  ///   - kinds: Nothing would come of any of these.
  ///   - until: On the wall clock, when something is due next.
  ///   - moment: The present one.
  public init(to kinds: [ObservedEvent.Kind], until: Instant, at moment: Moment) {
    self.kinds = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
    self.until = until
    zone = moment.zone
    boot = moment.uptime.boot
    wallAtBoot = moment.wall - moment.uptime.span
  }

  /// Says that an event of a kind matters.
  public mutating func heed(_ kind: ObservedEvent.Kind) { kinds &= ~(1 << UInt64(kind.rawValue)) }

  /// Whether an event of a kind need not be told.
  @inlinable
  public func covers(_ kind: ObservedEvent.Kind, at moment: Moment) -> Bool {
    kinds >> UInt64(kind.rawValue) & 1 == 1 && moment.wall < until && moment.zone == zone
      && moment.uptime.boot == boot && moment.wall - moment.uptime.span == wallAtBoot
  }

  /// What two of one moment are both indifferent to.
  public func intersection(_ other: Indifference) -> Indifference {
    var both = self
    both.kinds &= other.kinds
    both.until = min(until, other.until)
    return both
  }
}

extension ObservedEvent.Kind {
  /// What happens to a phone all day long, and of itself says nothing by which later events are looked at.
  package static let frequent: [Self] = [.unlock, .lock, .batteryLevel]
}
