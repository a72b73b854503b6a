/// The request to drop when more requests are pending than the platform allows (rule N2, disputed).
package enum PendingEviction: String, Sendable, CaseIterable, BitwiseCopyable {
  /// Keeps the requests added last and drops the oldest.
  case lastAdded
  /// Keeps the requests that are due soonest and drops the one that is due last, even if it is the new one.
  case soonest
  /// Drops the new request silently.
  case rejectNew
  /// Refuses the new request with an error.
  case refuse
}

/// The rule for the identifier of a pending request. A later request with the same identifier replaces it
/// (rule N3).
package enum RequestIdentifier: String, Sendable, CaseIterable, BitwiseCopyable {
  /// All requests of a reminder have the same identifier, so it has one notification at a time.
  case perReminder
  /// Requests of a reminder for the same due time have the same identifier.
  case perOccurrence
  /// Each request has its own identifier, so none replaces another.
  case perRequest
}

/// The effect of a reboot on pending requests (rules N16 and A2).
package enum PendingAfterReboot: String, Sendable, CaseIterable, BitwiseCopyable {
  /// All requests survive. Missed ones are delivered together at boot.
  case deliverMissed
  /// All requests survive except missed ones.
  case dropMissed
  /// No request survives. The app must request them again.
  case loseAll
}

/// The rules of the notification centre, in packed form.
package struct CentreRules: Hashable, Sendable, BitwiseCopyable {
  package var pendingCapacity = 64
  package var pendingEviction = PendingEviction.lastAdded
  package var identifier = RequestIdentifier.perOccurrence
  /// Whether a replacement keeps the replaced request's position in the order of insertion. Otherwise the
  /// replacement is last in that order.
  package var replacementKeepsPlace = false
  /// The maximum number of delivered notifications that stay visible, or 0 if there is no limit.
  package var deliveredLimit = 0
  package var afterReboot = PendingAfterReboot.deliverMissed

  package init() {}
}
