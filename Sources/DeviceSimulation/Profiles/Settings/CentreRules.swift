/// The request that the system drops when an app has too many pending requests (rule N2, disputed).
package enum PendingEviction: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Keeps the requests that were added last and drops the oldest one.
  case lastAdded
  /// Keeps the requests that are due first and drops the one that is due last, even if it is the new one.
  case soonest
  /// Drops the new request without an error.
  case rejectNew
  /// Refuses the new request with an error.
  case refuse
}

/// The notification that is not visible when an app has too many visible ones (rule N14).
package enum DeliveredEviction: String, Sendable, CaseIterable, BitwiseCopyable {
  /// The system removes the oldest notification.
  case removeOldest
  /// The system does not show the new notification. One that replaces a visible notification is shown.
  case refuseNew
}

/// The rule for the identifiers of requests. A request replaces a pending one with the same identifier (rule
/// N3).
package enum RequestIdentifier: String, Sendable, CaseIterable, BitwiseCopyable {
  /// All requests of a reminder share an identifier, so at most one of them is pending.
  case perReminder
  /// The requests of a reminder for the same occurrence share an identifier.
  case perOccurrence
  /// Every request has its own identifier, so none replaces another.
  case perRequest
}

/// The effect of a reboot on pending requests (rules N16 and A2).
package enum PendingAfterReboot: String, Sendable, CaseIterable, BitwiseCopyable {
  /// All requests survive. The missed ones are delivered together at the boot.
  case deliverMissed
  /// All requests survive, except the missed ones.
  case dropMissed
  /// No request survives. The app must request them again.
  case loseAll
}

/// The rules of the notification centre in packed form.
package struct CentreRules: Hashable, Sendable, BitwiseCopyable {
  package var pendingCapacity = 64
  package var pendingEviction = PendingEviction.lastAdded
  package var identifier = RequestIdentifier.perOccurrence
  /// Whether a replacement takes the position of the replaced request in the order of insertion. If not, it
  /// is last.
  package var replacementKeepsPlace = false
  /// The maximum number of delivered notifications that stay visible, or 0 if there is no limit.
  package var deliveredLimit = 0
  package var deliveredEviction = DeliveredEviction.removeOldest
  package var afterReboot = PendingAfterReboot.deliverMissed

  package init() {}
}
