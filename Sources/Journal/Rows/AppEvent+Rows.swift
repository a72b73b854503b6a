import DeviceSimulation
import NotificationGateway
import ScenarioModel
import TriggerModel

/// The rows of app events.
extension AppEvent: WireEvent {
  enum Word: UInt8, WireWord {
    case primingShown, primingSkipped, permissionRequested, permissionGranted, permissionDenied
    case settingsBannerShown, surfaceShown, surfaceCallToAction, surfaceDismissed, surfaceUnlocked
    case surfaceLocked, milestone, consentChanged, reminderRefused, surfaceUnasked
    case promptEarly, promptStacked
    case batchDone, confirmationAsked, confirmationDeclined

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch self {
    case .primingShown: .primingShown
    case .primingSkipped: .primingSkipped
    case .permissionRequested: .permissionRequested
    case .permissionGranted: .permissionGranted
    case .permissionDenied: .permissionDenied
    case .promptEarly: .promptEarly
    case .promptStacked: .promptStacked
    case .settingsBannerShown: .settingsBannerShown
    case .surfaceShown: .surfaceShown
    case .surfaceCallToAction: .surfaceCallToAction
    case .surfaceDismissed: .surfaceDismissed
    case .surfaceUnlocked: .surfaceUnlocked
    case .surfaceLocked: .surfaceLocked
    case .milestone: .milestone
    case .consentChanged: .consentChanged
    case .reminderRefused: .reminderRefused
    case .surfaceUnasked: .surfaceUnasked
    case .batchDone: .batchDone
    case .confirmationAsked: .confirmationAsked
    case .confirmationDeclined: .confirmationDeclined
    }
  }

  init(row word: Word, at moment: Moment) {
    self =
      switch word {
      case .primingShown: .primingShown(.init(0))
      case .primingSkipped: .primingSkipped(.init(0))
      case .permissionRequested: .permissionRequested(.notifications)
      case .permissionGranted: .permissionGranted(.notifications)
      case .permissionDenied: .permissionDenied(.notifications)
      case .promptEarly: .promptEarly(.notifications)
      case .promptStacked: .promptStacked(.notifications)
      case .settingsBannerShown: .settingsBannerShown
      case .surfaceShown: .surfaceShown(.init(0))
      case .surfaceCallToAction: .surfaceCallToAction(.init(0))
      case .surfaceDismissed: .surfaceDismissed(.init(0))
      case .surfaceUnlocked: .surfaceUnlocked(.init(0))
      case .surfaceLocked: .surfaceLocked(.init(0))
      case .milestone: .milestone(.init(0))
      case .consentChanged: .consentChanged(false)
      case .reminderRefused: .reminderRefused(.init(0))
      case .surfaceUnasked: .surfaceUnasked(.init(0))
      case .batchDone: .batchDone(0)
      case .confirmationAsked: .confirmationAsked
      case .confirmationDeclined: .confirmationDeclined
      }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> AppEvent {
    switch self {
    case .settingsBannerShown, .confirmationAsked, .confirmationDeclined: return self
    case .permissionRequested(let kind): return .permissionRequested(try kind.coded(by: &coder))
    case .permissionGranted(let kind): return .permissionGranted(try kind.coded(by: &coder))
    case .permissionDenied(let kind): return .permissionDenied(try kind.coded(by: &coder))
    case .promptEarly(let kind): return .promptEarly(try kind.coded(by: &coder))
    case .promptStacked(let kind): return .promptStacked(try kind.coded(by: &coder))
    case .batchDone(let count): return .batchDone(try coder.integer("count", count))
    case .primingShown(let context): return .primingShown(try coder.name("context", .priming, context))
    case .primingSkipped(let context): return .primingSkipped(try coder.name("context", .priming, context))
    case .surfaceShown(let surface): return .surfaceShown(try coder.name("surface", .surface, surface))
    case .surfaceCallToAction(let surface):
      return .surfaceCallToAction(try coder.name("surface", .surface, surface))
    case .surfaceDismissed(let surface):
      return .surfaceDismissed(try coder.name("surface", .surface, surface))
    case .surfaceUnlocked(let surface): return .surfaceUnlocked(try coder.name("surface", .surface, surface))
    case .surfaceLocked(let surface): return .surfaceLocked(try coder.name("surface", .surface, surface))
    case .milestone(let milestone): return .milestone(try coder.name("milestone", .milestone, milestone))
    case .reminderRefused(let reminder): return .reminderRefused(try coder.reminder(reminder))
    case .surfaceUnasked(let surface): return .surfaceUnasked(try coder.name("surface", .surface, surface))
    case .consentChanged(let isGiven): return .consentChanged(try coder.truth("value", isGiven))
    }
  }
}

/// The rows of the simulated person's actions.
extension PersonAct: WireEvent {
  enum Word: UInt8, WireWord {
    case taps, dismisses, optsOut, opens, sets, snoozes

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch self {
    case .tap: .taps
    case .dismiss: .dismisses
    case .optOut: .optsOut
    case .open: .opens
    case .set: .sets
    case .snooze: .snoozes
    }
  }

