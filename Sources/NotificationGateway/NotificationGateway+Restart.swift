import TriggerModel

extension NotificationGateway {
  /// The process ended and another has started, with the ``state`` that was stored. What the system tells
  /// every process anew stays: the permission. So does what the app says when it starts: who handles taps.
  /// Requests of this very instant are still decided at it.
  public mutating func restart() {
    memory.unconfirmed.removeAll()
    // Asked for again, in case the wish went with the process.
    memory.announcedRelease = .distantFuture
  }
}
