import DeviceSimulation
import TriggerModel

/// The rows of phone events, for time lines, recordings and the track `happened`.
extension PhoneEvent: WireEvent {
  enum Word: UInt8, WireWord {
    case unlock, lock, plugIn, unplug, openOwnApp, leaveOwnApp, forceQuit, forceStop, updateApp, terminate
    case powerOff, powerOn
    case cancelAll, clearNotifications, pullNotificationCentre, systemSheet, reinstall
    case batteryLevel, openApp, fix, found, enterRegion, exitRegion, travel, setClock
    case notificationPermission, answerPrompt, locationPermission, preciseLocation, locationServices
    case exactAlarms, channel
    case focus, summary, airplaneMode, backgroundRefresh, lowPowerMode
    case fact, reading, snooze, snoozeUntil, cancel, edit, preference, tap, dismiss, ignore
    case failNextAdd, openLink, linkFault, storeFault
    case prime, skipPriming, visit, callToAction, maybeLater, consent
    case create, show, batch
    case act
    case syncRefuses, syncRepeats
    case answerLocationPrompt, answerScreenTimePrompt, screenTimePermission, appChoice

    static let table = NameTable("event", of: Self.self)
  }

  func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> PhoneEvent {
    switch self {
    case .unlock, .lock, .plugIn, .unplug, .openOwnApp, .leaveOwnApp, .forceQuit, .forceStop, .updateApp,
      .terminate, .powerOff, .powerOn, .cancelAll, .clearNotifications, .pullNotificationCentre, .systemSheet,
      .reinstall, .syncRepeats:
      return self
    case .batteryLevel(let level): return .batteryLevel(try coder.integer("permille", level, in: 0...1_000))
    case .openApp(let app): return .openApp(try coder.name("app", .app, app))
    case .fix(let fix): return .fix(try fix.coded(by: &coder))
    case .found(let fix): return .found(try fix.coded(by: &coder))
    case .enterRegion(let region): return .enterRegion(try coder.name("region", .region, region))
    case .exitRegion(let region): return .exitRegion(try coder.name("region", .region, region))
    case .travel(let zone): return .travel(try coder.name("to", .zone, zone))
    case .setClock(let ahead): return .setClock(ahead: try coder.span("aheadMilliseconds", ahead))
    case .notificationPermission(let value):
      return .notificationPermission(try coder.word("value", value))
    case .answerPrompt(let answer): return .answerPrompt(try answer.coded(by: &coder, "value"))
    case .screenTimePermission(let value): return .screenTimePermission(try coder.word("value", value))
    case .appChoice(let app, let isChosen):
      return .appChoice(try coder.name("app", .app, app), isChosen: try coder.truth("chosen", isChosen))
    case .locationPermission(let value): return .locationPermission(try coder.word("value", value))
    case .preciseLocation(let isOn): return .preciseLocation(try coder.truth("value", isOn))
    case .locationServices(let isOn): return .locationServices(try coder.truth("value", isOn))
    case .exactAlarms(let isOn): return .exactAlarms(try coder.truth("value", isOn))
    case .channel(let type, let importance):
      return .channel(try coder.name("type", .type, type), try coder.word("importance", importance))
    case .focus(let isOn): return .focus(try coder.truth("value", isOn))
    case .summary(let isOn): return .summary(try coder.truth("value", isOn))
    case .airplaneMode(let isOn): return .airplaneMode(try coder.truth("value", isOn))
    case .backgroundRefresh(let isOn): return .backgroundRefresh(try coder.truth("value", isOn))
    case .lowPowerMode(let isOn): return .lowPowerMode(try coder.truth("value", isOn))
    case .fact(let fact, let value):
      let fact = try coder.name("fact", .fact, fact)
      return .fact(fact, try coder.value("value", of: fact, value))
    case .reading(let source, let isAllowed):
      return .reading(
        try coder.name("source", .source, source), isAllowed: try coder.truth("allowed", isAllowed))
    case .snooze(let reminder, let span):
      return .snooze(try coder.reminder(reminder), for: try coder.span("milliseconds", span))
    case .snoozeUntil(let reminder, let until):
      return .snoozeUntil(try coder.reminder(reminder), try coder.time("until", until))
    case .cancel(let reminder): return .cancel(try coder.reminder(reminder))
    case .create(let reminder): return .create(try coder.reminder(reminder))
    case .edit(let reminder, let edit):
      let reminder = try coder.reminder(reminder)
      return .edit(reminder, try coder.edit("to", of: reminder, edit))
    case .preference(let change): return .preference(try change.coded(by: &coder, switch: "value"))
    case .tap(let reminder): return .tap(try coder.reminder(reminder))
    case .dismiss(let reminder): return .dismiss(try coder.reminder(reminder))
    case .act(let reminder, let action):
      return .act(try coder.reminder(reminder), try action.coded(by: &coder))
    case .ignore(let reminder): return .ignore(try coder.reminder(reminder))
    case .failNextAdd(let count): return .failNextAdd(try coder.integer("count", count))
    case .openLink(let link): return .openLink(try coder.name("link", .link, link))
    case .linkFault(let fault): return .linkFault(try fault.coded(by: &coder))
    case .storeFault(let fault): return .storeFault(try coder.word("fault", fault))
    case .inApp(let action): return .inApp(try action.coded(by: &coder))
    case .syncRefuses(let count): return .syncRefuses(try coder.integer("count", count))
    }
  }

