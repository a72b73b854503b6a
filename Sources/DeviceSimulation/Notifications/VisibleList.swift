import PlatformProfiles
import TriggerModel

/// What is to be seen, oldest first. Nobody may clear it for years, so what a delivery costs does not grow
/// with its length.
struct VisibleList: Hashable, Sendable {
  private(set) var notifications: [DeliveredNotification] = []
  /// The identifiers of ``notifications``.
  private var identifiers: Set<RequestKey> = []
  private let identifier: RequestIdentifier

  init(identifier: RequestIdentifier) {
    self.identifier = identifier
  }

  /// - Complexity: O(1), O(*n*) where the limit is reached.
  mutating func append(_ notification: DeliveredNotification, limit: Int) {
    notifications.append(notification)
    identifiers.insert(RequestKey(notification.request, identifier))
    if limit > 0, notifications.count > limit { forget(notifications.removeFirst()) }
  }

  /// Takes away one that has the identifier of another request.
  ///
  /// - Complexity: O(1) where there is none, O(*n*) otherwise.
  mutating func remove(sharing request: NotificationRequest) {
    let key = RequestKey(request, identifier)
    if identifiers.remove(key) == nil { return }
    notifications.removeAll { RequestKey($0.request, identifier) == key }
  }

  mutating func remove(_ id: RequestID) {
    guard let index = notifications.lastIndex(where: { $0.id == id }) else { return }
    forget(notifications.remove(at: index))
  }

  mutating func removeAll() {
    notifications = []
    identifiers = []
  }

  private mutating func forget(_ notification: DeliveredNotification) {
    identifiers.remove(RequestKey(notification.request, identifier))
  }
}
