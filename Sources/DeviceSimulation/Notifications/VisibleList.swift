import TriggerModel

/// What is to be seen, or will be with the next summary, oldest first. Nobody may clear it for years, so what a delivery costs does not grow
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
    let visible = notifications.lastIndex { $0.id == id && !$0.isHeld }
    guard let index = visible ?? notifications.lastIndex(where: { $0.id == id }) else { return }
    forget(notifications.remove(at: index))
  }

  /// - Returns: What was held so far.
  mutating func release() -> [DeliveredNotification] {
    let held = notifications.filter(\.isHeld)
    for index in notifications.indices { notifications[index].isHeld = false }
    return held
  }

  /// What is held will not be shown.
  mutating func removeHeld() {
    notifications.removeAll(where: \.isHeld)
    identifiers = Set(notifications.map { RequestKey($0.request, identifier) })
  }

  /// - Returns: Whether there was anything to be seen.
  mutating func removeVisible() -> Bool {
    let held = notifications.filter(\.isHeld)
    let hasVisible = held.count < notifications.count
    notifications = held
    identifiers = Set(held.map { RequestKey($0.request, identifier) })
    return hasVisible
  }

  mutating func removeAll() {
    notifications = []
    identifiers = []
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