  var word: Word {
    switch self {
    case .unlock: .unlock
    case .lock: .lock
    case .plugIn: .plugIn
    case .unplug: .unplug
    case .openOwnApp: .openOwnApp
    case .leaveOwnApp: .leaveOwnApp
    case .forceQuit: .forceQuit
    case .forceStop: .forceStop
    case .updateApp: .updateApp
    case .terminate: .terminate
    case .powerOff: .powerOff
    case .powerOn: .powerOn
    case .cancelAll: .cancelAll
    case .clearNotifications: .clearNotifications
    case .pullNotificationCentre: .pullNotificationCentre
    case .systemSheet: .systemSheet
    case .reinstall: .reinstall
    case .batteryLevel: .batteryLevel
    case .openApp: .openApp
    case .fix: .fix
    case .found: .found
    case .enterRegion: .enterRegion
    case .exitRegion: .exitRegion
    case .travel: .travel
    case .setClock: .setClock
    case .notificationPermission: .notificationPermission
    case .answerPrompt(.notifications): .answerPrompt
    case .answerPrompt(.location): .answerLocationPrompt
    case .answerPrompt(.screenTime): .answerScreenTimePrompt
    case .screenTimePermission: .screenTimePermission
    case .appChoice: .appChoice
    case .locationPermission: .locationPermission
    case .preciseLocation: .preciseLocation
    case .locationServices: .locationServices
    case .exactAlarms: .exactAlarms
    case .channel: .channel
    case .focus: .focus
    case .summary: .summary
    case .airplaneMode: .airplaneMode
    case .backgroundRefresh: .backgroundRefresh
    case .lowPowerMode: .lowPowerMode
    case .fact: .fact
    case .reading: .reading
    case .snooze: .snooze
    case .snoozeUntil: .snoozeUntil
    case .cancel: .cancel
    case .create: .create
    case .edit: .edit
    case .preference: .preference
    case .tap: .tap
    case .dismiss: .dismiss
    case .act: .act
    case .ignore: .ignore
    case .failNextAdd: .failNextAdd
    case .openLink: .openLink
    case .linkFault: .linkFault
    case .storeFault: .storeFault
    case .inApp(let action): action.word
    case .syncRefuses: .syncRefuses
    case .syncRepeats: .syncRepeats
    }
  }

