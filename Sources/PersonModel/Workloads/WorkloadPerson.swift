import SimulationKernel

/// One person of a ``PopulationWorkload``: a small value that draws its events one after the other, and its
/// responses by the number of the event, so that another policy meets the same luck.
public struct WorkloadPerson: Sendable {
  /// What the person did with a notification.
  public struct Response: Hashable, Sendable, BitwiseCopyable {
    /// Seconds until the tap; nil: not tapped.
    public var latency: UInt64?
    /// The person turns notifications off, for good.
    public var optsOut: Bool
    /// Of the local day, 0 … 23, in which it was shown.
    public var hour: Int
  }

  public let number: UInt64
  /// Local time less UTC.
  public let offsetHours: Int
  /// At first.
  public let allowsNotifications: Bool
  private let eagerness: UInt32
  private let events: RandomKey
  private let responses: RandomKey
  private let stream: PopulationWorkload.Stream
  private let taps: PopulationWorkload.Taps
  private let end: Int64
  /// How many events have happened.
  public private(set) var eventCount: UInt64 = 0
  private var seconds: Int64 = 0
  /// Standard notifications shown on ``day``.
  private var shown: UInt32 = 0
  private var day: Int64 = .min

  init(_ number: UInt64, of workload: PopulationWorkload, seed: UInt64, end: Int64) {
    let key = RandomKey.ofWorkload(seed: seed, person: number)
    events = RandomKey(rawValue: key)
    responses = RandomKey(rawValue: RandomKey.mix64(key ^ 0xD1B5_4A32_D192_ED03))
    let offsets = workload.offsetHours
    offsetHours = offsets.lowerBound + Int(key % UInt64(offsets.count))
    allowsNotifications = (key >> 8) % 100 < workload.permissionPercent
    eagerness = workload.eagerness[Int((key >> 16) % UInt64(workload.eagerness.count))]
    stream = workload.stream
    taps = workload.taps
    self.number = number
    self.end = end
  }

  /// Takes the candidates among the next events; none and false when the days are over.
  ///
  /// - Complexity: O(1); of 64 events of POPCAP-1 24 are candidates
  public mutating func next(into block: inout CandidateBlock) -> Bool {
    if seconds >= end { return false }
    var seconds = seconds
    let (first, stream, end) = (eventCount, stream, end)
    var event = first
    block.fill { candidates in
      var count = 0
      while event < first &+ UInt64(CandidateBlock.size) {
        let draw = events.draw(event)
        seconds &+= 1 &+ Int64(truncatingIfNeeded: ((draw & 0xFFFF_FFFF) &* stream.longestGap) >> 32)
        if seconds >= end { break }
        let choice = UInt32(truncatingIfNeeded: draw >> 32) & 0xFFFF
        // Written in any case, and kept where it is one: which events are candidates no processor can guess.
        candidates[count] = Candidate(
          seconds: seconds, event: UInt32(truncatingIfNeeded: event),
          type: UInt8(truncatingIfNeeded: choice >> 12),
          isCritical: choice >> 12 == stream.standardTypes)
        let isRare = choice >> 12 == stream.standardTypes && choice & (stream.criticalRarity &- 1) == 0
        count &+= choice >> 12 < stream.standardTypes || isRare ? 1 : 0
        event &+= 1
      }
      return count
    }
    self.seconds = seconds
    eventCount = event
    return true
  }

  /// What the person does with a candidate that is shown. To be asked in the order of time.
  public mutating func respond(to candidate: Candidate) -> Response {
    let local = candidate.seconds + Int64(offsetHours) * 3_600 + 86_400
    let hour = local % 86_400 / 3_600
    if local / 86_400 != day {
      day = local / 86_400
      shown = 0
    }
    var threshold = (taps.base[Int(candidate.type)] &* eagerness) >> 8
    if taps.eveningHours.contains(hour) { threshold = (threshold &* taps.eveningFactor) >> 8 }
    threshold = (threshold &* (256 &- taps.tiring &* min(shown, taps.tiringCount))) >> 8
    if !candidate.isCritical { shown += 1 }

    let luck = responses.draw(UInt64(candidate.event))
    if luck & 0xFFFF < UInt64(threshold) {
      let latency = taps.leastLatency &+ ((((luck >> 32) & 0xFFFF) &* (luck >> 48)) >> 20)
      return Response(latency: latency, optsOut: false, hour: Int(hour))
    }
    return Response(latency: nil, optsOut: (luck >> 16) & 0xFFFF < taps.optOuts, hour: Int(hour))
  }
}

extension RandomKey {
  /// The key of a person in workloads, as they are published: ``RandomKey/init(seed:person:device:purpose:)``
  /// takes up more.
  fileprivate static func ofWorkload(seed: UInt64, person: UInt64) -> UInt64 {
    mix64(seed ^ person &* gamma)
  }
}
