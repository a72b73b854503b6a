import TriggerModel

/// The regions that the system monitors for the app under test, the states that it has detected, and the
/// queued reports.
struct RegionMonitoring: Hashable, Sendable {
  /// The reporters, indexed by region.
  private var reporters: [RegionReporter] = []
  /// The surroundings, or `nil` if the app did not register any.
  var surroundings: WatchedSurroundings?
  var reports = ReportQueue<RegionReport>(timer: .regionReport)

  /// The reporter of a region. An unregistered region has a reporter that does not monitor it. Setting a
  /// reporter registers the region.
  subscript(region: RegionID) -> RegionReporter {
    get {
      if region == .surroundings { return surroundings?.reporter ?? RegionReporter() }
      return region.index < reporters.count ? reporters[region.index] : RegionReporter()
    }
    set {
      if region == .surroundings {
        surroundings?.reporter = newValue
        return
      }
      reporters.grow(toHold: region.index, filling: RegionReporter())
      reporters[region.index] = newValue
    }
  }

  /// The monitored regions, except the surroundings.
  var monitored: [RegionID] { reporters.indices.filter { reporters[$0].isMonitored }.map { RegionID($0) } }

  /// The regions that the system stopped monitoring and that the app has not registered again.
  var lost: [RegionID] { reporters.indices.filter { reporters[$0].isLost }.map { RegionID($0) } }

  func isMonitored(_ region: RegionID) -> Bool { self[region].isMonitored }

  /// Returns the reason that the system refuses to monitor another region, or `nil` if it accepts the region
  /// (rules L1 and L2). The surroundings count towards the limit.
  ///
  /// - Parameter radius: The radius of the region, in metres.
  func refusal(ofRadius radius: Double, isLocationOn: Bool, _ settings: ProfileSettings) -> RegionSuppression?
  {
    if settings.maximumRadius > 0 && radius > settings.maximumRadius { return .notMonitored }
    if !isLocationOn, settings.locationOffRemovesRegions { return .notMonitored }
    let count = reporters.count { $0.isMonitored } + (isMonitored(.surroundings) ? 1 : 0)
    return settings.regionLimit > 0 && count >= settings.regionLimit ? .regionLimit : nil
  }

  /// Stops monitoring a region at the app's request.
  mutating func stop(_ region: RegionID, at now: Instant) {
    guard region.index < reporters.count else { return }
    if reporters[region.index].isMonitored { reporters[region.index].stoppedAt = now }
    reporters[region.index].isMonitored = false
    reporters[region.index].whyUnwatched = .notMonitored
  }

  /// Stops monitoring all regions until the user opens the app and it registers them again.
  mutating func loseAll() {
    for index in reporters.indices where reporters[index].isMonitored {
      reporters[index].isMonitored = false
      reporters[index].isLost = true
    }
    surroundings?.reporter.isMonitored = false
  }

  /// Forgets all regions because the app was deleted.
  mutating func removeAll() {
    reporters = []
    reports.removeAll { _ in true }
  }
}

extension RegionMonitoring: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&surroundings)
    parcel.carry(&reporters)
    reports.pack(in: &parcel)
  }
}

/// Detects an enter or exit of one region as the system does (rules L3 to L6).
///
/// The system accepts and reports a crossing only after the phone has moved beyond the cushion and stayed
/// there for the dwell time.
struct RegionReporter: Hashable, Sendable, BitwiseCopyable {
  /// A crossing that may be accepted after the dwell time.
  private struct Candidate: Hashable, Sendable {
    var isInside: Bool
    var since: Instant
  }

  /// A true crossing that the system has not yet accepted.
  private struct UnreportedCrossing: Hashable, Sendable {
    var isInside: Bool
    /// Whether the phone moved beyond the cushion, even briefly.
    var wasBeyond = false
  }

  var isMonitored = false
  /// The reason that the system does not monitor the region, if it does not.
  var whyUnwatched = RegionSuppression.notMonitored
  /// Whether the system stopped monitoring the region and the app has not registered it again.
  var isLost = false
  /// The instant at which the app stopped monitoring the region. If the app registers the region again at
  /// that instant, it only replaces it, and the system keeps its detected state.
  var stoppedAt = Instant.distantPast
  /// Whether the system considers the phone inside the region.
  var believesInside = false
  private var candidate: Candidate?
  private var unreported: UnreportedCrossing?

  /// Records a true crossing of the region's boundary.
  /// - Returns: The reason that the system will never report the previous, opposite crossing, or `nil` if it
  ///   has reported that crossing.
  mutating func truthChanged(isInside: Bool) -> RegionSuppression? {
    let earlier = unreported
    unreported = isInside == believesInside ? nil : UnreportedCrossing(isInside: isInside)
    guard let earlier, earlier.isInside != isInside else { return nil }
    return earlier.wasBeyond ? .dwell : .cushion
  }

  /// Records on which side of the boundary the phone is after an unknown path. The system accepts this state
  /// without a report.
  /// - Returns: The reason that the system will never report the previous crossing, or `nil` if it has
  ///   reported that crossing.
  mutating func found(isInside: Bool) -> RegionSuppression? {
    let earlier = unreported
    unreported = nil
    candidate = nil
    believesInside = isInside
    return earlier.map { $0.wasBeyond ? .dwell : .cushion }
  }

  /// Records that the phone moved beyond one of the system's circles.
  /// - Returns: Whether to call ``hasDwelt(_:at:)`` after the dwell time.
  mutating func wentBeyond(isInside: Bool, at now: Instant) -> Bool {
    if unreported?.isInside == isInside { unreported?.wasBeyond = true }
    guard isInside != believesInside else {
      candidate = nil
      return false
    }
    guard candidate == nil else { return false }
    candidate = Candidate(isInside: isInside, since: now)
    return true
  }

  /// Records that the phone recrossed the circle before the dwell time ended.
  mutating func cameBack(isInside: Bool) {
    if candidate?.isInside == isInside { candidate = nil }
  }

  /// Accepts the candidate if its dwell time is over.
  /// - Returns: Whether the phone is now inside, or `nil` if the detected state did not change.
  mutating func hasDwelt(_ dwell: TimeSpan, at now: Instant) -> Bool? {
    guard let candidate, candidate.since + dwell <= now else { return nil }
    self.candidate = nil
    believesInside = candidate.isInside
    if unreported?.isInside == candidate.isInside { unreported = nil }
    return candidate.isInside
  }
}

/// The surroundings that the app registered, with the state that the system has detected.
struct WatchedSurroundings: Hashable, Sendable, BitwiseCopyable {
  var circle: Surroundings
  /// The detector. It assumes at first that the phone is inside.
  var reporter = RegionReporter()

  init(_ circle: Surroundings) {
    self.circle = circle
    reporter.believesInside = true
    reporter.isMonitored = true
  }
}

extension RegionID {
  /// The identifier that represents the surroundings.
  static let surroundings = RegionID(UInt32.max)
}

/// A report of a region that the system will deliver later.
struct RegionReport: DelayedReport {
  var due: Instant
  var region: RegionID
  var isInside: Bool
  /// The instant at which the system accepted the crossing.
  var crossed: Instant
  /// Whether the phone was already inside at the system's first check.
  var isInitial: Bool
}
