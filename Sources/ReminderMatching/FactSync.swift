package import TriggerModel

/// How far the rows of failing fact conditions are brought up to date.
package struct FactSync: Sendable {
  /// What was said of since; unless everything is to be measured again.
  private(set) var changed: [FactID] = []
  private var isWhole = true
  /// The rows hold for wall-clock instants in between, as long as nobody sets the clock.
  private var from = Instant.distantPast
  private var until = Instant.distantPast
  /// What the clocks differed by then, since which boot, and where.
  private var difference = Instant.distantPast
  private var boot: UInt32 = 0
  private var zone = ZoneID(0)

  /// Beyond so many changes everything is measured again.
  private static let mostChanges = 32

  /// Everything is to be measured again.
  package mutating func forget() { self = FactSync() }

  package mutating func changed(_ fact: FactID) {
    if isWhole || changed.last == fact { return }
    if changed.count == Self.mostChanges { return forget() }
    changed.append(fact)
  }

  @inline(__always)
  package func isUpToDate(at moment: Moment) -> Bool {
    moment.wall < until && changed.isEmpty && !isStale(at: moment)
  }

  /// Something else than time has passed since: a clock was set, the phone booted or travelled.
  @inline(__always)
  package func isStale(at moment: Moment) -> Bool {
    isWhole || moment.wall < from || moment.clockDifference != difference
      || moment.uptime.boot != boot || moment.zone != zone
  }

  /// There are conditions that are looked at for the first time.
  package mutating func hasMore() { until = .distantPast }

  package mutating func caughtUp(at moment: Moment, until next: Instant) {
    changed.removeAll(keepingCapacity: true)
    isWhole = false
    (from, until) = (moment.wall, next)
    difference = moment.clockDifference
    (boot, zone) = (moment.uptime.boot, moment.zone)
  }
}

extension Moment {
  /// What the wall clock shows beyond the time since the boot; the same until somebody sets the clock.
  @inline(__always)
  fileprivate var clockDifference: Instant { wall - uptime.span }
}
