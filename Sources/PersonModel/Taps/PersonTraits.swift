import SimulationKernel
public import TriggerModel

/// The permanent traits of a person. They are keyed by the person's number, so all policies apply to the same
/// people.
public struct PersonTraits: Hashable, Sendable {
  /// The term that is added to the log odds of every tap.
  public var eagerness: Double
  /// The maximum number of notifications per week that the person tolerates.
  public var tolerance: Double
  /// The total time during which the person tolerates too many notifications before turning them off.
  public var patience: TimeSpan
  /// Whether the person allows notifications at the prompt, or keeps them on where they are on by default.
  public var allowsNotifications: Bool

  public init(eagerness: Double, tolerance: Double, patience: TimeSpan, allowsNotifications: Bool) {
    self.eagerness = eagerness
    self.tolerance = tolerance
    self.patience = patience
    self.allowsNotifications = allowsNotifications
  }

  /// Creates the traits of person `number` for a seed.
  public init(_ number: UInt64, seed: UInt64, _ model: TapModel, on platform: TapModel.Platform) {
    let trait = RandomKey(seed: seed, person: number, purpose: .trait)
    eagerness = trait.named(RandomKey.nameNumber("eagerness"))
      .normal(standardDeviation: model[.eagernessSpread], 0)
    tolerance = trait.named(RandomKey.nameNumber("tolerance"))
      .logNormal(median: DeterministicMath.exp(model[.toleranceMu]), sigma: model[.toleranceSigma], 0)
    allowsNotifications =
      trait.named(RandomKey.nameNumber("permission")).unit(0) < model.permission(platform)
    // Patience is drawn once for the whole run. A person who receives more notifications therefore gives up
    // sooner, but never because of a different draw.
    let share = model[.optOutHazard]
    let weeks = share > 0 ? -1 / DeterministicMath.log(1 - min(share, 0.999_999)) : .infinity
    let drawn = RandomKey(seed: seed, person: number, purpose: .optOut).exponential(mean: 1, 0) * weeks
    // A few thousand years are equivalent to "never".
    patience = .days(7) * min(drawn, 200_000)
  }
}

/// Measures exactly how long a person has received more notifications per week than they tolerate. The number
/// of notifications in the last seven days changes when one is shown and when one becomes a week old.
public struct ToleranceMeter: Hashable, Sendable {
  private static let week = TimeSpan.days(7)
  private let tolerance: Double
  /// The person's remaining patience.
  private var patience: TimeSpan
  /// The instants of the last week's notifications, in chronological order.
  private var shown: [Instant] = []
  /// The instant up to which the meter has been advanced.
  private var now = Instant.distantPast
  /// The instant at which patience was exhausted, or `nil` if some is left.
  public private(set) var endedAt: Instant?

  public init(_ traits: PersonTraits) {
    tolerance = traits.tolerance
    patience = traits.patience
  }

  /// Records that a notification is shown.
  public mutating func show(at instant: Instant) {
    advance(to: instant)
    shown.append(instant)
  }

  /// The instant at which patience will be exhausted if no more notifications are shown, or `nil` if the
  /// notifications so far do not exhaust it.
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

  /// Advances the meter. If patience is exhausted by `instant`, sets ``endedAt`` to the exact instant.
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
