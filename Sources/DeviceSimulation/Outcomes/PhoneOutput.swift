package import TriggerModel

/// The results of one event on the phone: a buffer that the caller clears and reuses.
package struct PhoneOutput: Hashable, Sendable {
  /// The true events, for the engine on the truth track. Events that concern only the app's process, such as
  /// launches, wake-ups and failed adds, are not included.
  package var truth: [ObservedEvent] = []
  /// The events that the platform reports to the app now, in order.
  package var observed: [ObservedEvent] = []
  /// The timers to add to the future event list.
  package var timers: [ScheduledTimer] = []
  /// Records for the journal and the accounts.
  package var outcomes: [PhoneOutcome] = []

  /// The kinds of events to record in ``truth``. Events of other kinds have no observer.
  package var truthKinds = EventKinds.all
  /// Whether to record missed and false observations, and ignored events.
  package var recordsRemarks = true

  /// Events that are not passed to the app, because its engine would not react to them. They are counted as
  /// observed.
  package var irrelevantEvents = IrrelevantEvents.none

  package init() {}

  /// Records an outcome for the journal and the accounts if ``recordsRemarks`` is set. It has no other
  /// consequences.
  @inline(__always)
  mutating func remark(_ outcome: PhoneOutcome) {
    if recordsRemarks { outcomes.append(outcome) }
  }

  /// Empties the buffer without freeing its memory.
  package mutating func removeAll() {
    // Most of the arrays are usually empty.
    if !truth.isEmpty { truth.removeAll(keepingCapacity: true) }
    if !observed.isEmpty { observed.removeAll(keepingCapacity: true) }
    if !timers.isEmpty { timers.removeAll(keepingCapacity: true) }
    if !outcomes.isEmpty { outcomes.removeAll(keepingCapacity: true) }
  }
}

/// A change inside the phone that the app does not necessarily observe.
package enum PhoneOutcome: Hashable, Sendable, BitwiseCopyable {
  /// The notification centre accepted the request, which is due at this wall-clock instant.
  case reserved(RequestID, due: Instant)
  /// The notification centre refused the request.
  case refused(RequestID, Reason)
  /// A pending request was removed and will not be delivered.
  case removed(RequestID, Reason)
  /// A pending request has a new due instant on the wall clock because the clock or the zone changed.
  case rescheduled(RequestID, due: Instant)
  case delivered(RequestID, Presentation)
  /// A repeated request is now pending for the occurrence at the first wall-clock instant. It is due at the
  /// second.
  case repeated(RequestID, for: Instant, due: Instant)
  /// The scheduled summary showed a notification this long after its delivery.
  case presentedLate(RequestID, after: TimeSpan)
  /// The system did not or will not report that a region was entered or left.
  case regionSuppressed(RegionID, entering: Bool, RegionSuppression)
  /// The app was not notified of an event that happened.
  case missed(ObservedEvent.Kind, subject: UInt32, MissCause)
  /// The app was notified of an event that did not happen.
  case falseSign(ObservedEvent.Kind, subject: UInt32)
  /// The system showed its prompt, and the person gave this answer.
  case prompted(PromptAnswer)
  /// The user allowed or forbade the app to read a fact source. Also recorded at the start for each denied
  /// source.
  case readingChanged(FactSourceID, isAllowed: Bool)
  /// An event of the scenario is impossible or changes nothing.
  case ignored(IgnoreCause)
}

/// Why the app was not notified of an event.
package enum MissCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The phone was off.
  case poweredOff
  /// The app's process was not running, and the platform does not start it for events of this kind.
  case notRunning
  /// The user had swiped the app away.
  case forceQuit
  /// The user had stopped the app in the system's settings.
  case forceStopped
  /// The app infers such events from a sign, and the sign was missing.
  case noSign
  /// The platform had reached its limit of monitored apps.
  case usageLimit
  /// A known fault of the platform, enabled in the profile.
  case usageFault
  /// The user does not allow the app to read this data.
  case readingDenied
  /// The person does not allow the app to monitor the use of other apps.
  case screenTimeDenied
  /// The person did not choose the other app for monitoring.
  case appNotChosen

  /// The name used in files and reports.
  package var name: String { Self.names[Int(rawValue)] }

  /// The names by raw value, cached because reports use them often.
  private static let names = allCases.map { String(describing: $0) }
}

/// Why the system did not report that a region was entered or left.
package enum RegionSuppression: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The app had not registered the region, or the system refused it for a reason other than the limit.
  case notMonitored
  /// The person has denied the location permission, or has granted only an approximate location.
  case permission
  /// Airplane mode is on, or location or background refresh is switched off.
  case unavailable
  /// The phone was off.
  case poweredOff
  /// The phone did not stay beyond the boundary for the dwell time.
  case dwell
  /// The phone did not go beyond the cushion around the boundary.
  case cushion
  /// The phone was already inside when the region was registered.
  case alreadyInside
  /// The user had swiped the app away.
  case forceQuit
  /// The user had stopped the app in the system's settings.
  case forceStopped
  /// The system refused the region because the app had reached the region limit.
  case regionLimit

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}

/// Why an event of the scenario had no effect.
package enum IgnoreCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The event is impossible while the phone is off.
  case poweredOff
  /// The state is already the requested one.
  case alreadySo
  /// The reminder has no visible notification.
  case nothingToSee
  /// The system shows its prompt only once, and the person has answered it.
  case promptAlreadyAnswered
  /// The system's prompt does not offer this answer.
  case notOffered
  /// The system shows no prompt. The permission changes only in the system's settings.
  case settingsOnly
  /// The app under test is not in front.
  case notInFront
  /// The phone is already on its way to a later fix.
  case onItsWay
  /// The platform has no such feature.
  case notOnThisPlatform
  /// The link opens the browser or another app.
  case opensElsewhere

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}

/// The presentation of a delivered notification to the person.
package struct Presentation: Hashable, Sendable, BitwiseCopyable {
  /// The place where the notification can be seen.
  package enum Surface: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// As a banner and in the list.
    case banner
    /// In the list only.
    case list
    /// Nowhere, either permanently or until the scheduled summary shows it.
    case none
  }

  /// Why the notification is hidden or shown without a banner.
  package enum Cause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The app was in front, and it does not present notifications while it is.
    case foreground
    case focus
    /// The notification is held for the scheduled summary.
    case summary
    /// The person allowed quiet notifications only.
    case provisional
    /// The notification's channel is switched off.
    case channelOff
    /// The notification's channel is silent.
    case channelSilent

    /// The name used in files and reports.
    package var name: String { String(describing: self) }
  }

  package var surface: Surface
  package var cause: Cause?

  package static let banner = Presentation(surface: .banner, cause: nil)

  package static func listed(_ cause: Cause) -> Presentation { Presentation(surface: .list, cause: cause) }

  package static func hidden(_ cause: Cause) -> Presentation { Presentation(surface: .none, cause: cause) }

  /// Whether the person can see the notification and respond to it, so that its reminder fires. A
  /// notification that is only in the list is exposed. A hidden one is lost to `notPresented`.
  package var isExposed: Bool { surface != .none }

  /// Whether the notification is hidden until the next scheduled summary (rule N12).
  package var isHeld: Bool { surface == .none && cause == .summary }
}
