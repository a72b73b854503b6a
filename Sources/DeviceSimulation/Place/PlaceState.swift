import Geofencing
package import TriggerModel

/// The position of a phone and the boundaries that it will cross before its next fix.
package struct PlaceState: Hashable, Sendable {
  /// A kind of circle. The raw value is the index of its monitor in a ``PlaceWatch``.
  enum Circle: Int, Hashable, Sendable, BitwiseCopyable {
    /// The region itself.
    case truth
    /// The circle whose boundary the phone must cross for the system to detect an enter.
    case systemEnter
    /// The circle whose boundary the phone must cross for the system to detect an exit.
    case systemExit
    /// The circle around the phone's surroundings, which the system watches for an exit.
    case surroundings
  }

  struct Crossing: Hashable, Sendable, BitwiseCopyable {
    var circle: Circle
    var crossing: RegionCrossing
  }

  /// The regions that contain the phone, according to its fixes and to the scenario's overrides.
  package internal(set) var inside = RegionSet()
  /// The regions with an override: since the last fix, the scenario has stated an enter or exit by name. The
  /// override takes precedence over the track.
  var overridden = RegionSet()
  /// The instant at which the phone reaches the next fix, which ends the overrides, or `.distantFuture` if
  /// none will end.
  var overridesEnd = Instant.distantFuture
  /// The state of each kind of circle. Empty before the first fix. In an array, the states of a long
  /// recording can be advanced in place.
  private var states: [RegionState] = []
  /// The circle around the surroundings, or `nil` if the app has registered none.
  private var surroundings: SingleCircle?
  /// The fix before the last, or `nil` if the path to the last fix is unknown.
  private var origin: Fix?
  /// The upcoming crossings in chronological order. Crossings at the same instant are in the order of
  /// ``Circle``.
  private var toCome: [Crossing] = []

  /// The regions that contain the last fix.
  var insideByFix: RegionSet { states[Circle.truth.rawValue].inside }

  /// The last fix that the phone reached, or `nil` before the first.
  package var lastFix: Fix? { states.first?.last }
  var hasBegun: Bool { !states.isEmpty }
  var nextCrossing: Instant { toCome.first?.crossing.instant ?? .distantFuture }

  /// Places the phone at the first fix, or at a fix that it reached on an unknown path. Drops the upcoming
  /// crossings, so the phone crosses no boundary.
  /// - Returns: The regions that contain the fix.
  mutating func begin(at fix: Fix, _ watch: PlaceWatch) -> RegionSet {
    states = watch.monitors.map { $0.begin(at: fix) }
    surroundings?.find(at: fix)
    origin = nil
    toCome.removeAll()
    return insideByFix
  }

  /// Applies a fix if it certainly crosses no boundary, and returns whether it did so. Most fixes of a
  /// recording cross none.
  @inline(__always)
  mutating func absorbs(_ fix: Fix) -> Bool {
    for index in states.indices {
      // Circles before this one have absorbed the fix already. They will receive it again, which is harmless.
      if !states[index].absorbs(fix) { return false }
    }
    return surroundings?.absorbs(fix) ?? true
  }

  /// Records the last fix but one of a series of absorbed fixes.
  mutating func passed(_ fix: Fix) { origin = fix }

  /// Starts moving to the next fix in a straight line at constant speed.
  /// - Returns: Whether the path crosses a boundary.
  mutating func setOut(for fix: Fix, _ watch: PlaceWatch) -> Bool {
    var crossings: [RegionCrossing] = []
    var taken = 0
    origin = lastFix
    for index in states.indices {
      watch.monitors[index].advance(&states[index], to: fix, into: &crossings)
      while taken < crossings.count {
        insert(crossings[taken], Circle(rawValue: index) ?? .truth)
        taken += 1
      }
    }
    surroundings?.advance(to: fix, into: &crossings)
    for crossing in crossings[taken...] { insert(crossing, .surroundings) }
    return !crossings.isEmpty
  }

  /// Returns the phone's position according to its fixes, or `nil` before the first fix.
  func position(at now: Instant) -> Coordinate? {
    guard let last = lastFix else { return nil }
    return origin?.position(on: last, at: now) ?? last.coordinate
  }

  // MARK: Surroundings

  /// Replaces the circle around the surroundings, or removes it.
  mutating func watch(_ circle: SingleCircle?) {
    surroundings = circle
    toCome.removeAll { $0.circle == .surroundings }
    guard let last = lastFix else { return }
    var crossings: [RegionCrossing] = []
    surroundings?.advance(to: last, into: &crossings)
    for crossing in crossings { insert(crossing, .surroundings) }
  }

  /// Returns whether a position is inside the surroundings, or `nil` if the app has registered none.
  func isInSurroundings(_ position: Coordinate) -> Bool? { surroundings?.holds(position) }

  private mutating func insert(_ crossing: RegionCrossing, _ circle: Circle) {
    toCome.insert(
      Crossing(circle: circle, crossing: crossing),
      at: toCome.partition { $0.crossing.instant <= crossing.instant })
  }

  /// Removes and returns the next crossing if it is due.
  mutating func takeCrossing(at now: Instant) -> Crossing? {
    nextCrossing <= now ? toCome.removeFirst() : nil
  }
}

extension PlaceState: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    inside.pack(in: &parcel)
    overridden.pack(in: &parcel)
    parcel.carry(&self, \.overridesEnd, \.origin)
    parcel.carry(&toCome)
    parcel.keep(&states, unless: states.isEmpty)
    parcel.keep(&surroundings, unless: surroundings == nil)
  }
}

/// The system's significant-change location service (rule L12).
struct SignificantChanges: Hashable, Sendable, BitwiseCopyable {
  /// The fix of the last significant change.
  private var last: Fix?

  /// Returns whether a fix that the phone has just reached may be the first fix or a significant change.
  ///
  /// - Parameters:
  ///   - interval: The minimum time since the last significant change.
  ///   - distance: The minimum distance from the last significant change, in metres.
  func mayRecord(_ fix: Fix?, at now: Instant, interval: TimeSpan, distance: Double) -> Bool {
    guard let last, let fix else { return true }
    return now - last.instant >= interval
      && Self.isFartherApart(fix.coordinate, last.coordinate, than: distance)
  }

  /// Records a fix that the phone has just reached.
  /// - Returns: Whether the fix is a significant change. The first fix is not.
  mutating func record(_ fix: Fix, at now: Instant, interval: TimeSpan, distance: Double) -> Bool {
    guard last != nil else {
      last = fix
      return false
    }
    guard mayRecord(fix, at: now, interval: interval, distance: distance) else { return false }
    last = Fix(instant: now, coordinate: fix.coordinate)
    return true
  }

  /// Returns whether two points are farther apart than a distance. The calculation is planar and has an error
  /// of about 1 %.
  private static func isFartherApart(_ a: Coordinate, _ b: Coordinate, than metres: Double) -> Bool {
    let north = (a.latitude - b.latitude) * Earth.metresPerDegree
    var degreesEast = abs(a.longitude - b.longitude)
    if degreesEast > 180 { degreesEast = 360 - degreesEast }
    let east = degreesEast * Earth.metresPerDegree * DeterministicMath.cosDegrees(a.latitude)
    return north * north + east * east > metres * metres
  }
}
