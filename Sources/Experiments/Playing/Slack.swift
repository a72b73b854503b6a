import CivilTime
import NotificationGateway
import ScenarioModel
import TriggerModel

/// By how little a check denied a request: how much shorter the minimum interval had to be, how much later quiet hours
/// or a cap by day would have let it pass.
///
/// The gateway says why it denied something, and not by how little: this is counted beside it, from what it admitted.
struct Slack {
  private let minimumInterval: TimeSpan
  private let criticalsAreNeighbours: Bool
  private let quietHours: DailyWindow?
  /// From which the minimum interval counts, in both directions: what was delivered, and what is reserved.
  private var neighbours: [Neighbour] = []

  private struct Neighbour {
    var id: RequestID
    /// Wall clock.
    var delivery: Instant
  }

  /// Of the past little is needed; above this what is too old is forgotten.
  private static let limit = 32

  init(_ policy: CapPolicy) {
    minimumInterval = policy.minimumInterval
    criticalsAreNeighbours = policy.minimumIntervalScope == .all
    quietHours = policy.quietHours
  }

  mutating func begin() { neighbours.removeAll(keepingCapacity: true) }

  // MARK: What is admitted

  mutating func admit(_ request: NotificationRequest, at now: Instant) {
    switch request.bucket {
    case .standard: break
    case .critical: if !criticalsAreNeighbours { return }
    case .user: return
    }
    add(request.id, max(request.deliverAt, now), at: now)
  }

  /// What the system repeats stands for its next occurrence.
  mutating func goOn(_ id: RequestID, to delivery: Instant, at now: Instant) {
    if neighbours.contains(where: { $0.id == id }) { add(id, delivery, at: now) }
  }

  private mutating func add(_ id: RequestID, _ delivery: Instant, at now: Instant) {
    if neighbours.count >= Self.limit {
      neighbours.removeAll { $0.delivery + minimumInterval <= now }
    }
    neighbours.append(Neighbour(id: id, delivery: delivery))
  }

  mutating func move(_ id: RequestID, to delivery: Instant) {
    guard let index = neighbours.lastIndex(where: { $0.id == id }) else { return }
    neighbours[index].delivery = delivery
  }

  /// It will not be delivered; what has been stays.
  mutating func takeBack(_ id: RequestID, at now: Instant) {
    neighbours.removeAll { $0.id == id && $0.delivery > now }
  }

  /// The system did not take it.
  mutating func refuse(_ id: RequestID) {
    guard let index = neighbours.lastIndex(where: { $0.id == id }) else { return }
    neighbours.remove(at: index)
  }

  // MARK: What is denied

  /// - Parameters:
  ///   - delivery: For which the check was made.
  ///   - zone: Of the phone.
  /// - Returns: Seconds; nil: by neither.
  func secondsTooEarly(_ reason: Reason, _ delivery: Instant, in zone: Zone) -> Int64? {
    switch reason {
    case .minimumInterval: return shortOfInterval(delivery)
    case .quietHours:
      let end = quietHours?.interval(containing: delivery, in: zone)?.upperBound
      return end.map { ($0 - delivery).milliseconds / 1_000 }
    case .typeDailyCap, .dailyCap, .userDailyCap, .criticalDailyCap:
      let midnight = zone.startOfDay(zone.local(at: delivery).date + 1)
      return (midnight - delivery).milliseconds / 1_000
    default: return nil
    }
  }

  /// By how much the interval is too long for it: of the nearest neighbour; nil if none is too near.
  private func shortOfInterval(_ delivery: Instant) -> Int64? {
    var least = minimumInterval.milliseconds
    for neighbour in neighbours { least = min(least, abs((neighbour.delivery - delivery).milliseconds)) }
    guard least < minimumInterval.milliseconds else { return nil }
    return (minimumInterval.milliseconds - least) / 1_000
  }
}
