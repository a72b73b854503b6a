import SimulationKernel

/// One person of a ``PopulationWorkload``, as a small value that draws its events in sequence. Responses are
/// keyed by the number of the event, so all policies get the same draws.
public struct WorkloadPerson: Sendable {
  /// The person's response to a notification.
  public struct Response: Hashable, Sendable, BitwiseCopyable {
    /// The number of seconds until the tap, or `nil` if the person does not tap.
    public var latency: UInt64?
    /// Whether the person permanently turns notifications off.
    public var optsOut: Bool
    /// The hour of the local day, 0…23, in which the notification was shown.
    public var hour: Int
  }

  public let number: UInt64
  /// The offset of local time from UTC, in hours.
  public let offsetHours: Int
  /// Whether the person initially allows notifications.
  public let allowsNotifications: Bool
  private let eagerness: UInt32
  private let events: RandomKey
  private let responses: RandomKey
  private let stream: PopulationWorkload.Stream
  private let taps: PopulationWorkload.Taps
  private let end: Int64
  /// The number of events so far.
  public private(set) var eventCount: UInt64 = 0
  private var seconds: Int64 = 0
  /// The number of standard notifications shown on ``day``.
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

  /// Fills the block with the candidates among the next events. Returns `false` after the last day.
  ///
  /// - Complexity: O(1). In POPCAP-1, about 24 of the 64 events of a block are candidates.
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
        // Write every event, but keep it only if it is a candidate. A branch would be mispredicted too often.
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

  /// Returns the person's response to a shown candidate.
  ///
  /// - Precondition: Calls are in chronological order.
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

    let draw = responses.draw(UInt64(candidate.event))
    if draw & 0xFFFF < UInt64(threshold) {
      let latency = taps.leastLatency &+ ((((draw >> 32) & 0xFFFF) &* (draw >> 48)) >> 20)
      return Response(latency: latency, optsOut: false, hour: Int(hour))
    }
    return Response(latency: nil, optsOut: (draw >> 16) & 0xFFFF < taps.optOuts, hour: Int(hour))
  }
}

extension RandomKey {
  /// Returns the key of a person in published workloads. It combines fewer values than
  /// ``RandomKey/init(seed:person:device:purpose:)``.
  fileprivate static func ofWorkload(seed: UInt64, person: UInt64) -> UInt64 {
    mix64(seed ^ person &* gamma)
  }
}

/// An event that causes a notification if the caps allow it.
public struct Candidate: Hashable, Sendable, BitwiseCopyable {
  /// The number of seconds since the first midnight in UTC.
  public var seconds: Int64
  /// The number of the person's event, starting at 0.
  public var event: UInt32
  /// The number of the type. The critical type follows the standard ones.
  public var type: UInt8
  public var isCritical: Bool
}

/// The candidates in a block of consecutive events. The buffer can be reused.
public struct CandidateBlock: Sendable {
  /// The number of events in a block.
  static let size = 64
  @usableFromInline
  private(set) var storage: [Candidate]
  public private(set) var count = 0

  public init() {
    storage = Array(
      repeating: Candidate(seconds: 0, event: 0, type: 0, isCritical: false), count: Self.size)
  }

  /// Accesses a candidate by index. Candidates are in chronological order.
  @inlinable
  public subscript(index: Int) -> Candidate { storage[index] }

  mutating func fill(_ body: (UnsafeMutableBufferPointer<Candidate>) -> Int) {
    count = storage.withUnsafeMutableBufferPointer { body($0) }
  }
}
