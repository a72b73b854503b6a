package import TriggerModel

/// What came of one event on the phone. A buffer that the caller clears and uses again.
package struct PhoneOutput: Hashable, Sendable {
  /// What really happened, in the words of the engine: for its twin on the truth track. Nothing that
  /// only concerns the app's process (launches, wake-ups, failed adds) is in it.
  package var truth: [ObservedEvent] = []
  /// What the platform tells the app now, in order.
  package var observed: [ObservedEvent] = []
  /// For the future event list.
  package var timers: [ScheduledTimer] = []
  /// For the journal and the accounts.
  package var outcomes: [PhoneOutcome] = []

  /// The kinds of what really happens that somebody listens to; of no other is anything put into ``truth``.
  package var truthKinds = EventKinds.all
  /// Somebody listens to what the app was not, or wrongly, told, and to what came to nothing.
  package var keepsRemarks = true

  /// What the app need not be told: nobody else listens to it either. It counts as told.
  package var indifference = Indifference.none

  package init() {}

  /// Something of which nothing follows, for the journal and the accounts only.
  @inline(__always)
  mutating func remark(_ outcome: PhoneOutcome) {
    if keepsRemarks { outcomes.append(outcome) }
  }

  /// Empties the buffer and keeps its memory.
  package mutating func removeAll() {
    // Most of the time most of it is empty.
    if !truth.isEmpty { truth.removeAll(keepingCapacity: true) }
    if !observed.isEmpty { observed.removeAll(keepingCapacity: true) }
    if !timers.isEmpty { timers.removeAll(keepingCapacity: true) }
    if !outcomes.isEmpty { outcomes.removeAll(keepingCapacity: true) }
  }
}

/// Something that happened inside the phone and that the app need not learn of.
package enum PhoneOutcome: Hashable, Sendable, BitwiseCopyable {
  /// The notification centre took the request; it is due at this wall-clock instant.
  case reserved(RequestID, due: Instant)
  /// The notification centre did not take the request.
  case refused(RequestID, Reason)
  /// A pending request will not be delivered.
  case removed(RequestID, Reason)
  /// A pending request now waits for another wall-clock instant, because clock or zone changed.
  case rescheduled(RequestID, due: Instant)
  case delivered(RequestID, Presentation)
  /// The system repeats a request: it waits for this occurrence now, and is due at the other wall-clock instant.
  case repeated(RequestID, for: Instant, due: Instant)
  /// A notification that the summary had held is shown now, this long after its delivery.
  case presentedLate(RequestID, after: TimeSpan)
  /// The system did not tell, or will not tell, of a region that was entered or left.
  case regionSuppressed(RegionID, entering: Bool, RegionSuppression)
  /// The app was not told of something that happened.
  case missed(ObservedEvent.Kind, subject: UInt32, MissCause)
  /// The app was told of something that did not happen.
  case falseSign(ObservedEvent.Kind, subject: UInt32)
  /// The system showed its prompt, and this was the answer.
  case prompted(PromptAnswer)
  /// The user lets the app read a source of facts, or no longer; also at the start, of those denied.
  case readingChanged(FactSourceID, isAllowed: Bool)
  /// What the scenario says cannot happen, or changes nothing.
  case ignored(IgnoreCause)
}

/// Why the app was not told.
package enum MissCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The phone was off.
  case poweredOff
  /// The app's process was not running, and the platform starts it for nothing of this kind.
  case notRunning
  /// The user had swiped the app away.
  case forceQuit
  /// The user had stopped the app in the system's settings.
  case forceStopped
  /// The sign by which the app learns of it was not given.
  case noSign
  /// The platform watches only so many apps.
  case usageLimit
  /// A known fault of the platform, switched on in the profile.
  case usageFault
  /// The user does not let the app read it.
  case readingDenied
  /// The person does not let the app know of the use of other apps.
  case screenTimeDenied
  /// The person has not chosen this one of the other apps.
  case appNotChosen

  /// The name used in files and reports.
  package var name: String { Self.names[Int(rawValue)] }

  /// By raw value; made once, as reports are full of them.
  private static let names = allCases.map { String(describing: $0) }
}

/// Why the system did not report a region.
package enum RegionSuppression: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// The app had not asked for it, or the system refused to watch it for another reason than the number of regions.
  case notMonitored
  /// The person does not allow it, or not precisely enough.
  case permission
  /// Airplane mode, or location or background refresh switched off.
  case unavailable
  /// The phone was off.
  case poweredOff
  /// The phone did not stay long enough.
  case dwell
  /// The phone did not go far enough beyond the boundary.
  case cushion
  /// It was already inside when the region was registered.
  case alreadyInside
  /// The user had swiped the app away.
  case forceQuit
  /// The user had stopped the app in the system's settings.
  case forceStopped
  /// The system refused to watch it: it watched as many as it does for one app.
  case regionLimit

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}

/// Why an event of the scenario had no effect.
package enum IgnoreCause: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  /// Nothing of the kind can happen to a phone that is off.
  case poweredOff
  /// It is so already.
  case alreadySo
  /// There is no such notification to be seen.
  case nothingToSee
  /// The system shows its prompt only once.
  case promptAlreadyAnswered
  /// The system's prompt does not offer this answer.
  case notOffered
  /// The system does not ask: it is decided in its settings alone.
  case settingsOnly
  /// Our app is not in front.
  case notInFront
  /// The phone is on its way to a later fix already.
  case onItsWay
  /// The platform has nothing of the kind.
  case notOnThisPlatform
  /// The link is none of our app's: the browser opens, or another app.
  case opensElsewhere

  /// The name used in files and reports.
  package var name: String { String(describing: self) }
}
