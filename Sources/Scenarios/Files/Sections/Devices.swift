import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

extension Declarations {
  /// Reads the devices other than the phone. The scenario's `profile` and `phone` describe the phone.
  static func devices(_ fields: Fields<Scenario>) -> [DeviceDeclaration] {
    let rows = fields.table(
      "devices", of: .device,
      "further devices of the person, on which the app runs too; every scenario has the phone",
      from: \.devices)
    var devices: [DeviceDeclaration] = []
    for row in rows {
      if fields.reader?.names.devices.append(row.name) != false {
        if let device = row.declaration { devices.append(device) }
      } else {
        fields.reader?.error(
          "the device '\(row.name)' exists already", at: row.position,
          hint: "the phone is described by 'profile', 'knobs' and 'phone' of the scenario")
      }
    }
    if devices.count > DeviceDeclaration.limit {
      fields.reader?.error(
        "more than \(DeviceDeclaration.limit) devices", at: devices[DeviceDeclaration.limit].position)
    }
    return devices
  }
}

extension Format<DeviceDeclaration> {
  fileprivate static var device: Format {
    .object("A device of the person in addition to the phone") { fields in
      let setup = ScenarioSetup.device(
        fields, profile: \.profile, knobs: \.knobs, phone: \.setup)
      return DeviceDeclaration(
        name: "", profile: setup.profile ?? Located("ideal", at: fields.position), knobs: setup.knobs,
        setup: setup.phone, position: fields.position)
    }
  }
}

extension Format<PhoneSetup> {
  static var phone: Format {
    .object("The phone's initial state, and what its user has allowed") { fields in
      let notifications = fields.optional(
        "notifications", .scalar(.notificationPermission),
        "the notification permission; authorized if missing", from: \.notifications)
      let location = fields.optional(
        "location", .scalar(.locationPermission), "the location permission; always if missing",
        from: \.location)
      let screenTime = fields.optional(
        "screenTime", .scalar(.screenTimePermission),
        "the Screen Time permission; approved if missing", from: \.screenTime)
      let chosenApps = fields.optional(
        "chosenApps", .list(of: .scalar(.appID)),
        "the other apps whose use the app may observe; all of them if missing", from: \.chosenApps)
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

  /// Reads the initial state. Recordings provide the values that the file omits.
  private static func beginning(_ fields: Fields<PhoneSetup>) -> PhoneInitialState {
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
    return PhoneInitialState(position: position, isPluggedIn: isPluggedIn, level: level, isLocked: isLocked)
  }
}

extension Format<[TableRow<Located<String>>]> {
  /// The knobs of a platform profile, keyed by rule. The profile validates names and values when the scenario
  /// is compiled.
  static var knobs: Format {
    let table = Format.table(of: .located(.scalar(.setting)))
    return Format(
      schema: { _ in
        var rules: [JSONValue.Member] = []
        // Two rules may share a knob, because each is for a different platform.
        for rule in PlatformRules.all where !rules.contains(where: { $0.key == rule.key }) {
          rules.append(.init(rule.key, schema(rule)))
        }
        return ["type": "object", "properties": .object(rules), "additionalProperties": false]
      },
      read: table.read, write: table.write)
  }

  private static func schema(_ rule: RuleDefinition) -> JSONValue {
    let unit = rule.unit.isEmpty ? "" : " (\(rule.unit))"
    let doc = "\(rule.summary) It is \(rule.knob.domain)\(unit)."
    if rule.knob.value(of: "true") != nil {
      return [
        "description": .string(doc),
        "anyOf": [["type": "boolean"], ["enum": [.string(Node.withdrawal)]]],
      ]
    }
    if rule.knob.names.isEmpty {
      return [
        "description": .string(doc), "anyOf": [["const": .string(Node.withdrawal)], ["type": "number"]],
      ]
    }
    let names = rule.knob.names.filter { $0 != Node.withdrawal } + [Node.withdrawal]
    return ["description": .string(doc), "enum": .array(names.map(JSONValue.string))]
  }
}
