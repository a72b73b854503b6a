import CivilTime
import NotificationGateway
import ScenarioModel
import TriggerModel

/// Computes how much later a denied request would have passed. It supports denials by the minimum interval, quiet
/// hours and daily caps.
///
/// The gateway reports only the reason for a denial, so this type derives the time from the admitted
/// requests.
struct DenialMargin {
  private let minimumInterval: TimeSpan
  private let countsCritical: Bool
  private let quietHours: WeeklyWindows?
  /// The delivered and reserved notifications. The minimum interval applies before and after each of them.
  private var neighbours: [Neighbour] = []

  private struct Neighbour {
    var id: RequestID
    /// The wall-clock time of the delivery.
    var delivery: Instant
  }

  /// The number of neighbours at which old ones are removed.
  private static let limit = 32

  init(_ policy: CapPolicy) {
    minimumInterval = policy.minimumInterval
    countsCritical = policy.minimumIntervalScope == .all
    quietHours = policy.quietHours
  }

  mutating func reset() { neighbours.removeAll(keepingCapacity: true) }

  // MARK: Admitted requests

  mutating func admit(_ request: NotificationRequest, at now: Instant) {
    switch request.bucket {
    case .standard: break
    case .critical: if !countsCritical { return }
    case .user: return
    }
    add(request.id, max(request.deliverAt, now), at: now)
  }

  /// Adds the next occurrence of a repeating request.
  mutating func repeatRequest(_ id: RequestID, to delivery: Instant, at now: Instant) {
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

  /// Removes a cancelled request if it has not been delivered.
  mutating func cancel(_ id: RequestID, at now: Instant) {
    neighbours.removeAll { $0.id == id && $0.delivery > now }
  }

  /// Removes a request that the system did not accept.
  mutating func refuse(_ id: RequestID) {
    guard let index = neighbours.lastIndex(where: { $0.id == id }) else { return }
    neighbours.remove(at: index)
  }

  // MARK: Denied requests

  /// Returns the number of seconds after which the request would have passed, or `nil` if it would never have
  /// passed.
  ///
  /// - Parameters:
  ///   - delivery: The delivery time for which the check was made.
  ///   - zone: The phone's zone.
  func secondsTooEarly(_ reason: Reason, _ delivery: Instant, in zone: Zone) -> Int64? {
    switch reason {
    case .minimumInterval: return remainingInterval(delivery)
    case .quietHours:
      let end = quietHours?.end(containing: delivery, in: zone)
      return end.map { ($0 - delivery).milliseconds / 1_000 }
    case .typeDailyCap, .dailyCap, .userDailyCap, .criticalDailyCap:
      let midnight = zone.startOfDay(zone.local(at: delivery).date + 1)
      return (midnight - delivery).milliseconds / 1_000
    default: return nil
    }
  }

  /// Returns the remaining part of the minimum interval from the nearest neighbour, in seconds, or `nil` if no
  /// neighbour is too near.
  private func remainingInterval(_ delivery: Instant) -> Int64? {
    var least = minimumInterval.milliseconds
    for neighbour in neighbours { least = min(least, abs((neighbour.delivery - delivery).milliseconds)) }
    guard least < minimumInterval.milliseconds else { return nil }
    return (minimumInterval.milliseconds - least) / 1_000
  }
}
