package import TriggerModel

/// What happens to a phone, or what its user does with it: the truth that a scenario states.
///
/// What the app under test is told of it is another matter, and the platform profile's.
package enum PhoneEvent: Hashable, Sendable, BitwiseCopyable {
  case unlock
  case lock
  case plugIn
  case unplug
  /// A battery level that a recording imposes, in thousandths; without it the battery model runs.
  case batteryLevel(Int32)
  /// Another app comes to the front.
  case openApp(AppID)
  /// Our app comes to the front.
  case openOwnApp
  case leaveOwnApp
  /// The user swipes our app away.
  case forceQuit
  /// The user stops our app in the system's settings.
  case forceStop
  /// Our app is replaced by a newer version.
  case updateApp
  /// The system ends our app's process.
  case terminate
  case powerOff
  case powerOn
  /// Where the phone goes to from where it is.
  case fix(Fix)
  /// Where the phone is found when nothing is known of how it came there: the first fix of a recording,
  /// or of a segment of it.
  case found(Fix)
  /// A region is entered or left by decree, in scenarios without coordinates.
  case enterRegion(RegionID)
  case exitRegion(RegionID)
  case travel(ZoneID)
  /// The user sets the wall clock: from now on it is this much ahead of simulation time.
  case setClock(ahead: TimeSpan)
  /// The user decides in Settings.
  case notificationPermission(NotificationPermission)
  /// Our app asks for a permission, and this is what the person would answer to the system's prompt.
  case answerPrompt(PromptAnswer)
  case locationPermission(LocationPermission)
  case screenTimePermission(ScreenTimePermission)
  /// In our app: another app is among those whose use it may know of, or no longer.
  case appChoice(AppID, isChosen: Bool)
  case preciseLocation(Bool)
  /// The system's own switch, for all apps.
  case locationServices(Bool)
  /// In the system's settings the user lets our app use exact alarms, or no longer.
  case exactAlarms(Bool)
  /// In the system's settings the user decides how far a type of our notifications may go.
  case channel(TypeID, ChannelImportance)
  case focus(Bool)
  /// The user has notifications collected into the scheduled summary. No app can see this.
  case summary(Bool)
  case airplaneMode(Bool)
  case backgroundRefresh(Bool)
  case lowPowerMode(Bool)
  /// A value that our app knows changes.
  case fact(FactID, FactValue)
  /// In Settings: the user lets our app read a source of facts, or no longer.
  case reading(FactSourceID, isAllowed: Bool)
  /// In our app: a reminder is put off, for a span or to a wall-clock instant.
  case snooze(ReminderID, for: TimeSpan)
  case snoozeUntil(ReminderID, Instant)
  case cancel(ReminderID)
  /// In our app: a reminder is made that did not exist, or was taken back.
  case create(ReminderID)
  /// In our app: a reminder is replaced by the program's edit with this position.
  case edit(ReminderID, UInt32)
  case cancelAll
  /// In our app's settings: what it may notify of.
  case preference(PreferenceChange)
  /// The person taps, or dismisses, the newest notification of this reminder that is to be seen.
  case tap(ReminderID)
  case dismiss(ReminderID)
  /// The person chooses an action on the newest notification of this reminder that is to be seen.
  case act(ReminderID, NotificationAction)
  /// No response is a response too: the person leaves alone what of this reminder is not tapped or dismissed.
  case ignore(ReminderID)
  /// The person clears the list of notifications.
  case clearNotifications
  /// Notification Centre is pulled down over our app and closed again.
  case pullNotificationCentre
  /// An alert, Control Centre or a Face ID sheet covers our app and goes away.
  case systemSheet
  /// The operating system refuses the next requests, this many.
  case failNextAdd(UInt32)
  case reinstall
  /// Something goes wrong with what our app stores.
  case storeFault(StoreFault)
  /// The person follows a link into our app, from anywhere but a notification.
  case openLink(LinkID)
  /// What goes wrong with the link of the next tap, between the system and our app's code.
  case linkFault(LinkFault)
  /// In our app, and without the system.
  case inApp(InAppAction)
  /// The server of the person's devices refuses the next changes that this one sends, this many.
  case syncRefuses(UInt32)
  /// The next change that this device sends comes to the server twice.
  case syncRepeats
}

extension PhoneEvent {
  /// Whether it says where the phone is, or goes, on the map.
  package var isFix: Bool {
    switch self {
    case .fix, .found: true
    default: false
    }
  }

  /// Whether it says something of charger or level.
  package var tellsOfBattery: Bool {
    switch self {
    case .plugIn, .unplug, .batteryLevel: true
    default: false
    }
  }
}

/// What becomes of a tap's link on its way into an app.
package enum LinkFault: Hashable, Sendable, BitwiseCopyable {
  case lost
  case late(by: TimeSpan)
  /// It comes a second time, as an opened URL, so long after the first.
  case again(after: TimeSpan)
}

/// What a person allows an app to know of the place.
package enum LocationPermission: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notDetermined, denied, whenInUse, always
}

extension PhoneEvent {
  /// The reminder whose notification the person responds to, or is said not to.
  package var answered: ReminderID? {
    switch self {
    case .tap(let reminder), .dismiss(let reminder), .ignore(let reminder), .act(let reminder, _): reminder
    default: nil
    }
  }

  /// The reminder that the person puts off.
  package var snoozed: ReminderID? {
    switch self {
    case .snooze(let reminder, _), .snoozeUntil(let reminder, _): reminder
    default: nil
    }
  }
}
