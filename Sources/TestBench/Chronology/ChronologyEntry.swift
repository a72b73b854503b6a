package import Statistics
package import TriggerModel

/// The outcome of one reminder at an instant, or a series of consecutive equal outcomes.
package struct ChronologyEntry: Sendable {
  package enum Fate: Hashable, Sendable {
    case delivered(Exposure)
    /// The phone held the notification and showed it later in the scheduled summary.
    case shownLate
    /// The engine observed the trigger but made no request.
    case notRequested
    case denied
    case deferred(until: Instant?)
    case failed
    case lost
    /// The engine withdrew the request because its planned time no longer applies. Another plan may replace
    /// it.
    case withdrawn
    /// The reminder was due, but the app did not observe it.
    case missed

    /// Whether the person can see the notification.
    package var isExposed: Bool {
      switch self {
      case .delivered(let exposure): exposure.isExposed
      case .shownLate: true
      case .notRequested, .denied, .deferred, .failed, .lost, .withdrawn, .missed: false
      }
    }

    /// Whether this outcome is merged with an equal one before it.
    fileprivate func merges(_ other: Fate) -> Bool {
      switch self {
      case .delivered, .shownLate, .deferred: false
      case .notRequested, .denied, .failed, .lost, .withdrawn, .missed: self == other
      }
    }
  }

  package enum Cause: Hashable, Sendable {
    case reason(Reason)
    case missed(MissedRequest.Cause)
  }

  package var reminder: ReminderID
  /// The index of the person's device.
  package var device: UInt8
  package var fate: Fate
  /// The reason for the outcome, or `nil` if the notification was shown or is held for the summary.
  package var cause: Cause?
  /// The additional reasons that blocked the request.
  package var blockers: ReasonSet
  /// The conditions that did not hold.
  package var failed: ConditionKinds
  /// The facts that these conditions use, as the app knew them at the first of the merged outcomes.
  package var known: [FactReading] = []
  package var instant: Instant
  package var moment: Moment
  package var request: RequestID?
  /// The person's response, or `nil` if there was none.
  package var response: (response: Response, moment: Moment)?
  /// The number of merged outcomes, and the moment of the last one if there are several.
  package var count = 1
  package var last: Moment?

  /// Merges the next entry if it differs only in time. Returns whether it was merged.
  mutating func merge(_ next: ChronologyEntry) -> Bool {
    guard fate.merges(next.fate), cause == next.cause, blockers == next.blockers, failed == next.failed,
      known.count == next.known.count, zip(known, next.known).allSatisfy({ $0.isLike($1) })
    else {
      return false
    }
    count += next.count
    last = next.last ?? next.moment
    return true
  }
}
