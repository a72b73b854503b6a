import ScenarioModel
import TextFormats

extension Declarations {
  /// The devices beside the phone. The phone is the one that the scenario's own `profile` and `phone` are about.
  static func devices(_ fields: Fields<Scenario>) -> [DeviceDeclaration] {
    let rows =
      fields.optional(
        "devices", .table(of: .device),
        "further devices of the person, on which our app runs too; every scenario has the phone",
        from: { scenario in
          scenario.devices.rows {
            TableRow(
              name: $0.name, position: $0.position,
              value: DeviceBody(profile: $0.profile, knobs: $0.knobs, setup: $0.setup))
          }
        }) ?? []
    var devices: [DeviceDeclaration] = []
    for row in rows {
      guard fields.reader?.names.devices.append(row.name) != false else {
        fields.reader?.error(
          "there is a device '\(row.name)' already", at: row.position,
          hint: "the phone is described by 'profile', 'knobs' and 'phone' of the scenario")
        continue
      }
      guard let body = row.value else { continue }
      devices.append(
        DeviceDeclaration(
          name: row.name, profile: body.profile ?? Located("ideal", at: row.position), knobs: body.knobs,
          setup: body.setup, position: row.position))
    }
    if devices.count > DeviceDeclaration.limit {
      fields.reader?.error(
        "more than \(DeviceDeclaration.limit) devices", at: devices[DeviceDeclaration.limit].position)
    }
    return devices
  }
}

/// One device as it is written.
struct DeviceBody {
  var profile: Located<String>?
  var knobs: [Knob]
  var setup: PhoneSetup
}

extension Format<DeviceBody> {
  fileprivate static var device: Format {
    .object("A device of the person beside the phone") { fields in
      let setup = ScenarioSetup.device(
        fields, profile: \.profile, knobs: \.knobs, phone: \.setup)
      return DeviceBody(profile: setup.profile, knobs: setup.knobs, setup: setup.phone)
    }
  }
}
