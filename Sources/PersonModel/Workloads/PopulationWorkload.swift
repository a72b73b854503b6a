/// A published population as data: people whose days, candidates for notifications and taps follow from whole
/// numbers alone, so that every implementation in every language comes to the same counters.
///
/// Seconds count from the first midnight in UTC. What the caps make of the candidates is not here: a person is
/// told what was shown, and answers.
///
/// ```swift
/// var person = PopulationWorkload.popcap1.person(4711, seed: 1, days: 30)
/// var block = CandidateBlock()
/// while person.next(into: &block) {
///   for index in 0..<block.count {
///     // Ask the cap scheduler; when it lets the candidate through:
///     let response = person.respond(to: block[index])
///   }
/// }
/// ```
public struct PopulationWorkload: Hashable, Sendable {
  /// As `--workload` names it.
  public var name: String
  /// Zones are whole hours from UTC; each of these is as likely.
  public var offsetHours: ClosedRange<Int>
  /// How many people in 100 allow notifications at first.
  public var permissionPercent: UInt64
  /// How much likelier than others a person taps, in 256ths; each is as likely.
  public var eagerness: [UInt32]
  public var stream: Stream
  public var taps: Taps

  /// What happens to a person's phone.
  public struct Stream: Hashable, Sendable, BitwiseCopyable {
    /// From one event to the next it takes 1 … this many seconds, each as likely.
    public var longestGap: UInt64
    /// Of 16 events one is a candidate of each of the standard types, 0 ..< this.
    public var standardTypes: UInt32
    /// Of 16 events one may be a candidate of the critical type, which comes after the standard ones: one of
    /// these many, a power of two, is.
    public var criticalRarity: UInt32
  }

  /// What a person does with what is shown.
  public struct Taps: Hashable, Sendable {
    /// How many of 65,536 are tapped, by type, before what follows.
    public var base: [UInt32]
    /// Hours of the local day in which more are tapped.
    public var eveningHours: ClosedRange<Int64>
    /// How many then for 256 at other times.
    public var eveningFactor: UInt32
    /// Each standard notification of the same local day before takes something off, up to this many.
    public var tiringCount: UInt32
    /// How much, in 256ths; what all take together is less than 256.
    public var tiring: UInt32
    /// After how many of 65,536 that are not tapped the person turns notifications off.
    public var optOuts: UInt64
    /// Seconds to a tap at least.
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

  /// Person `number` of a seed: the same whoever else is simulated.
  public func person(_ number: UInt64, seed: UInt64, days: Int) -> WorkloadPerson {
    WorkloadPerson(number, of: self, seed: seed, end: Int64(days) * 86_400)
  }
}
