package import DeviceSimulation
package import PersonModel
package import TextFormats

/// The simulated person of the model tap-v1. The person responds to notifications unless the time line
/// declares a response.
package struct PersonSetup: Hashable, Sendable {
  /// The number of the person. It determines traits and random draws, together with the seed.
  package var number: UInt64
  package var model: TapModel
  /// The term that is added to the log odds of every tap, or `nil` to draw it.
  package var eagerness: Double?
  /// The number of notifications per week that the person tolerates, or `nil` to draw it.
  package var tolerance: Double?
  /// The distribution of openings without a notification, or `nil` if only the time line opens the app.
  package var organicOpens: OrganicOpens?
  /// The declared kinds of notifications, by type. For other types, the kind is derived from the
  /// declarations.
  package var kinds: [String: TapModel.Kind]
  package var position: SourcePosition

  package init(
    number: UInt64 = 0, model: TapModel = TapModel(), eagerness: Double? = nil, tolerance: Double? = nil,
    organicOpens: OrganicOpens? = nil, kinds: [String: TapModel.Kind] = [:],
    position: SourcePosition = .start
  ) {
    self.number = number
    self.model = model
    self.eagerness = eagerness
    self.tolerance = tolerance
    self.organicOpens = organicOpens
    self.kinds = kinds
    self.position = position
  }

  /// Returns the traits of a person on a platform. Declared traits replace drawn ones.
  package func traits(of number: UInt64, seed: UInt64, on platform: TapModel.Platform) -> PersonTraits {
    var traits = PersonTraits(number, seed: seed, model, on: platform)
    if let eagerness { traits.eagerness = eagerness }
    if let tolerance { traits.tolerance = tolerance }
    return traits
  }
}

extension TapModel.Platform {
  /// Creates the platform that corresponds to an operating system.
  package init(_ system: PlatformProfile.System) {
    switch system {
    case .ios: self = .ios
    case .android: self = .android
    }
  }
}
