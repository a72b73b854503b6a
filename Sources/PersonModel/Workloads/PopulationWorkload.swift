/// A published population as data. The days, candidates and taps of its people are computed only with
/// integers, so implementations in all languages produce the same counters.
///
/// Instants are seconds since the first midnight in UTC. The caps are not part of the population: the caller
/// decides which candidates to show, and the person responds to those.
///
/// ```swift
/// var person = PopulationWorkload.popcap1.person(4711, seed: 1, days: 30)
/// var block = CandidateBlock()
/// while person.next(into: &block) {
///   for index in 0..<block.count {
///     // Ask the cap scheduler; if it admits the candidate:
///     let response = person.respond(to: block[index])
///   }
/// }
/// ```
public struct PopulationWorkload: Hashable, Sendable {
  /// The name to pass to `--workload`.
  public var name: String
  /// The offsets of the zones from UTC in whole hours. All have equal probabilities.
  public var offsetHours: ClosedRange<Int>
  /// The percentage of people who initially allow notifications.
  public var permissionPercent: UInt64
  /// The possible factors on a person's tap probability, in 256ths. All have equal probabilities.
  public var eagerness: [UInt32]
  public var stream: Stream
  public var taps: Taps

  /// The distribution of the events on a person's phone.
  public struct Stream: Hashable, Sendable, BitwiseCopyable {
    /// The maximum time between two events in seconds. The time is uniformly distributed and at least 1 s.
    public var longestGap: UInt64
    /// The number of standard types. Each standard type is the candidate of one in 16 events, on average.
    public var standardTypes: UInt32
    /// The rarity of the critical type, a power of two. On average, one in 16 events is drawn for the
    /// critical type, and one in `criticalRarity` of these is a candidate. The number of the critical type
    /// follows those of the standard types.
    public var criticalRarity: UInt32
  }

  /// The distribution of a person's responses.
  public struct Taps: Hashable, Sendable {
    /// For each type, the number of taps per 65,536 notifications, before the factors below are applied.
    public var base: [UInt32]
    /// The hours of the local day in which the tap probability is higher.
    public var eveningHours: ClosedRange<Int64>
    /// The factor on the tap probability in those hours, in 256ths.
    public var eveningFactor: UInt32
    /// The maximum number of earlier standard notifications of the same local day that reduce the tap
    /// probability.
    public var tiringCount: UInt32
    /// The reduction per earlier notification, in 256ths. The total reduction must be less than 256.
    public var tiring: UInt32
    /// The number of opt-outs per 65,536 notifications that are not tapped.
    public var optOuts: UInt64
    /// The minimum number of seconds to a tap.
    public var leastLatency: UInt64
  }

  /// POPCAP-1, version 1.
  public static let popcap1 = PopulationWorkload(
    name: "popcap-1", offsetHours: -12...14, permissionPercent: 65, eagerness: [128, 192, 256, 384],
    stream: Stream(longestGap: 1_151, standardTypes: 6, criticalRarity: 64),
    taps: Taps(
      base: [9_830, 11_796, 14_745, 17_694, 16_384, 8_192, 32_768], eveningHours: 17...20,
      eveningFactor: 320, tiringCount: 3, tiring: 32, optOuts: 131, leastLatency: 5))

  public static let all = [popcap1]

  /// Returns person `number` for a seed, independently of all other people.
  public func person(_ number: UInt64, seed: UInt64, days: Int) -> WorkloadPerson {
    WorkloadPerson(number, of: self, seed: seed, end: Int64(days) * 86_400)
  }
}
