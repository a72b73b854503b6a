import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

extension Format<PhoneSetup> {
  static var phone: Format {
    .object("What the phone is like before the story begins, and what its user has allowed") { fields in
      let notifications = fields.optional(
        "notifications", .scalar(.notificationPermission),
        "the notification permission; authorized if missing", from: \.notifications)
      let location = fields.optional(
        "location", .scalar(.locationPermission), "the location permission; always if missing",
        from: \.location)
      let screenTime = fields.optional(
        "screenTime", .scalar(.screenTimePermission),
        "whether our app may know of the use of other apps; approved if missing", from: \.screenTime)
      let chosenApps = fields.optional(
        "chosenApps", .list(of: .scalar(.appID)),
        "the other apps whose use it may know of; all of them if missing", from: \.chosenApps)
      let unreadable = fields.optional(
        "unreadable", .oneOrMore(of: .scalar(.factSourceID)),
        "sources of facts that the app may not read, as declared under 'facts'; none if missing",
        from: { $0.unreadable.unlessEmpty })
      return PhoneSetup(
        notifications: notifications ?? .authorized, location: location ?? .always,
        screenTime: screenTime ?? .approved, chosenApps: chosenApps, unreadable: unreadable ?? [],
        beginning: beginning(fields))
    }
  }

  /// How it is found. What is missing is taken from the recordings that show it.
  private static func beginning(_ fields: Fields<PhoneSetup>) -> PhoneBeginning {
    let position = fields.optional(
      "at", .somewhere, "where it is: a position [latitude, longitude], or a place",
      from: \.beginning.position)
    let isPluggedIn = fields.optional(
      "pluggedIn", .scalar(.truth), "whether it is on the charger; false if no recording shows it",
      from: \.beginning.isPluggedIn)
    let level = fields.optional(
      "battery", .scalar(.batteryLevel), "the battery level; 80 % if no recording shows it",
      from: \.beginning.level)
    let isLocked = fields.optional(
      "locked", .scalar(.truth), "whether it is locked; true if no recording shows it",
      from: \.beginning.isLocked)
    return PhoneBeginning(position: position, isPluggedIn: isPluggedIn, level: level, isLocked: isLocked)
  }
}
