import Geofencing
package import TriggerModel

/// Where a phone is, and which boundaries it will cross on the way to its next fix.
package struct PlaceState: Hashable, Sendable {
  /// Which circle of a region is crossed, in the order of a watch's monitors.
  enum Circle: Int, Hashable, Sendable, BitwiseCopyable {
    /// The region itself.
    case truth
    /// The one that the system takes for the region when it is entered.
    case systemEnter
    /// The one that the system takes for it when it is left.
    case systemExit
    /// The one that the system takes for the surroundings that the app asked for.
    case surroundings
  }

  struct Crossing: Hashable, Sendable, BitwiseCopyable {
    var circle: Circle
    var crossing: RegionCrossing
  }

  /// The regions that the phone is in, by decree or by its fixes.
  package internal(set) var inside = RegionSet()
  /// The regions that were entered or left by decree since the last fix was reached: there the decree, and
  /// not the way, says where the phone is.
  var decreed = RegionSet()
  /// When the next fix is reached; `.distantFuture` while the phone is not on its way.
  var decreesEnd = Instant.distantFuture
  /// One for each circle that is watched; none before the first fix. In an array because a state moves
  /// on in place there, a million times in a long recording.
  private var states: [RegionState] = []
  /// The system's circle of the surroundings that the app asked for.
  private var surroundings: LoneCircle?
  /// The fix before the last; nil while nothing is known of the way to the last.
  private var origin: Fix?
  /// In order of time, circles in theirs.
  private var toCome: [Crossing] = []

  /// The regions that hold the fix that was given last.
  var insideByFix: RegionSet { states[Circle.truth.rawValue].inside }

  /// Where the phone is when it sets out for the next fix; nil before the first.
  package var lastFix: Fix? { states.first?.last }
  var hasBegun: Bool { !states.isEmpty }
  var nextCrossing: Instant { toCome.first?.crossing.instant ?? .distantFuture }

  /// The first fix, or one that nothing is known of the way to: nothing is crossed, and nothing that was
  /// still to be crossed will be.
  /// - Returns: The regions that the phone is found in.
  mutating func begin(at fix: Fix, _ watch: PlaceWatch) -> RegionSet {
    states = watch.monitors.map { $0.begin(at: fix) }
    surroundings?.find(at: fix)
    origin = nil
    toCome.removeAll()
    return insideByFix
  }

  /// Takes a fix in if it surely crosses nothing: the next of many that are far from every boundary.
  @inline(__always)
  mutating func absorbs(_ fix: Fix) -> Bool {
    for index in states.indices {
      // Circles that took the fix before another did not will do so again.
      if !states[index].absorbs(fix) { return false }
    }
    return surroundings?.absorbs(fix) ?? true
  }

  /// Several fixes were absorbed; this is the last but one.
  mutating func passed(_ fix: Fix) { origin = fix }

  /// The phone sets out for its next fix, in a straight line and at constant speed.
  /// - Returns: Whether a boundary is crossed on the way.
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

  /// Where the phone is by its fixes; nil before the first.
  func position(at now: Instant) -> Coordinate? {
    guard let last = lastFix else { return nil }
    return origin?.position(on: last, at: now) ?? last.coordinate
  }

  // MARK: Surroundings

  /// The system watches another circle, or none, from where the phone is.
  mutating func watch(_ circle: LoneCircle?) {
    surroundings = circle
    toCome.removeAll { $0.circle == .surroundings }
    guard let last = lastFix else { return }
    var crossings: [RegionCrossing] = []
    surroundings?.advance(to: last, into: &crossings)
    for crossing in crossings { insert(crossing, .surroundings) }
  }

  /// Whether a position lies in the circle; nil: none is watched.
  func isInSurroundings(_ position: Coordinate) -> Bool? { surroundings?.holds(position) }

  private mutating func insert(_ crossing: RegionCrossing, _ circle: Circle) {
    toCome.insert(
      Crossing(circle: circle, crossing: crossing),
      at: toCome.partition { $0.crossing.instant <= crossing.instant })
  }

  /// Takes the next crossing, if its time has come.
  mutating func takeCrossing(at now: Instant) -> Crossing? {
    nextCrossing <= now ? toCome.removeFirst() : nil
  }
}

extension PlaceState: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    inside.pack(in: &parcel)
    decreed.pack(in: &parcel)
    parcel.carry(&self, \.decreesEnd, \.origin)
    parcel.carry(&toCome)
    parcel.keep(&states, unless: states.isEmpty)
    parcel.keep(&surroundings, unless: surroundings == nil)
  }
}
