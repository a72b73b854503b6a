import TriggerModel

/// The purpose of a random draw. Draws with different purposes are independent.
///
/// The raw values are part of every key. Do not change an existing value.
public enum RandomPurpose: UInt32, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The delays and errors with which the system detects events on the phone.
  case device = 1
  /// The times and ways in which a person uses the phone.
  case habit = 2
  /// Permanent traits of a person, drawn once per person.
  case trait = 3
  /// Whether a person taps, dismisses or ignores a notification.
  case response = 4
  /// The time that a person takes to respond.
  case responseDelay = 5
  /// Whether a person turns notifications off.
  case optOut = 6
  /// The places that a person visits, and the measurement error of the position.
  case place = 7
}

/// The identifier of a stream of random draws. A stream has no state: it is a pure function from the number
/// of an occurrence to a random number.
///
/// A draw depends only on (seed, person, device, purpose, name, occurrence). It depends neither on the number
/// nor on the order of other draws. Two runs with different policies therefore draw the same values, provided
/// that the occurrence number follows from an event on the phone, such as the instant of an unlock. Do not
/// use a result of the policy, such as a count of notifications, or a position in a file.
///
/// The generator is SplitMix64 in counter mode (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014). A draw applies the finaliser `mix64` to key + (occurrence +
/// 1) · γ. The key is computed in the same way, by mixing in the seed, then the person, then the device and
/// the purpose.
public struct RandomKey: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline
  let key: UInt64

  /// Creates the key of one person's device for one purpose.
  ///
  /// - Parameters:
  ///   - seed: The seed of the run. The same seed repeats the run.
  ///   - person: The number of the simulated person, from 0.
  ///   - device: The number of the person's device, from 0.
  ///   - purpose: The purpose of the draws.
  @inlinable
  public init(seed: UInt64, person: UInt64, device: UInt32 = 0, purpose: RandomPurpose) {
    let owner = Self.mix64(Self.mix64(seed) ^ person &* Self.gamma)
    key = Self.mix64(owner ^ (UInt64(device) << 32 | UInt64(purpose.rawValue)) &* Self.gamma)
  }

  /// Creates a key whose draws equal those of the published SplitMix64 generator with the seed `rawValue`.
  @inlinable
  public init(rawValue: UInt64) { key = rawValue }

  /// Returns the key for draws about a named subject, such as a place. `name` is the subject's
  /// ``nameNumber(_:)``.
  public func named(_ name: UInt64) -> RandomKey {
    RandomKey(rawValue: Self.mix64(key ^ name &* Self.gamma))
  }

  /// Returns the number of a name: the 64-bit FNV-1a hash of its UTF-8. It does not depend on the name's
  /// position in a file.
  ///
  /// - Complexity: O(*n*) in the length of the name
  public static func nameNumber(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Returns the draw with number `occurrence`: 64 uniformly distributed bits.
  @inlinable
  public func draw(_ occurrence: UInt64) -> UInt64 {
    Self.mix64(key &+ (occurrence &+ 1) &* Self.gamma)
  }

  /// The step of SplitMix64: 2⁶⁴ divided by the golden ratio, made odd.
  @inlinable
  public static var gamma: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  /// Applies the finaliser of SplitMix64, a permutation of all 64-bit numbers. Every input bit flips every
  /// output bit with a probability of about one half.
  @inlinable
  public static func mix64(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}

extension RandomKey {
  /// Returns a uniformly distributed number in [0, 1) that is a multiple of 2⁻⁵³.
  @inlinable
  public func unit(_ occurrence: UInt64) -> Double {
    Self.unit(draw(occurrence))
  }

  @inlinable
  static func unit(_ bits: UInt64) -> Double {
    Double(bits >> 11) * 0x1p-53
  }

  /// Returns a uniformly distributed whole number in 0 ..< `bound`.
  ///
  /// The number is the upper half of a 128-bit product. Each probability differs from 1 / `bound` by less
  /// than 2⁻⁶⁴, so no draw is ever repeated. Traps if `bound` is 0.
  @inlinable
  public func below(_ bound: UInt64, _ occurrence: UInt64) -> UInt64 {
    precondition(bound > 0, "no number is below 0")
    return draw(occurrence).multipliedFullWidth(by: bound).high
  }

  /// Returns `true` with a probability of `partsPerMillion` / 1,000,000.
  @inlinable
  public func chance(partsPerMillion: UInt32, _ occurrence: UInt64) -> Bool {
    below(1_000_000, occurrence) < UInt64(partsPerMillion)
  }

  /// Returns an exponentially distributed number, which is at most 37 times `mean`. The mean must not be
  /// negative.
  public func exponential(mean: Double, _ occurrence: UInt64) -> Double {
    // The argument of the logarithm, 1 - u, is in (0, 1].
    -mean * DeterministicMath.log(1 - unit(occurrence))
  }

  /// Returns a normally distributed number, which is at most 8.6 standard deviations from `mean`.
  ///
  /// Uses the Box–Muller transform (G. E. P. Box and M. E. Muller, 1958): the number follows from the
  /// distance and the direction of a random point in the plane. A second application of the finaliser to the
  /// same draw gives the direction.
  public func normal(mean: Double = 0, standardDeviation: Double = 1, _ occurrence: UInt64) -> Double {
    let bits = draw(occurrence)
    let distance = (-2 * DeterministicMath.log(1 - Self.unit(bits))).squareRoot()
    let direction = 360 * Self.unit(Self.mix64(bits &+ Self.gamma))
    return mean + standardDeviation * distance * DeterministicMath.cosDegrees(direction)
  }

  /// Returns a log-normally distributed number.
  ///
  /// - Parameters:
  ///   - median: The median, greater than 0.
  ///   - sigma: The standard deviation of the logarithm.
  ///   - occurrence: The number of the draw.
  public func logNormal(median: Double, sigma: Double, _ occurrence: UInt64) -> Double {
    median * DeterministicMath.exp(normal(standardDeviation: sigma, occurrence))
  }
}
