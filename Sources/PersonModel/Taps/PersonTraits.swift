import SimulationKernel
public import TriggerModel

/// What a person keeps for life: drawn from the person's number, so that every policy meets the same people.
public struct PersonTraits: Hashable, Sendable {
  /// Added to the log odds of every tap.
  public var eagerness: Double
  /// More notifications a week than this are too many.
  public var tolerance: Double
  /// For how long they are borne, until the person turns them off.
  public var patience: TimeSpan
  /// Whether the person says yes when an app asks, or keeps on what a phone has on.
  public var allowsNotifications: Bool

  public init(eagerness: Double, tolerance: Double, patience: TimeSpan, allowsNotifications: Bool) {
    self.eagerness = eagerness
    self.tolerance = tolerance
    self.patience = patience
    self.allowsNotifications = allowsNotifications
  }

  /// Person `number` of a seed.
  public init(_ number: UInt64, seed: UInt64, _ model: TapModel, on platform: TapModel.Platform) {
    let trait = RandomKey(seed: seed, person: number, purpose: .trait)
    eagerness = trait.named(RandomKey.nameNumber("eagerness"))
      .normal(standardDeviation: model[.eagernessSpread], 0)
    tolerance = trait.named(RandomKey.nameNumber("tolerance"))
      .logNormal(median: DeterministicMath.exp(model[.toleranceMu]), sigma: model[.toleranceSigma], 0)
    allowsNotifications =
      trait.named(RandomKey.nameNumber("permission")).unit(0) < model.permission(platform)
    // One draw for all of life: who is shown more gives up sooner, and never by other luck.
    let share = model[.optOutHazard]
    let weeks = share > 0 ? -1 / DeterministicMath.log(1 - min(share, 0.999_999)) : .infinity
    let drawn = RandomKey(seed: seed, person: number, purpose: .optOut).exponential(mean: 1, 0) * weeks
    // A few thousand years are for ever.
    patience = .days(7) * min(drawn, 200_000)
  }
}
