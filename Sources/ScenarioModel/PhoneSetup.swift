package import DeviceSimulation
package import TriggerModel

/// What a phone is like before the story begins, and what its user has allowed.
package struct PhoneSetup: Hashable, Sendable {
  package var notifications: NotificationPermission = .authorized
  package var location: LocationPermission = .always
  package var screenTime: ScreenTimePermission = .approved
  /// The other apps whose use ours may know of; nil: all of them.
  package var chosenApps: [AppID]?
  /// The sources of facts that the app may not read.
  package var unreadable: [FactSourceID] = []
  package var beginning = PhoneBeginning()

  package init(
    notifications: NotificationPermission = .authorized, location: LocationPermission = .always,
    screenTime: ScreenTimePermission = .approved, chosenApps: [AppID]? = nil,
    unreadable: [FactSourceID] = [], beginning: PhoneBeginning = PhoneBeginning()
  ) {
    self.notifications = notifications
    self.location = location
    self.screenTime = screenTime
    self.chosenApps = chosenApps
    self.unreadable = unreadable
    self.beginning = beginning
  }
}

/// How the phone is found when the story begins. What is nil nobody has said: the recordings may show it, and
/// otherwise the phone is locked and not plugged in, its battery is at 80 %, and where it is nobody knows.
package struct PhoneBeginning: Hashable, Sendable {
  package var position: Coordinate?
  package var isPluggedIn: Bool?
  /// Of the battery, in thousandths.
  package var level: Int32?
  package var isLocked: Bool?

  package init(
    position: Coordinate? = nil, isPluggedIn: Bool? = nil, level: Int32? = nil, isLocked: Bool? = nil
  ) {
    self.position = position
    self.isPluggedIn = isPluggedIn
    self.level = level
    self.isLocked = isLocked
  }
}
