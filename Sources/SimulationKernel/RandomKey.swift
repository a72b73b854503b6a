/// What a random draw is for. Draws for different purposes are independent of each other.
///
/// The numbers are part of every key: they stay as they are when purposes are added.
public enum RandomPurpose: UInt32, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// How long, and how exactly, the system takes to notice something about the phone.
  case device = 1
  /// When and how a person uses the phone.
  case habit = 2
  /// Traits that a person keeps: drawn once per person.
  case trait = 3
  /// Whether a person taps, dismisses or ignores a notification.
  case response = 4
  /// How long a person takes to respond.
  case responseDelay = 5
  /// Whether a person turns notifications off.
  case optOut = 6
  /// Where a person goes, and how exactly that is measured.
  case place = 7
}

/// Names a stream of random draws: a pure function from occurrence to number, without any state.
///
/// What a draw yields depends on (seed, person, device, purpose, name, occurrence) and on nothing else: not
/// on how many draws were made before, nor by whom. Two runs that differ in a policy therefore see
/// the same luck, as long as occurrences are told apart by what happens to the phone (an unlock at that
/// instant), not by what a policy makes of it (the nth notification) nor by a place in a file.
///
/// The generator is SplitMix64 in counter mode (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014): the finaliser `mix64` over key + (occurrence + 1) · γ,
/// where the key takes up seed, person, device and purpose one after the other in the same way.
public struct RandomKey: Hashable, Sendable, BitwiseCopyable {
  @usableFromInline
  let key: UInt64

  /// The key of one person's device for one purpose.
  ///
  /// - Parameters:
  ///   - seed: what a run is repeated by.
  ///   - person: which of the simulated people, from 0.
  ///   - device: which of that person's devices, from 0.
  ///   - purpose: what the luck is for: two purposes share none.
  @inlinable
  public init(seed: UInt64, person: UInt64, device: UInt32 = 0, purpose: RandomPurpose) {
    let owner = Self.mix64(Self.mix64(seed) ^ person &* Self.gamma)
    key = Self.mix64(owner ^ (UInt64(device) << 32 | UInt64(purpose.rawValue)) &* Self.gamma)
  }

  private init(key: UInt64) { self.key = key }

  /// The key whose draws are those of a generator that is published elsewhere: mix64(`rawValue` + (n + 1) · γ).
  @inlinable
  public init(rawValue: UInt64) { key = rawValue }

  /// The key for the draws that concern one thing, such as a place, by its ``nameNumber(_:)``.
  public func named(_ name: UInt64) -> RandomKey {
    RandomKey(key: Self.mix64(key ^ name &* Self.gamma))
  }

  /// A number that stands for a name, wherever in a file it is declared: 64-bit FNV-1a over its UTF-8.
  ///
  /// - Complexity: O(*n*) in the name
  public static func nameNumber(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The draw with number `occurrence`: 64 bits, each as often 0 as 1.
  @inlinable
  public func draw(_ occurrence: UInt64) -> UInt64 {
    Self.mix64(key &+ (occurrence &+ 1) &* Self.gamma)
  }

  /// 2⁶⁴ divided by the golden ratio, odd: the step of SplitMix64.
  @inlinable
  public static var gamma: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  /// SplitMix64's finaliser: a permutation of all 64-bit numbers in which every input bit flips every
  /// output bit about half of the time.
  @inlinable
  public static func mix64(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
