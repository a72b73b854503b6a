package import PersonModel
package import TextFormats

/// The person of the model tap-v1 who holds the phone: who answers what the time line does not.
package struct PersonSetup: Hashable, Sendable {
  /// Which person of the seed: whose traits and luck.
  package var number: UInt64
  package var model: TapModel
  /// In place of what is drawn for the person: added to the log odds of every tap.
  package var eagerness: Double?
  /// In place of what is drawn for the person: more notifications a week than this are too many.
  package var tolerance: Double?
  /// Nil: the person never opens our app unasked, but for what the time line says.
  package var organicOpens: OrganicOpens?
  /// What the notifications of a type are to the person, where it is not what follows from their declaration.
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

  /// The traits of a person on a platform: those that are drawn, but for what is said of them.
  package func traits(of number: UInt64, seed: UInt64, on platform: TapModel.Platform) -> PersonTraits {
    var traits = PersonTraits(number, seed: seed, model, on: platform)
    if let eagerness { traits.eagerness = eagerness }
    if let tolerance { traits.tolerance = tolerance }
    return traits
  }
}
