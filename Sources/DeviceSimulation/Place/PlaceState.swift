import Geofencing
package import TriggerModel

/// The position of a phone and the boundaries that it will cross before its next fix.
package struct PlaceState: Hashable, Sendable {
  /// A kind of circle. The raw value is the position of its monitor in a watch.
  enum Circle: Int, Hashable, Sendable, BitwiseCopyable {
    /// The region itself.
    case truth
    /// The circle at which the system considers the region entered.
    case systemEnter
    /// The circle at which the system considers the region left.
    case systemExit
    /// The system's circle around the surroundings.
    case surroundings
  }

  struct Crossing: Hashable, Sendable, BitwiseCopyable {
    var circle: Circle
    var crossing: RegionCrossing
  }

  /// The regions that contain the phone, according to fixes and to the scenario's overrides.
  package internal(set) var inside = RegionSet()
  /// The regions for which the scenario has stated an enter or exit since the phone reached the last fix. For
  /// these regions, the statement takes precedence over the track.
  var overridden = RegionSet()
  /// The instant at which the phone reaches the next fix, or `.distantFuture` if it is not moving.
  var overridesEnd = Instant.distantFuture
  /// The state of each kind of circle. Empty before the first fix. An array lets long recordings advance the
  /// states in place.
  private var states: [RegionState] = []
  /// The system's circle around the surroundings, or `nil` if the app requested none.
  private var surroundings: SingleCircle?
  /// The fix before the last, or `nil` if the path to the last fix is unknown.
  private var origin: Fix?
  /// The upcoming crossings in chronological order. Simultaneous crossings are in the order of their circles.
  private var toCome: [Crossing] = []

  /// The regions that contain the last fix.
  var insideByFix: RegionSet { states[Circle.truth.rawValue].inside }

  /// The last fix that the phone reached, or `nil` before the first.
  package var lastFix: Fix? { states.first?.last }
  var hasBegun: Bool { !states.isEmpty }
  var nextCrossing: Instant { toCome.first?.crossing.instant ?? .distantFuture }

  /// Places the phone at the first fix, or at a fix that it reached on an unknown path. It crosses no
  /// boundary, and upcoming crossings are dropped.
  /// - Returns: The regions that contain the fix.
  mutating func begin(at fix: Fix, _ watch: PlaceWatch) -> RegionSet {
    states = watch.monitors.map { $0.begin(at: fix) }
    surroundings?.find(at: fix)
    origin = nil
    toCome.removeAll()
    return insideByFix
  }

  /// Applies a fix if it certainly crosses no boundary, and returns whether it did. Most fixes of a recording
  /// cross none.
  @inline(__always)
  mutating func absorbs(_ fix: Fix) -> Bool {
    for index in states.indices {
      // Circles that have already absorbed the fix will receive it again, which is harmless.
      if !states[index].absorbs(fix) { return false }
    }
    return surroundings?.absorbs(fix) ?? true
  }

  /// Records the second-last fix of a series of absorbed fixes.
  mutating func passed(_ fix: Fix) { origin = fix }

  /// Starts moving to the next fix, in a straight line and at constant speed.
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

  /// Returns the position according to the fixes, or `nil` before the first fix.
  func position(at now: Instant) -> Coordinate? {
    guard let last = lastFix else { return nil }
    return origin?.position(on: last, at: now) ?? last.coordinate
  }

  // MARK: Surroundings

  /// Replaces or removes the circle around the surroundings.
  mutating func watch(_ circle: SingleCircle?) {
    surroundings = circle
    toCome.removeAll { $0.circle == .surroundings }
    guard let last = lastFix else { return }
    var crossings: [RegionCrossing] = []
    surroundings?.advance(to: last, into: &crossings)
    for crossing in crossings { insert(crossing, .surroundings) }
  }

  /// Returns whether a position lies in the surroundings, or `nil` if there are none.
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

/// The significant-change location service (rule L12).
struct SignificantChanges: Hashable, Sendable, BitwiseCopyable {
  /// The fix of the last significant change.
  private var last: Fix?

  /// Returns whether a fix that the phone has just reached is the first one or a significant change.
  ///
  /// - Parameters:
  ///   - interval: The minimum time since the last significant change.
  ///   - distance: The minimum distance from it, in metres.
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

  /// Returns whether two points are farther apart than a distance. It is computed on a plane, with an error
  /// of about 1 %.
  private static func isFartherApart(_ a: Coordinate, _ b: Coordinate, than metres: Double) -> Bool {
    let north = (a.latitude - b.latitude) * Earth.metresPerDegree
    var degreesEast = abs(a.longitude - b.longitude)
    if degreesEast > 180 { degreesEast = 360 - degreesEast }
    let east = degreesEast * Earth.metresPerDegree * DeterministicMath.cosDegrees(a.latitude)
    return north * north + east * east > metres * metres
  }
}
