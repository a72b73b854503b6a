import DeviceSimulation
import ScenarioModel
import TriggerModel

/// What our app shows, asks or reaches by itself.
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
