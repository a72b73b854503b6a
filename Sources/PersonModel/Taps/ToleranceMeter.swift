public import TriggerModel

/// How long a person has had more notifications in a week than they bear, exactly: the number in the last seven
/// days changes when one is shown and when one becomes a week old.
public struct ToleranceMeter: Hashable, Sendable {
  private static let week = TimeSpan.days(7)
  private let tolerance: Double
  /// What is left of the person's patience.
  private var patience: TimeSpan
  /// Those of the last week, in order.
  private var shown: [Instant] = []
  /// Up to when patience is accounted for.
  private var now = Instant.distantPast
  /// When it came to its end.
  public private(set) var endedAt: Instant?

  public init(_ traits: PersonTraits) {
    tolerance = traits.tolerance
    patience = traits.patience
  }

  /// Notes that a notification is shown.
  public mutating func show(at instant: Instant) {
    advance(to: instant)
    shown.append(instant)
  }

  /// When patience ends if nothing more is shown; nil: not by what was shown so far.
  public var end: Instant? {
    if let endedAt { return endedAt }
    var (left, at) = (patience, now)
    for (index, oldest) in shown.enumerated() where Double(shown.count - index) > tolerance {
      let until = oldest + Self.week
      if at + left <= until { return at + left }
      left = left - (until - at)
      at = until
    }
    return nil
  }

  /// Lets time pass; patience that ends on the way ends at its very instant.
  public mutating func advance(to instant: Instant) {
    if endedAt == nil, let end, end <= instant { endedAt = end }
    while let oldest = shown.first, oldest + Self.week <= instant {
      spend(until: oldest + Self.week)
      shown.removeFirst()
    }
    spend(until: instant)
  }

  private mutating func spend(until instant: Instant) {
    if Double(shown.count) > tolerance { patience = patience - (instant - now) }
    now = instant
  }
}

extension ToleranceMeter: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&self, \.patience, \.now, \.endedAt)
    parcel.carry(&shown)
  }
}
