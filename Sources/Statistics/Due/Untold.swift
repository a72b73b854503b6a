import DeviceSimulation
package import TriggerModel

/// When a reminder was due: what becomes of its request, whenever that is, belongs to this time.
package struct DueTime: Hashable, Sendable {
  /// Nil: it was planned beforehand, and only a clock says when.
  package var instant: Instant?
  package var moment: Moment

  package init(instant: Instant?, moment: Moment) {
    self.instant = instant
    self.moment = moment
  }
}

/// A request that was due and was not made, as the app did not know of it.
package struct Untold: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// The engine knowingly made no request.
    case declined(Reason)
    /// The app was not told, or not in time: `notRunning`, `toldLate`, `readingDenied`.
    case notTold(String)
    /// The request that the system was to repeat did not stand, as this had become of it.
    case fallen(Reason)
    /// A schedule's time came, and the app did not run.
    case notWoken
  }

  package var cause: Cause
  package var due: DueTime
}

extension Untold.Cause {
  /// In the words of the accounts.
  package var name: String {
    switch self {
    case .declined(let reason), .fallen(let reason): reason.name
    case .notTold(let name): name
    case .notWoken: KnowledgeGap.notWoken.rawValue
    }
  }

  /// It is the location permission: what the accounts call it is also what they call that of notifications.
  package var isLocationPermission: Bool { self == .notTold(RegionSuppression.permission.name) }

  /// It is that the person does not let the app know of the use of other apps, or of this one.
  package var isScreenTime: Bool {
    self == .notTold(MissCause.screenTimeDenied.name) || self == .notTold(MissCause.appNotChosen.name)
  }
}