  init(row word: Word, at moment: Moment) {
    let nowhere = Fix(instant: moment.wall, coordinate: Coordinate(latitude: 0, longitude: 0))
    self =
      switch word {
      case .unlock: .unlock
      case .lock: .lock
      case .plugIn: .plugIn
      case .unplug: .unplug
      case .openOwnApp: .openOwnApp
      case .leaveOwnApp: .leaveOwnApp
      case .forceQuit: .forceQuit
      case .forceStop: .forceStop
      case .updateApp: .updateApp
      case .terminate: .terminate
      case .powerOff: .powerOff
      case .powerOn: .powerOn
      case .cancelAll: .cancelAll
      case .clearNotifications: .clearNotifications
      case .pullNotificationCentre: .pullNotificationCentre
      case .systemSheet: .systemSheet
      case .reinstall: .reinstall
      case .batteryLevel: .batteryLevel(0)
      case .openApp: .openApp(AppID(0))
      case .fix: .fix(nowhere)
      case .found: .found(nowhere)
      case .enterRegion: .enterRegion(RegionID(0))
      case .exitRegion: .exitRegion(RegionID(0))
      case .travel: .travel(ZoneID(0))
      case .setClock: .setClock(ahead: .zero)
      case .notificationPermission: .notificationPermission(.denied)
      case .answerPrompt: .answerPrompt(.notifications(.denied))
      case .answerLocationPrompt: .answerPrompt(.location(.denied))
      case .answerScreenTimePrompt: .answerPrompt(.screenTime(.denied))
      case .screenTimePermission: .screenTimePermission(.denied)
      case .appChoice: .appChoice(AppID(0), isChosen: false)
      case .locationPermission: .locationPermission(.denied)
      case .preciseLocation: .preciseLocation(false)
      case .locationServices: .locationServices(false)
      case .exactAlarms: .exactAlarms(false)
      case .channel: .channel(TypeID(0), .off)
      case .focus: .focus(false)
      case .summary: .summary(false)
      case .airplaneMode: .airplaneMode(false)
      case .backgroundRefresh: .backgroundRefresh(false)
      case .lowPowerMode: .lowPowerMode(false)
      case .fact: .fact(FactID(0), .missing)
      case .reading: .reading(FactSourceID(0), isAllowed: false)
      case .snooze: .snooze(ReminderID(0), for: .zero)
      case .snoozeUntil: .snoozeUntil(ReminderID(0), moment.wall)
      case .cancel: .cancel(ReminderID(0))
      case .create: .create(ReminderID(0))
      case .edit: .edit(ReminderID(0), 0)
      case .preference: .preference(.all(isOn: false))
      case .tap: .tap(ReminderID(0))
      case .dismiss: .dismiss(ReminderID(0))
      case .act: .act(ReminderID(0), .done)
      case .ignore: .ignore(ReminderID(0))
      case .failNextAdd: .failNextAdd(0)
      case .openLink: .openLink(LinkID(0))
      case .linkFault: .linkFault(.lost)
      case .storeFault: .storeFault(.lost)
      case .prime: .inApp(.prime(PrimingID(0)))
      case .skipPriming: .inApp(.skipPriming)
      case .visit: .inApp(.visit(SurfaceID(0)))
      case .show: .inApp(.show(SurfaceID(0)))
      case .callToAction: .inApp(.callToAction(SurfaceID(0)))
      case .maybeLater: .inApp(.maybeLater)
      case .consent: .inApp(.consent(false))
      case .batch: .inApp(.batch(BatchID(0)))
      case .syncRefuses: .syncRefuses(0)
      case .syncRepeats: .syncRepeats
      }
  }
}

extension InAppAction {
  fileprivate var word: PhoneEvent.Word {
    switch self {
    case .prime: .prime
    case .skipPriming: .skipPriming
    case .visit: .visit
    case .show: .show
    case .callToAction: .callToAction
    case .maybeLater: .maybeLater
    case .consent: .consent
    case .batch: .batch
    }
  }

  fileprivate func coded<Coder: FieldCoder>(by coder: inout Coder) throws(Coder.Failure) -> InAppAction {
    switch self {
    case .skipPriming, .maybeLater: self
    case .prime(let context): .prime(try coder.name("context", .priming, context))
    case .show(let surface): .show(try coder.name("surface", .surface, surface))
    case .visit(let surface): .visit(try coder.name("surface", .surface, surface))
    case .callToAction(let surface): .callToAction(try coder.name("surface", .surface, surface))
    case .consent(let isGiven): .consent(try coder.truth("value", isGiven))
    case .batch(let batch): .batch(try coder.name("batch", .batch, batch))
    }
  }
}
