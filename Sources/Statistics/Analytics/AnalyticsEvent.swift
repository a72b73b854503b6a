import DeviceSimulation
package import Journal
package import ScenarioModel
package import TriggerModel

/// Something that the app's analytics count, with identifiers in place of names.
package struct AnalyticsEvent: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    /// The system took a request.
    case scheduled(ReminderID)
    case shown(ReminderID)
    case tapped(ReminderID)
    case dismissed(ReminderID)
    /// The person switched a type off; nil: all of them.
    case disabled(TypeID?)
    /// A request that will not be shown, or one that the app did not even make.
    case suppressed(ReminderID, Reason)
    case app(AppEvent)
    case link(LinkRecord)
  }

  package var person: UInt64
  package var device: UInt8
  package var moment: Moment
  package var body: Body
}

/// What one run emitted, and how much it did not.
package struct AnalyticsLog: Hashable, Sendable {
  /// In order of time.
  package fileprivate(set) var events: [AnalyticsEvent] = []
  /// Lines that were not emitted because the person had not agreed.
  package fileprivate(set) var withheld = 0
  /// Whether the person agrees, at the end of the run.
  package fileprivate(set) var hasConsent: Bool

  /// Lines that were emitted.
  package var emitted: Int { events.reduce(0) { $0 + $1.body.lineCount } }
}

/// Takes analytics events out of the journal of one run, while the person agrees to it.
///
/// What happened is counted when it happened, whether a real app could know of it then or not; how much an
/// app does not see is the business of the report's own section.
package struct AnalyticsSink: JournalSink {
  /// Nil: the scenario has no analytics.
  package private(set) var log: AnalyticsLog?

  package init(_ setup: AnalyticsSetup?) {
    log = setup.map { AnalyticsLog(hasConsent: $0.hasConsent) }
  }

  package static var wantsEveryFix: Bool { false }

  package mutating func record(_ body: JournalRecord.Body, _ stamp: RecordStamp) {
    guard log != nil else { return }
    if case .app(.consentChanged(let isGiven)) = body { log?.hasConsent = isGiven }
    guard let event = AnalyticsEvent.Body(body) else { return }
    if log?.hasConsent == true {
      log?.events.append(
        AnalyticsEvent(
          person: stamp.person, device: stamp.device, moment: stamp.moment, body: event))
    } else {
      log?.withheld += event.lineCount
    }
  }
}

extension AnalyticsEvent.Body {
  /// What comes up and is tapped counts under the reminder's own name too.
  fileprivate var lineCount: Int {
    switch self {
    case .shown, .tapped: 2
    default: 1
    }
  }

  /// What analytics count of a record; nil for the many that they do not.
  fileprivate init?(_ record: JournalRecord.Body) {
    switch record {
    case .outcome(.delivered(let id, let presentation)) where presentation.isExposed:
      self = .shown(id.reminder)
    case .outcome(.presentedLate(let id, _)): self = .shown(id.reminder)
    // A plan whose place another took is not suppressed, nor is what is put off once more.
    case .outcome(.removed(_, .superseded)), .effect(.dropped(_, .superseded)),
      .outcome(.removed(_, .quietHours)):
      return nil
    case .effect(let effect): self.init(effect)
    case .outcome(.refused(let id, let reason)), .outcome(.removed(let id, let reason)):
      self = .suppressed(id.reminder, reason)
    case .observed(let event): self.init(event)
    case .app(let event) where event.isCounted: self = .app(event)
    case .link(let link) where link.step.isEnd: self = .link(link)
    default: return nil
    }
  }

  private init?(_ event: ObservedEvent) {
    switch event.kind {
    case .tapped: self = .tapped(event.request.reminder)
    case .dismissed: self = .dismissed(event.request.reminder)
    case .preferencesChanged:
      switch PreferenceChange(event) {
      case .type(let type, isOn: false): self = .disabled(type)
      case .all(isOn: false): self = .disabled(nil)
      case .type, .all, .dailyCap, nil: return nil
      }
    default: return nil
    }
  }

  private init?(_ effect: EngineEffect) {
    switch effect {
    case .decided(let request, let decision):
      switch decision.outcome {
      case .admit: self = .scheduled(request.id.reminder)
      case .deny, .fail: self = .suppressed(request.id.reminder, decision.reason ?? .addFailed)
      case .defer: return nil
      }
    case .dropped(let request, let reason): self = .suppressed(request.id.reminder, reason)
    // A condition that does not hold suppresses nothing: there was no reason to remind.
    case .noRequest(let reminder, let reason, _)
    where [.staleData, .lowConfidence, .notEntitled].contains(reason):
      self = .suppressed(reminder, reason)
    default: return nil
    }
  }
}

extension AppEvent {
  /// Whether analytics count it.
  fileprivate var isCounted: Bool {
    switch self {
    case .permissionRequested(let kind), .permissionGranted(let kind), .permissionDenied(let kind):
      kind == .notifications
    case .surfaceUnlocked, .surfaceLocked, .surfaceUnasked, .milestone, .reminderRefused, .consentChanged,
      .promptEarly, .promptStacked, .batchDone, .confirmationAsked, .confirmationDeclined:
      false
    default: true
    }
  }
}

extension LinkRecord.Step {
  /// Whether a link has come to its end. A second coming that was recognised is none.
  fileprivate var isEnd: Bool {
    switch self {
    case .routed, .unconsumed, .failed: true
    case .attempted, .duplicate: false
    }
  }
}
