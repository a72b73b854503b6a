import CivilTime
import Foundation
import NotificationGateway
import TriggerModel

/// The default cap policy the obvious way: Foundation's calendar for days and quiet hours, dictionaries
/// keyed by text for the counts.
struct ObviousScheduler {
  private var calendar = Calendar(identifier: .gregorian)
  private var counts: [String: Int] = [:]
  private var deliveries: [Date] = []
  private let policy = CapPolicy()

  init(timeZone: TimeZone) {
    calendar.timeZone = timeZone
  }

  mutating func decide(_ request: NotificationRequest, at now: Moment) -> (Decision.Outcome, Reason?) {
    let instant = max(request.deliverAt, now.wall)
    let date = Date(timeIntervalSince1970: Double(instant.millisecondsSince1970) / 1_000)
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
    let day = "\(parts.year ?? 0)-\(parts.month ?? 0)-\(parts.day ?? 0)"
    let (bucketKey, typeKey) = ("\(day) \(request.bucket.name)", "\(day) type \(request.type.rawValue)")
    if isQuiet(minute: (parts.hour ?? 0) * 60 + (parts.minute ?? 0)) {
      return (request.bucket == .user ? .defer : .deny, .quietHours)
    }
    switch request.bucket {
    case .user: break
    case .critical:
      if counts[bucketKey, default: 0] >= policy.criticalDailyCap ?? .max {
        return (.deny, .criticalDailyCap)
      }
    case .standard:
      if counts[typeKey, default: 0] >= policy.typeDailyCap ?? .max { return (.deny, .typeDailyCap) }
      if counts[bucketKey, default: 0] >= policy.dailyCap ?? .max { return (.deny, .dailyCap) }
      let interval = Double(policy.minimumInterval.milliseconds) / 1_000
      deliveries.removeAll {
        Double(now.wall.millisecondsSince1970) / 1_000 - $0.timeIntervalSince1970 >= interval
      }
      if deliveries.contains(where: { abs($0.timeIntervalSince(date)) < interval }) {
        return (.deny, .minimumInterval)
      }
      counts[typeKey, default: 0] += 1
      deliveries.append(date)
    }
    counts[bucketKey, default: 0] += 1
    return (.admit, nil)
  }

  private func isQuiet(minute: Int) -> Bool {
    guard let window = policy.quietHours else { return false }
    return window.from < window.to
      ? minute >= window.from && minute < window.to : minute >= window.from || minute < window.to
  }
}
