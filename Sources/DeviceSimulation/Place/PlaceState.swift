package import Geofencing
package import TriggerModel

/// Where a phone is, and which boundaries it will cross on the way to its next fix.
package struct PlaceState: Hashable, Sendable {
  /// Which circle of a region is crossed.
  enum Circle: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The region itself.
    case truth
    /// The smaller or larger one that the system takes for the region when it is entered.
    case systemEnter
    /// The one that the system takes for it when it is left.
    case systemExit
  }

  struct Crossing: Hashable, Sendable, BitwiseCopyable {
    var circle: Circle
    var crossing: RegionCrossing
  }

  /// The regions that the phone is in, by decree or by its fixes.
  package internal(set) var inside = RegionSet()
  private var truth: RegionState?
  private var enters: RegionState?
  private var exits: RegionState?
  /// In order of time, the truth first.
  private var toCome: [Crossing] = []

  /// Where the phone is when it sets out for the next fix; nil before the first.
  package var lastFix: Fix? { truth?.last }
  var hasBegun: Bool { truth != nil }
  var nextCrossing: Instant { toCome.first?.crossing.instant ?? .distantFuture }

  /// The first fix: nothing is crossed.
  /// - Returns: The regions that the phone is found in.
  mutating func begin(at fix: Fix, _ watch: PlaceWatch) -> RegionSet {
    let state = watch.truth.begin(at: fix)
    truth = state
    enters = watch.system?.enters.begin(at: fix)
    exits = watch.system?.exits.begin(at: fix)
    return state.inside
  }

  /// The phone sets out for its next fix, in a straight line and at constant speed.
  /// - Returns: Whether a boundary is crossed on the way.
  mutating func setOut(for fix: Fix, _ watch: PlaceWatch) -> Bool {
    var crossings: [RegionCrossing] = []
    truth?.advance(to: fix, watch.truth, &crossings)
    let truths = crossings.count
    var entersEnd = truths
    if let system = watch.system {
      enters?.advance(to: fix, system.enters, &crossings)
      entersEnd = crossings.count
      exits?.advance(to: fix, system.exits, &crossings)
    }
    if crossings.isEmpty { return false }
    for (position, crossing) in crossings.enumerated() {
      let circle: Circle = position < truths ? .truth : position < entersEnd ? .systemEnter : .systemExit
      // Stable: equal instants keep the order truth, enter, exit.
      let place = toCome.lastIndex { $0.crossing.instant <= crossing.instant }.map { $0 + 1 } ?? 0
      toCome.insert(Crossing(circle: circle, crossing: crossing), at: place)
    }
    return true
  }

  /// Takes the next crossing, if its time has come.
  mutating func takeCrossing(at now: Instant) -> Crossing? {
    nextCrossing <= now ? toCome.removeFirst() : nil
  }
}

extension RegionState {
  /// The monitor's call, turned round: through an optional it works in place.
  fileprivate mutating func advance(
    to fix: Fix, _ monitor: RegionMonitor, _ crossings: inout [RegionCrossing]
  ) {
    monitor.advance(&self, to: fix, into: &crossings)
  }
}
