package import DeviceSimulation
package import TriggerModel

/// The settings and permissions of a phone at the start.
package struct PhoneSetup: Hashable, Sendable {
  package var notifications: NotificationPermission = .authorized
  package var location: LocationPermission = .always
  package var screenTime: ScreenTimePermission = .approved
  /// The other apps that the app under test may observe, or `nil` for all other apps.
  package var chosenApps: [AppID]?
  /// The fact sources that the app may not read.
  package var unreadable: [FactSourceID] = []
  package var beginning = PhoneInitialState()

  package init(
    notifications: NotificationPermission = .authorized, location: LocationPermission = .always,
    screenTime: ScreenTimePermission = .approved, chosenApps: [AppID]? = nil,
    unreadable: [FactSourceID] = [], beginning: PhoneInitialState = PhoneInitialState()
  ) {
    self.notifications = notifications
    self.location = location
    self.screenTime = screenTime
    self.chosenApps = chosenApps
    self.unreadable = unreadable
    self.beginning = beginning
  }
}

/// The state of a phone at the start.
///
/// A property that is `nil` is determined by recordings. If they do not determine it, the phone is locked and
/// unplugged, its battery level is 80 %, and its position is unknown.
package struct PhoneInitialState: Hashable, Sendable {
  package var position: Coordinate?
  package var isPluggedIn: Bool?
  /// The battery level in thousandths.
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

/// A set of a scenario's devices.
package struct DeviceSet: OptionSet, Hashable, Sendable {
  /// Bit *d* represents device *d*. The phone is device 0.
  package var rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// - Parameter device: The number of the device, at most 15.
  package init(device: UInt8) { rawValue = 1 << device }

  package mutating func insert(device: UInt8) { rawValue |= 1 << device }

  package func contains(device: UInt8) -> Bool { rawValue >> device & 1 != 0 }

  /// Returns the new number of a device after the devices in this set are removed.
  ///
  /// - Precondition: The device is not in the set.
  package func number(without device: UInt8) -> UInt8 {
    device - UInt8((rawValue & (1 << device - 1)).nonzeroBitCount)
  }
}
