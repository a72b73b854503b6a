package import DeviceSimulation
package import PersonModel
package import TextFormats

/// The person of the model tap-v1, who responds where the time line does not.
package struct PersonSetup: Hashable, Sendable {
  /// The person's number under the seed, which determines traits and luck.
  package var number: UInt64
  package var model: TapModel
  /// The term added to the log odds of every tap, or `nil` if it is drawn.
  package var eagerness: Double?
  /// The number of notifications per week above which there are too many, or `nil` if it is drawn.
  package var tolerance: Double?
  /// The distribution of unprompted openings, or `nil` if only the time line opens the app.
  package var organicOpens: OrganicOpens?
  /// The kinds of notifications by type, where they differ from those that follow from the declarations.
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

  /// Returns the traits of a person on a platform: the drawn ones, with the declared ones in their place.
  package func traits(of number: UInt64, seed: UInt64, on platform: TapModel.Platform) -> PersonTraits {
    var traits = PersonTraits(number, seed: seed, model, on: platform)
    if let eagerness { traits.eagerness = eagerness }
    if let tolerance { traits.tolerance = tolerance }
    return traits
  }
}

extension TapModel.Platform {
  /// Creates the platform that people with a system use.
  package init(_ system: PlatformProfile.System) {
    switch system {
    case .ios: self = .ios
    case .android: self = .android
    }
  }
}
