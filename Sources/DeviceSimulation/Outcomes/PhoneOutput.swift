package import TriggerModel

/// The results of one event on the phone, in a buffer that the caller clears and reuses.
package struct PhoneOutput: Hashable, Sendable {
  /// The true events, for the engine on the truth track. Omits events that concern only the app's process,
  /// such as launches, wake-ups and failed adds.
  package var truth: [ObservedEvent] = []
  /// The events that the platform reports to the app now, in order.
  package var observed: [ObservedEvent] = []
  /// The timers to add to the future event list.
  package var timers: [ScheduledTimer] = []
  /// Records for the journal and the accounts.
  package var outcomes: [PhoneOutcome] = []

  /// The kinds of events to record in ``truth``. No engine observes the other kinds.
  package var truthKinds = EventKinds.all
  /// Whether to record remarks: missed and false observations, and ignored events.
  package var recordsRemarks = true

  /// Events that the phone does not pass to the app, because the app's engine would not react to them. They
  /// count as observed.
  package var irrelevantEvents = IrrelevantEvents.none

  package init() {}

  /// Records an outcome for the journal and the accounts if ``recordsRemarks`` is set. Nothing in the
  /// simulation depends on it.
  @inline(__always)
  mutating func remark(_ outcome: PhoneOutcome) {
    if recordsRemarks { outcomes.append(outcome) }
  }

  /// Empties the buffer without freeing its memory.
  package mutating func removeAll() {
    // Most of the arrays are usually empty, and the check is cheaper than the call.
    if !truth.isEmpty { truth.removeAll(keepingCapacity: true) }
    if !observed.isEmpty { observed.removeAll(keepingCapacity: true) }
    if !timers.isEmpty { timers.removeAll(keepingCapacity: true) }
    if !outcomes.isEmpty { outcomes.removeAll(keepingCapacity: true) }
  }
}

/// An outcome inside the phone that the app does not necessarily observe.
package enum PhoneOutcome: Hashable, Sendable, BitwiseCopyable {
  /// The notification centre accepted the request, which is due at this wall-clock instant.
  case reserved(RequestID, due: Instant)
  /// The notification centre refused the request.
  case refused(RequestID, Reason)
  /// A pending request was removed and will not be delivered.
  case removed(RequestID, Reason)
  /// The wall clock or the zone changed, so a pending request has a new due instant on the wall clock.
  case rescheduled(RequestID, due: Instant)
  case delivered(RequestID, Presentation)
  /// A repeated request is pending for its next occurrence `for`. It is due at `due`. Both are on the wall
  /// clock.
  case repeated(RequestID, for: Instant, due: Instant)
  /// The scheduled summary showed a notification. `after` is the time since its delivery.
  case presentedLate(RequestID, after: TimeSpan)
  /// The system did not report, or will not report, that the phone entered or left a region.
  case regionSuppressed(RegionID, entering: Bool, RegionSuppression)
  /// The app did not observe an event that occurred.
  case missed(ObservedEvent.Kind, subject: UInt32, MissCause)
  /// The app observed an event that did not occur.
  case falseSign(ObservedEvent.Kind, subject: UInt32)
  /// The system showed its prompt, and the person gave this answer.
  case prompted(PromptAnswer)
  /// The user allowed or forbade the app to read a fact source. Also recorded at the start for each denied
  /// source.
  case readingChanged(FactSourceID, isAllowed: Bool)
  /// An event of the scenario is impossible or changes nothing.
  case ignored(IgnoreCause)
}

/// The reason that the app did not observe an event.
package enum MissCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The phone was off.
  case poweredOff
  /// The app's process was not running, and the platform does not start it for events of this kind.
  case notRunning
  /// The user had swiped the app away.
  case forceQuit
  /// The user had stopped the app in the system's settings.
  case forceStopped
  /// The app infers such events from an indirect sign, which was missing.
  case noSign
  /// The app had reached the platform's limit of monitored apps.
  case usageLimit
  /// A known bug of the platform, enabled by the profile.
  case usageFault
  /// The user does not allow the app to read the source of the fact.
  case readingDenied
  /// The person does not allow the app to monitor the use of other apps.
  case screenTimeDenied
  /// The person did not select the other app for monitoring.
  case appNotChosen

  /// The name used in files and reports.
  package var name: String { Self.names[Int(rawValue)] }

  /// The names by raw value. They are cached because reports read them often.
  private static let names = allCases.map { String(describing: $0) }
}

/// The reason that the system did not report that the phone entered or left a region.
package enum RegionSuppression: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The app had not registered the region, or the system had refused it for a reason other than the limit.
  case notMonitored
  /// The person denied the location permission or granted only approximate location.
  case permission
  /// Airplane mode is on, or location or background refresh is switched off.
  case unavailable
  /// The phone was off.
  case poweredOff
  /// The phone recrossed the boundary before the dwell time ended.
  case dwell
  /// The phone crossed the boundary, but not by the distance that the system requires (its cushion).
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

/// The reason that an event of the scenario had no effect.
package enum IgnoreCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The event is impossible while the phone is off.
  case poweredOff
  /// The state already has the requested value.
  case alreadySo
  /// The reminder has no visible notification.
  case nothingToSee
  /// The system shows its prompt only once, and the person has answered it.
  case promptAlreadyAnswered
  /// The system's prompt does not offer this answer.
  case notOffered
  /// The system shows no prompt. The permission changes only in the system's settings.
  case settingsOnly
  /// The app under test is not in the foreground.
  case notInFront
  /// The phone is already moving to a later fix.
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
  /// The surface on which the notification is visible.
  package enum Surface: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// As a banner and in the list.
    case banner
    /// In the list only.
    case list
    /// Nowhere: permanently, or until the scheduled summary shows it.
    case none
  }

  /// The reason that the notification is hidden or shown without a banner.
  package enum Cause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// The app was in the foreground and does not present its notifications there.
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
    /// The app has the maximum number of visible notifications (rule N14).
    case tooMany

    /// The name used in files and reports.
    package var name: String { String(describing: self) }
  }

  package var surface: Surface
  package var cause: Cause?

  package static let banner = Presentation(surface: .banner, cause: nil)

  package static func listed(_ cause: Cause) -> Presentation { Presentation(surface: .list, cause: cause) }

  package static func hidden(_ cause: Cause) -> Presentation { Presentation(surface: .none, cause: cause) }

  /// Whether the person can see the notification and respond to it. Its reminder then fires. A notification
  /// that is only in the list is exposed; a hidden notification is lost with `notPresented`.
  package var isExposed: Bool { surface != .none }

  /// Whether the notification is hidden until the next scheduled summary (rule N12).
  package var isHeld: Bool { surface == .none && cause == .summary }
}
