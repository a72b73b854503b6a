package import TriggerModel

/// An event of the phone or an action of its user, as declared by the scenario.
///
/// The platform profile determines which of these events the app under test observes.
package enum PhoneEvent: Hashable, Sendable, BitwiseCopyable {
  case unlock
  case lock
  case plugIn
  case unplug
  /// A battery level from a recording, in thousandths. If a scenario has no such events, the battery model
  /// computes the level.
  case batteryLevel(Int32)
  /// Another app enters the foreground.
  case openApp(AppID)
  /// The app under test enters the foreground.
  case openOwnApp
  case leaveOwnApp
  /// The user swipes the app away.
  case forceQuit
  /// The user stops the app in the system's settings.
  case forceStop
  /// A newer version replaces the app.
  case updateApp
  /// The system ends the app's process.
  case terminate
  case powerOff
  case powerOn
  /// The next known position. The phone moves to it in a straight line.
  case fix(Fix)
  /// A position that the phone reached on an unknown path, for example the first fix of a recording or of a
  /// segment.
  case found(Fix)
  /// The phone enters or leaves a region at unspecified coordinates.
  case enterRegion(RegionID)
  case exitRegion(RegionID)
  case travel(ZoneID)
  /// The user sets the wall clock so that it is ahead of simulation time by this duration.
  case setClock(ahead: TimeSpan)
  /// The user changes the permission in the system's settings.
  case notificationPermission(NotificationPermission)
  /// The app requests a permission. The value is the person's answer, if the system shows its prompt.
  case answerPrompt(PromptAnswer)
  case locationPermission(LocationPermission)
  case screenTimePermission(ScreenTimePermission)
  /// In the app under test, the person adds an app to the list of monitored apps, or removes it.
  case appChoice(AppID, isChosen: Bool)
  case preciseLocation(Bool)
  /// The user turns location services on or off for all apps.
  case locationServices(Bool)
  /// In the system's settings, the user allows or forbids the app to use exact alarms.
  case exactAlarms(Bool)
  /// In the system's settings, the user changes how a type of notifications is presented.
  case channel(TypeID, ChannelImportance)
  case focus(Bool)
  /// The user turns the scheduled summary on or off. Apps cannot observe this.
  case summary(Bool)
  case airplaneMode(Bool)
  case backgroundRefresh(Bool)
  case lowPowerMode(Bool)
  /// A fact gets a new value.
  case fact(FactID, FactValue)
  /// In the system settings, the user allows or forbids the app to read a source of facts.
  case reading(FactSourceID, isAllowed: Bool)
  /// In the app, the person snoozes a reminder for a duration.
  case snooze(ReminderID, for: TimeSpan)
  /// In the app, the person snoozes a reminder until a wall-clock instant.
  case snoozeUntil(ReminderID, Instant)
  case cancel(ReminderID)
  /// In the app, the person creates a reminder that does not exist or was cancelled.
  case create(ReminderID)
  /// In the app, the person edits a reminder. The number is the index of the edit in the program.
  case edit(ReminderID, UInt32)
  case cancelAll
  /// In the app's settings, the person changes which notifications they want.
  case preference(PreferenceChange)
  /// The person taps or dismisses the newest visible notification of this reminder.
  case tap(ReminderID)
  case dismiss(ReminderID)
  /// The person chooses an action on the newest visible notification of this reminder.
  case act(ReminderID, NotificationAction)
  /// The person neither taps nor dismisses the visible notifications of this reminder.
  case ignore(ReminderID)
  /// The person clears the list of notifications.
  case clearNotifications
  /// The person pulls Notification Centre down over the app and closes it.
  case pullNotificationCentre
  /// An alert, Control Centre or a Face ID sheet covers the app briefly.
  case systemSheet
  /// The operating system refuses this number of the next requests.
  case failNextAdd(UInt32)
  case reinstall
  /// A fault in the app's stored state.
  case storeFault(StoreFault)
  /// The person follows a link into the app from outside a notification.
  case openLink(LinkID)
  /// A fault in passing the link of the next tapped notification to the app's code.
  case linkFault(LinkFault)
  /// An action in the app that the system does not take part in.
  case inApp(InAppAction)
  /// The sync server refuses this number of the next changes from this device.
  case syncRefuses(UInt32)
  /// The sync server receives the next change from this device twice.
  case syncRepeats
}