  init(row word: Word, at moment: Moment) {
    let id = RequestID(reminder: ReminderID(0), occurrence: 0)
    self =
      switch word {
      case .taps: .tap(id)
      case .dismisses: .dismiss(id)
      case .optsOut: .optOut
      case .opens: .open
      case .sets: .set(FactID(0), .missing)
      case .snoozes: .snooze(ReminderID(0), for: .zero)
      }
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> PersonAct {
    switch self {
    case .tap(let id): return .tap(try coder.request(id))
    case .dismiss(let id): return .dismiss(try coder.request(id))
    case .optOut, .open: return self
    case .set(let fact, let value):
      let fact = try coder.name("fact", .fact, fact)
      return .set(fact, try coder.value("value", of: fact, value))
    case .snooze(let reminder, let span):
      return .snooze(try coder.reminder(reminder), for: try coder.span("milliseconds", span))
    }
  }
}

/// The rows of link records. The step of the link is the row's event.
extension LinkRecord: WireEvent {
  enum Word: UInt8, WireWord {
    case attempted, duplicate, routed, unconsumed, failed

    static let table = NameTable("event", of: Self.self)
  }

  var word: Word {
    switch step {
    case .attempted: .attempted
    case .duplicate: .duplicate
    case .routed: .routed
    case .unconsumed: .unconsumed
    case .failed: .failed
    }
  }

  init(row word: Word, at moment: Moment) {
    let step: Step =
      switch word {
      case .attempted: .attempted
      case .duplicate: .duplicate
      case .routed: .routed(LinkDestination(consumer: 0, pattern: 0))
      case .unconsumed: .unconsumed(LinkDestination(consumer: 0, pattern: 0))
      case .failed: .failed(.linkLost)
      }
    self.init(link: LinkID(0), source: .notification, step: step)
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> LinkRecord {
    var record = self
    record.link = try coder.name("link", .link, link)
    record.source = try coder.word("source", source)
    let isTap = try coder.has("reminder", request != nil)
    let nobody = RequestID(reminder: ReminderID(0), occurrence: 0)
    record.request = isTap ? try coder.request(request ?? nobody) : nil
    record.isRepeat = try coder.flag("repeat", isRepeat)
    record.step = try step.coded(by: &coder)
    return record
  }
}

extension LinkRecord.Step {
  fileprivate func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> LinkRecord.Step {
    switch self {
    case .attempted, .duplicate: self
    case .routed(let destination): .routed(try coder.destination(destination))
    case .unconsumed(let destination): .unconsumed(try coder.destination(destination))
    case .failed(let reason): .failed(try coder.word("reason", reason))
    }
  }
}
