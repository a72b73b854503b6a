import DeviceSimulation
import ScenarioModel
import TextFormats

extension Format<SyncSetup> {
  /// The facts and settings that the person's devices share, and the delay of sync.
  static var sync: Format {
    .object("What the user does in the app on one device reaches the others") { fields in
      let delay = fields.optional(
        "delay", .scalar(.duration), "from one device to another, both online; 5 s if missing", from: \.delay)
      let retry = fields.optional(
        "retry", .scalar(.duration),
        "how long to wait before asking a busy server again; 1 min if missing",
        from: \.retry)
      let quota = fields.optional(
        "quota", .scalar(.count(1...1_000_000)),
        "how many records the server keeps, one for each fact, reminder and snooze that was changed; any number "
          + "if missing", from: \.quota)
      let pushes = fields.optional(
        "pushes", .scalar(.choice("PUSHES", "silent or none", [("silent", true), ("none", false)])),
        "silent: a push starts the app where the platform allows it; none: the app asks when it runs; silent if missing",
        from: \.pushes)
      let caps = fields.optional(
        "caps", .scalar(.oneCase("CAPS", "device or person", \.name)),
        "person: the caps of a device include notifications that other devices have reported; device: only its own; "
          + "device if missing", from: \.caps)
      var setup = SyncSetup(quota: quota, position: fields.position)
      if let delay { setup.delay = delay }
      if let retry { setup.retry = retry }
      if let pushes { setup.pushes = pushes }
      if let caps { setup.caps = caps }
      return setup
    }
  }
}

extension Declarations {
  static func sync(_ fields: Fields<Scenario>, _ devices: [DeviceDeclaration]) -> SyncSetup? {
    let setup = fields.optional(
      "sync", .sync,
      "what the person does in the app on one device reaches the others; nothing does if missing",
      from: \.sync)
    fields.reader?.names.hasSync = setup != nil
    // Sync is allowed with a single device, because after a reinstall the phone restores its changes from the
    // server. Moreover, a person of a population may not own the second device.
    if let setup, devices.isEmpty {
      fields.reader?.warning(
        "there is no other device to share with", at: setup.position,
        hint: "declare one: 'devices: {tablet: {profile: ios}}'")
    }
    return setup
  }

  /// Reports faults of the sync server in a scenario without `sync`.
  static func refuseSyncFaults(_ timeline: Timeline, _ reader: Reader) {
    for entry in timeline.entries {
      let concernsSync = entry.actions.contains { action in
        switch action {
        case .event(.syncRefuses), .event(.syncRepeats): true
        default: false
        }
      }
      if concernsSync {
        reader.error(
          "this scenario has no sync", at: entry.position, hint: "declare 'sync: {delay: 5 s}'")
      }
    }
  }
}
