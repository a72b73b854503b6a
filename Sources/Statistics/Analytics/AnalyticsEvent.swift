import DeviceSimulation
package import Journal
package import ScenarioModel
package import TriggerModel

/// An event of the app's analytics, with identifiers instead of names.
package struct AnalyticsEvent: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    /// The system accepted a request.
    case scheduled(ReminderID)
    case shown(ReminderID)
    case tapped(ReminderID)
    case dismissed(ReminderID)
    /// The person disabled a type, or all types if the value is `nil`.
    case disabled(TypeID?)
    /// A request will not be shown, or the app did not make it.
    case suppressed(ReminderID, Reason)
    case app(AppEvent)
    case link(LinkRecord)
  }

  package var person: UInt64
  package var device: UInt8
  package var moment: Moment
  package var body: Body
}

/// The analytics of one run.
package struct AnalyticsLog: Hashable, Sendable {
  /// The events in chronological order.
  package fileprivate(set) var events: [AnalyticsEvent] = []
  /// The number of lines that were withheld because the person did not consent.
  package fileprivate(set) var withheld = 0
  /// Whether the person consents, at the end of the run.
  package fileprivate(set) var hasConsent: Bool

  /// The number of emitted lines.
  package var emitted: Int { events.reduce(0) { $0 + $1.body.lineCount } }
}

/// Extracts analytics events from the journal of one run while the person consents.
///
/// Events are counted when they happen, even if a real app could not observe them. Another section of the
/// report lists unobserved events.
package struct AnalyticsSink: JournalSink {
  /// The log, or `nil` if the scenario declares no analytics.
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
  /// The number of lines. Shown and tapped events have a second line with the name of the reminder in the
  /// event's name.
  fileprivate var lineCount: Int {
    switch self {
    case .shown, .tapped: 2
    default: 1
    }
  }

  /// Creates the analytics event of a record, or returns `nil` for records that are not counted.
  fileprivate init?(_ record: JournalRecord.Body) {
    switch record {
    case .outcome(.delivered(let id, let presentation)) where presentation.isExposed:
      self = .shown(id.reminder)
    case .outcome(.presentedLate(let id, _)): self = .shown(id.reminder)
    // Replaced plans and further deferrals do not suppress a reminder.
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
    // Other failed conditions mean that there was no reason to remind, so nothing was suppressed.
    case .noRequest(let reminder, let reason, _)
    where [.staleData, .lowConfidence, .notEntitled].contains(reason):
      self = .suppressed(reminder, reason)
    default: return nil
    }
  }
}

extension AppEvent {
  /// Whether the event appears in analytics.
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
  /// Whether the step ends the routing of a link. A recognised duplicate does not.
  fileprivate var isEnd: Bool {
    switch self {
    case .routed, .unconsumed, .failed: true
    case .attempted, .duplicate: false
    }
  }
}
