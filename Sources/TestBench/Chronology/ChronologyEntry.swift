package import Statistics
package import TriggerModel

/// What became of one reminder at one time, or of the same many times over.
package struct ChronologyEntry: Sendable {
  package enum Fate: Hashable, Sendable {
    case delivered(Exposure)
    /// What had been held comes with the scheduled summary.
    case shownLate
    /// The trigger came, and the engine asked for nothing.
    case notRequested
    case denied
    case deferred(until: Instant?)
    case failed
    case lost
    /// It was planned for a time that no longer holds; another plan may have its place.
    case takenBack
    /// It was due, and the app did not know.
    case unasked

    /// Whether the person can see it then.
    package var isExposed: Bool {
      switch self {
      case .delivered(let exposure): exposure.isExposed
      case .shownLate: true
      case .notRequested, .denied, .deferred, .failed, .lost, .takenBack, .unasked: false
      }
    }

    /// Whether one that follows the other is told with it.
    fileprivate func repeats(_ other: Fate) -> Bool {
      switch self {
      case .delivered, .shownLate, .deferred: false
      case .notRequested, .denied, .failed, .lost, .takenBack, .unasked: self == other
      }
    }
  }

  package enum Cause: Hashable, Sendable {
    case reason(Reason)
    case untold(Untold.Cause)
  }

  package var reminder: ReminderID
  /// Which of the person's devices.
  package var device: UInt8
  package var fate: Fate
  /// Nil: it was shown, or is held until it is.
  package var cause: Cause?
  /// What else stood in its way.
  package var blockers: ReasonSet
  /// The conditions that did not hold.
  package var failed: ConditionKinds
  package var instant: Instant
  package var moment: Moment
  package var request: RequestID?
  /// What the person did with it, and when.
  package var response: (response: Response, moment: Moment)?
  /// How often; and when last, where that is more than once.
  package var count = 1
  package var last: Moment?

  package init(
    reminder: ReminderID, device: UInt8, fate: Fate, cause: Cause?, blockers: ReasonSet,
    failed: ConditionKinds,
    instant: Instant, moment: Moment, request: RequestID?
  ) {
    self.reminder = reminder
    self.device = device
    self.fate = fate
    self.cause = cause
    self.blockers = blockers
    self.failed = failed
    self.instant = instant
    self.moment = moment
    self.request = request
  }

  /// Counts another one with this, if it says the same of the same reminder.
  mutating func take(_ next: ChronologyEntry) -> Bool {
    guard fate.repeats(next.fate), cause == next.cause, blockers == next.blockers, failed == next.failed
    else {
      return false
    }
    count += next.count
    last = next.last ?? next.moment
    return true
  }
}
