/// Which request is dropped when more requests are pending than the platform allows (rule N2, disputed).
package enum PendingEviction: String, Sendable, CaseIterable, BitwiseCopyable {
  /// The oldest is dropped: the ones added last stay.
  case lastAdded
  /// The one that is due last is dropped, even if it is the new one.
  case soonest
  /// The new one is dropped silently.
  case rejectNew
  /// The new one is refused with an error.
  case refuse
}

/// What identifies a pending request. A later request with the same identifier replaces it (rule N3).
package enum RequestIdentifier: String, Sendable, CaseIterable, BitwiseCopyable {
  /// A reminder has one notification at a time.
  case perReminder
  /// A reminder has one notification for each of its due times.
  case perOccurrence
  /// No request replaces another.
  case perRequest
}

/// What a reboot does to pending requests (rules N16 and A2).
package enum PendingAfterReboot: String, Sendable, CaseIterable, BitwiseCopyable {
  /// All survive; missed ones are delivered together at boot.
  case deliverMissed
  /// All survive except missed ones.
  case dropMissed
  /// None survives: the app must request them again.
  case loseAll
}

/// The rules of the notification centre, in packed form.
package struct CentreRules: Hashable, Sendable, BitwiseCopyable {
  package var pendingCapacity = 64
  package var pendingEviction = PendingEviction.lastAdded
  package var identifier = RequestIdentifier.perOccurrence
  /// Whether a request that replaces another takes its place in the order of insertion, instead of the last
  /// one.
  package var replacementKeepsPlace = false
  /// The number of delivered notifications that stay visible; 0: all.
  package var deliveredLimit = 0
  package var afterReboot = PendingAfterReboot.deliverMissed

  package init() {}
}
