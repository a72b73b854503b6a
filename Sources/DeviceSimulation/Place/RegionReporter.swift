import TriggerModel

/// How the system comes to know one region: from crossing a circle, over staying beyond it, to a
/// belief that is worth a report (rules L3 to L6).
///
/// The system believes a crossing only when the phone has gone on beyond a cushion and stayed there
/// for the dwell time.
struct RegionReporter: Hashable, Sendable, BitwiseCopyable {
  /// A crossing on its way to be believed.
  private struct Candidate: Hashable, Sendable {
    var isInside: Bool
    var since: Instant
  }

  /// A true crossing that the system does not believe yet.
  private struct OpenTruth: Hashable, Sendable {
    var isInside: Bool
    /// The cushion was left behind, if only for a moment.
    var wasBeyond = false
  }

  var isMonitored = false
  /// Why nothing is reported of it while it is not watched.
  var whyUnwatched = RegionSuppression.notMonitored
  /// The system has stopped watching it, and the app has not asked for it again.
  var isLost = false
  /// Whether the system believes the phone to be inside.
  var believesInside = false
  private var candidate: Candidate?
  private var open: OpenTruth?

  /// The region was really entered or left.
  /// - Returns: Why the opposite crossing before will now never be reported, if it has not been.
  mutating func truthChanged(isInside: Bool) -> RegionSuppression? {
    let earlier = open
    open = isInside == believesInside ? nil : OpenTruth(isInside: isInside)
    guard let earlier, earlier.isInside != isInside else { return nil }
    return earlier.wasBeyond ? .dwell : .cushion
  }

  /// The phone is found on the other side of the boundary, and nobody knows how it came there: the
  /// system believes that without a report.
  /// - Returns: Why the crossing before will now never be reported, if it has not been.
  mutating func found(isInside: Bool) -> RegionSuppression? {
    let earlier = open
    open = nil
    candidate = nil
    believesInside = isInside
    return earlier.map { $0.wasBeyond ? .dwell : .cushion }
  }

  /// The phone went beyond one of the system's circles.
  /// - Returns: Whether to look again after the dwell time.
  mutating func wentBeyond(isInside: Bool, at now: Instant) -> Bool {
    if open?.isInside == isInside { open?.wasBeyond = true }
    guard isInside != believesInside else {
      candidate = nil
      return false
    }
    guard candidate == nil else { return false }
    candidate = Candidate(isInside: isInside, since: now)
    return true
  }

  /// The phone came back through the circle before the dwell time was over.
  mutating func cameBack(isInside: Bool) {
    if candidate?.isInside == isInside { candidate = nil }
  }

  /// The dwell time may be over.
  /// - Returns: What the system believes now, if that is new.
  mutating func hasDwelt(_ dwell: TimeSpan, at now: Instant) -> Bool? {
    guard let candidate, candidate.since + dwell <= now else { return nil }
    self.candidate = nil
    believesInside = candidate.isInside
    if open?.isInside == candidate.isInside { open = nil }
    return candidate.isInside
  }
}

/// The surroundings that the app asked for, and what the system knows of them.
struct WatchedSurroundings: Hashable, Sendable, BitwiseCopyable {
  var circle: Surroundings
  /// Believes itself inside from the beginning.
  var reporter = RegionReporter()

  init(_ circle: Surroundings) {
    self.circle = circle
    reporter.believesInside = true
    reporter.isMonitored = true
  }
}

extension RegionID {
  /// Stands for the surroundings among the regions of which the system reports.
  static let surroundings = RegionID(UInt32.max)
}

/// A report that the system will get round to.
struct RegionReport: Hashable, Sendable, BitwiseCopyable {
  var due: Instant
  var region: RegionID
  var isInside: Bool
  /// When the system came to believe it, for the draws.
  var crossed: Instant
}
