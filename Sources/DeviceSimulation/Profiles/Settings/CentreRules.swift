/// Who has to make room when more requests are pending than the platform keeps (rule N2, disputed).
package enum PendingEviction: String, Sendable, CaseIterable, BitwiseCopyable {
  /// The last ones added survive: the oldest is dropped.
  case lastAdded
  /// The soonest ones survive: the one that is due last is dropped, the new one included.
  case soonest
  /// The new one is dropped silently.
  case rejectNew
  /// The new one is refused with an error.
  case refuse
}

/// What names a pending request: a later one of the same name replaces it (rule N3).
package enum RequestIdentifier: String, Sendable, CaseIterable, BitwiseCopyable {
  /// A reminder has one notification at a time.
  case perReminder
  /// A reminder has one notification for each of its due times.
  case perOccurrence
  /// Nothing replaces anything.
  case perRequest
}

/// What a reboot does to pending requests (rules N16 and A2).
package enum PendingAfterReboot: String, Sendable, CaseIterable, BitwiseCopyable {
  /// They survive; what was missed is delivered at boot, all at once.
  case deliverMissed
  /// They survive, except those that were missed.
  case dropMissed
  /// None survives: the app has to hand them over again.
  case loseAll
}

/// What the notification centre does, in the packed form that it works with.
package struct CentreRules: Hashable, Sendable, BitwiseCopyable {
  package var pendingCapacity = 64
  package var pendingEviction = PendingEviction.lastAdded
  package var identifier = RequestIdentifier.perOccurrence
  /// A request that replaces another takes its place in the order of insertion, not the last one.
  package var replacementKeepsPlace = false
  /// How many delivered notifications stay to be seen; 0: all.
  package var deliveredLimit = 0
  package var afterReboot = PendingAfterReboot.deliverMissed

  package init() {}
}
