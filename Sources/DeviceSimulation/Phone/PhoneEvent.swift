package import TriggerModel

/// Something that happens to a phone, or that its user does with it: the truth that a scenario states.
///
/// The platform profile determines what the app under test observes of it.
package enum PhoneEvent: Hashable, Sendable, BitwiseCopyable {
  case unlock
  case lock
  case plugIn
  case unplug
  /// A recording sets the battery level, in thousandths. Without such events the battery model runs.
  case batteryLevel(Int32)
  /// Another app comes to the front.
  case openApp(AppID)
  /// The app under test comes to the front.
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
  /// The position to which the phone moves from where it is.
  case fix(Fix)
  /// The position of a phone whose way there is unknown: the first fix of a recording or of a segment of it.
  case found(Fix)
  /// A region is entered or left without coordinates.
  case enterRegion(RegionID)
  case exitRegion(RegionID)
  case travel(ZoneID)
  /// The user sets the wall clock, which from now on is this much ahead of simulation time.
  case setClock(ahead: TimeSpan)
  /// The user changes the permission in the system's settings.
  case notificationPermission(NotificationPermission)
  /// The app requests a permission. The value is the person's answer if the system shows its prompt.
  case answerPrompt(PromptAnswer)
  case locationPermission(LocationPermission)
  case screenTimePermission(ScreenTimePermission)
  /// In the app, the person adds another app to those whose use it may monitor, or removes it.
  case appChoice(AppID, isChosen: Bool)
  case preciseLocation(Bool)
  /// The system's location switch, for all apps.
  case locationServices(Bool)
  /// In the system's settings, the user allows or forbids the app to use exact alarms.
  case exactAlarms(Bool)
  /// In the system's settings, the user changes how a type of notifications is presented.
  case channel(TypeID, ChannelImportance)
  case focus(Bool)
  /// The user turns the scheduled summary on or off. No app can observe this.
  case summary(Bool)
  case airplaneMode(Bool)
  case backgroundRefresh(Bool)
  case lowPowerMode(Bool)
  /// A fact takes a value.
  case fact(FactID, FactValue)
  /// In the system's settings, the user allows or forbids the app to read a source of facts.
  case reading(FactSourceID, isAllowed: Bool)
  /// In the app, the person snoozes a reminder for a span.
  case snooze(ReminderID, for: TimeSpan)
  /// In the app, the person snoozes a reminder until a wall-clock instant.
  case snoozeUntil(ReminderID, Instant)
  case cancel(ReminderID)
  /// In the app, the person creates a reminder that did not exist or was cancelled.
  case create(ReminderID)
  /// In the app, the person replaces a reminder by the program's edit with this position.
  case edit(ReminderID, UInt32)
  case cancelAll
  /// In the app's settings, the person changes what it may notify about.
  case preference(PreferenceChange)
  /// The person taps, or dismisses, the newest visible notification of this reminder.
  case tap(ReminderID)
  case dismiss(ReminderID)
  /// The person chooses an action on the newest visible notification of this reminder.
  case act(ReminderID, NotificationAction)
  /// The person ignores the notifications of this reminder that are neither tapped nor dismissed.
  case ignore(ReminderID)
  /// The person clears the list of notifications.
  case clearNotifications
  /// The person pulls Notification Centre down over the app and closes it again.
  case pullNotificationCentre
  /// An alert, Control Centre or a Face ID sheet covers the app for a moment.
  case systemSheet
  /// The operating system refuses this many of the next requests.
  case failNextAdd(UInt32)
  case reinstall
  /// A fault in the app's stored state.
  case storeFault(StoreFault)
  /// The person follows a link into the app that is not from a notification.
  case openLink(LinkID)
  /// A fault in the delivery of the next tap's link to the app's code.
  case linkFault(LinkFault)
  /// An action in the app that the system has no part in.
  case inApp(InAppAction)
  /// The sync server refuses this many of the next changes that this device sends.
  case syncRefuses(UInt32)
  /// The sync server receives the next change that this device sends twice.
  case syncRepeats
}

extension PhoneEvent {
  /// Whether the event states a position on the map.
  package var isFix: Bool {
    switch self {
    case .fix, .found: true
    default: false
    }
  }

  /// Whether the event concerns the charger or the level.
  package var isAboutBattery: Bool {
    switch self {
    case .plugIn, .unplug, .batteryLevel: true
    default: false
    }
  }

  /// The reminder whose notification the person responds to or ignores.
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

  /// Whether the event can happen to a phone that is off. Such a phone can be moved and charged, but not
  /// used.
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

/// A fault in the delivery of a tap's link to an app.
package enum LinkFault: Hashable, Sendable, BitwiseCopyable {
  case lost
  case late(by: TimeSpan)
  /// The link is delivered a second time, as an opened URL, this long after the first.
  case again(after: TimeSpan)
}

package enum PrimingSubject {}
package enum SurfaceSubject {}
package enum MilestoneSubject {}
package enum BatchSubject {}

/// The reason for a priming view, by the app's own name for it, as in its analytics.
package typealias PrimingID = DenseID<PrimingSubject>
/// A part of the app that some condition locks.
package typealias SurfaceID = DenseID<SurfaceSubject>
/// A moment in the app's life that happens once per install.
package typealias MilestoneID = DenseID<MilestoneSubject>
/// An action that the person applies to several things together.
package typealias BatchID = DenseID<BatchSubject>

/// An action of the person in the app, or of the app, that the system has no part in.
package enum InAppAction: Hashable, Sendable, BitwiseCopyable {
  /// The app wants to explain notifications in its own view before it requests the permission. It shows the
  /// view when it is in front, now or later.
  case prime(PrimingID)
  /// The person postpones the priming.
  case skipPriming
  /// The person opens a surface. An overlay covers it while it is locked.
  case visit(SurfaceID)
  /// The app shows a locked surface's overlay, whatever the person does.
  case show(SurfaceID)
  /// The person follows the overlay's call to action.
  case callToAction(SurfaceID)
  /// The person closes the overlay: "Maybe later".
  case maybeLater
  /// The person agrees to analytics, or revokes the agreement.
  case consent(Bool)
  /// The person applies an action to several things in a list of the app.
  case batch(BatchID)
}

/// An action of the person that no scenario event states literally: it comes from a person model, or from a
/// batch that is applied to each of several things.
package enum PersonAct: Hashable, Sendable, BitwiseCopyable {
  case tap(RequestID)
  case dismiss(RequestID)
  /// In the system's settings, the person revokes the permission to notify.
  case optOut
  /// The person opens the app without a notification.
  case open
  /// In the app, a fact takes a value because one of several things is done.
  case set(FactID, FactValue)
  /// On a notification, the person snoozes a reminder.
  case snooze(ReminderID, for: TimeSpan)
}
