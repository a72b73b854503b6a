package import TriggerModel

/// A notification that is visible or held for the next scheduled summary.
package struct DeliveredNotification: Hashable, Sendable, BitwiseCopyable {
  package var request: NotificationRequest
  /// The instant of delivery on the phone's wall clock.
  package var deliveredAt: Instant
  /// Whether the notification is hidden until the scheduled summary shows it.
  var isHeld = false

  package var id: RequestID { request.id }
}

/// The visible and held notifications, oldest first.
///
/// Some people never clear the list, so the cost of a delivery must not depend on its length.
struct VisibleList: Hashable, Sendable {
  private(set) var notifications: [DeliveredNotification] = []
  /// The identifiers of ``notifications``.
  private var identifiers: Set<RequestKey> = []
  private let identifier: RequestIdentifier

  init(identifier: RequestIdentifier) {
    self.identifier = identifier
  }

  /// Whether the list has the maximum number of notifications, not counting one with the identifier of a
  /// request.
  ///
  /// - Parameter limit: The maximum number, or 0 if there is none.
  func isFull(for request: NotificationRequest, limit: Int) -> Bool {
    guard limit > 0, notifications.count >= limit else { return false }
    return !identifiers.contains(RequestKey(request, identifier))
  }

  /// Adds a notification, and removes the oldest one if the list exceeds the limit.
  ///
  /// - Complexity: O(1), or O(*n*) if the list exceeds the limit.
  mutating func append(_ notification: DeliveredNotification, limit: Int) {
    notifications.append(notification)
    identifiers.insert(RequestKey(notification.request, identifier))
    if limit > 0, notifications.count > limit { forget(notifications.removeFirst()) }
  }

  /// Removes the notification that has the same identifier as a request.
  ///
  /// - Complexity: O(1) if there is no such notification, O(*n*) otherwise.
  mutating func remove(sharing request: NotificationRequest) {
    let key = RequestKey(request, identifier)
    if identifiers.remove(key) == nil { return }
    notifications.removeAll { RequestKey($0.request, identifier) == key }
  }

  mutating func remove(_ id: RequestID) {
    let visible = notifications.lastIndex { $0.id == id && !$0.isHeld }
    guard let index = visible ?? notifications.lastIndex(where: { $0.id == id }) else { return }
    forget(notifications.remove(at: index))
  }

  /// Makes the held notifications visible and returns them.
  mutating func release() -> [DeliveredNotification] {
    let held = notifications.filter(\.isHeld)
    for index in notifications.indices { notifications[index].isHeld = false }
    return held
  }

  mutating func removeHeld() { keep { !$0.isHeld } }

  mutating func remove(of reminder: ReminderID) { keep { $0.id.reminder != reminder } }

  /// Removes the visible notifications and returns whether there were any.
  mutating func removeVisible() -> Bool {
    let count = notifications.count
    keep(where: \.isHeld)
    return notifications.count < count
  }

  mutating func removeAll() { keep { _ in false } }

  private mutating func keep(where isKept: (DeliveredNotification) -> Bool) {
    notifications = notifications.filter(isKept)
    identifiers = Set(notifications.map { RequestKey($0.request, identifier) })
  }

  private mutating func forget(_ notification: DeliveredNotification) {
    identifiers.remove(RequestKey(notification.request, identifier))
  }
}

extension VisibleList: Packable {
  package mutating func pack(in parcel: inout Parcel) {
    parcel.carry(&notifications)
    if parcel.isUnpacking { identifiers = Set(notifications.map { RequestKey($0.request, identifier) }) }
  }
}
