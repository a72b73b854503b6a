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
  /// The system ends our app's process.
  case terminate
  case powerOff
  case powerOn
  case fix(Fix)
  /// A region is entered or left by decree, in scenarios without coordinates.
  case enterRegion(RegionID)
  case exitRegion(RegionID)
  case travel(ZoneID)
  /// The user sets the wall clock: from now on it is this much ahead of simulation time.
  case setClock(ahead: TimeSpan)
  /// The user decides in Settings, or answers the system's prompt.
  case notificationPermission(NotificationPermission)
  case locationPermission(LocationPermission)
  case preciseLocation(Bool)
  case focus(Bool)
  case airplaneMode(Bool)
  case backgroundRefresh(Bool)
  case lowPowerMode(Bool)
  /// A value that our app knows changes.
  case fact(FactID, FactValue)
  /// In our app: a reminder is put off, for a span or to a wall-clock instant.
  case snooze(ReminderID, for: TimeSpan)
  case snoozeUntil(ReminderID, Instant)
  case cancel(ReminderID)
  /// In our app: a reminder is replaced by the program's edit with this position.
  case edit(ReminderID, UInt32)
  case cancelAll
  /// The person taps, or dismisses, the newest notification of this reminder that is to be seen.
  case tap(ReminderID)
  case dismiss(ReminderID)
  /// The operating system refuses the next requests, this many.
  case failNextAdd(UInt32)
  case reinstall
}

/// What a person allows an app to know of the place.
package enum LocationPermission: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
  case notDetermined, denied, whenInUse, always
}