extension PhoneEvent {
  /// Whether the event is a position on the map.
  package var isFix: Bool {
    switch self {
    case .fix, .found: true
    default: false
    }
  }

  /// Whether the event concerns the charger or the battery level.
  package var isAboutBattery: Bool {
    switch self {
    case .plugIn, .unplug, .batteryLevel: true
    default: false
    }
  }

  /// The reminder of the notification that the person responds to or ignores.
  package var answered: ReminderID? {
    switch self {
    case .tap(let reminder), .dismiss(let reminder), .ignore(let reminder), .act(let reminder, _): reminder
    default: nil
    }
  }

  /// The reminder that the person snoozes.
  package var snoozed: ReminderID? {
    switch self {
    case .snooze(let reminder, _), .snoozeUntil(let reminder, _): reminder
    default: nil
    }
  }

  /// Whether the event can occur while the phone is off. Such a phone can be moved and charged, but not used.
  var canHappenWhileOff: Bool {
    switch self {
    case .plugIn, .unplug, .batteryLevel, .powerOn, .fix, .found, .enterRegion, .exitRegion, .travel, .fact,
      .failNextAdd, .linkFault, .storeFault, .ignore, .syncRefuses, .syncRepeats:
      true
    case .unlock, .lock, .openApp, .openOwnApp, .leaveOwnApp, .forceQuit, .forceStop, .updateApp, .terminate,
      .powerOff, .setClock, .notificationPermission, .answerPrompt, .locationPermission, .preciseLocation,
      .screenTimePermission, .appChoice, .locationServices, .exactAlarms, .channel, .focus, .summary,
      .airplaneMode, .backgroundRefresh, .lowPowerMode, .reading, .snooze, .snoozeUntil, .cancel, .create,
      .edit, .cancelAll, .preference, .tap, .dismiss, .act, .clearNotifications, .pullNotificationCentre,
      .systemSheet, .reinstall, .openLink, .inApp:
      false
    }
  }
}

/// A fault in passing the link of a tapped notification to the app's code.
package enum LinkFault: Hashable, Sendable, BitwiseCopyable {
  case lost
  case late(by: TimeSpan)
  /// The app receives the link a second time after this duration, as an opened URL.
  case again(after: TimeSpan)
}

package enum PrimingSubject {}
package enum SurfaceSubject {}
package enum MilestoneSubject {}
package enum BatchSubject {}

/// The name under which the app requests a priming view, as in the app's analytics.
package typealias PrimingID = DenseID<PrimingSubject>
/// A part of the app that a condition can lock.
package typealias SurfaceID = DenseID<SurfaceSubject>
/// A moment in the app's life that occurs once per installation.
package typealias MilestoneID = DenseID<MilestoneSubject>
/// An action that the person applies to several items together.
package typealias BatchID = DenseID<BatchSubject>

/// An action of the person or the app, inside the app, that the system does not take part in.
package enum InAppAction: Hashable, Sendable, BitwiseCopyable {
  /// The app's code requests priming: a view that explains notifications before the system's prompt. The app
  /// shows the view once it is in the foreground.
  case prime(PrimingID)
  /// The person postpones the answer to the priming view.
  case skipPriming
  /// The person opens a surface. An overlay covers it while it is locked.
  case visit(SurfaceID)
  /// The app shows the overlay of a locked surface without a visit.
  case show(SurfaceID)
  /// The person follows the overlay's call to action.
  case callToAction(SurfaceID)
  /// The person closes the overlay: "Maybe later".
  case maybeLater
  /// The person agrees to analytics, or revokes the agreement.
  case consent(Bool)
  /// The person applies an action to several items in a list of the app.
  case batch(BatchID)
}

/// An action of the person that the scenario does not declare as an event. A person model generates it, or a
/// batch applies it to each of its items.
package enum PersonAct: Hashable, Sendable, BitwiseCopyable {
  case tap(RequestID)
  case dismiss(RequestID)
  /// In the system's settings, the person revokes the permission to notify.
  case optOut
  /// The person opens the app without a notification.
  case open
  /// A fact gets a new value, because the person marks an item of a batch as done in the app.
  case set(FactID, FactValue)
  /// From a notification, the person snoozes a reminder.
  case snooze(ReminderID, for: TimeSpan)
}
