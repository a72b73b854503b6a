import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

extension Format<SyncSetup> {
  /// What the devices of the person share, and how quickly.
  static var sync: Format {
    .object("What the user does in our app on one device reaches the others") { fields in
      let delay = fields.optional(
        "delay", .scalar(.duration), "from one device to another, both online; 5 s if missing", from: \.delay)
      let retry = fields.optional(
        "retry", .scalar(.duration),
        "after how long the server is asked again that was busy; 1 min if missing",
        from: \.retry)
      let quota = fields.optional(
        "quota", .scalar(.count(1...1_000_000)),
        "how many records the server keeps, one for each fact, reminder and snooze that was changed; any number "
          + "if missing", from: \.quota)
      let pushes = fields.optional(
        "pushes", .scalar(.pushes),
        "silent: a push starts the app where the platform lets it; none: the app asks when it runs; silent if missing",
        from: \.pushes)
      let caps = fields.optional(
        "caps", .scalar(.capScope),
        "person: a device counts for its caps what it was told that the others have shown; device: only its own; "
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

extension Atom<Bool> {
  fileprivate static var pushes: Atom {
    .choice("PUSHES", "silent or none", [("silent", true), ("none", false)])
  }
}

extension Atom<CapScope> {
  fileprivate static var capScope: Atom {
    .choice("CAPS", "device or person", CapScope.allCases.map { ($0.name, $0) })
  }
}

extension Declarations {
  static func sync(_ fields: Fields<Scenario>, _ devices: [DeviceDeclaration]) -> SyncSetup? {
    let setup = fields.optional(
      "sync", .sync,
      "what the person does in our app on one device reaches the others; nothing does if missing",
      from: \.sync)
    fields.reader?.names.hasSync = setup != nil
    // The phone alone has what it told the server again after a reinstall; such is also one of a population's people
    // who has no second device.
    if let setup, devices.isEmpty {
      fields.reader?.warning(
        "there is no other device to share with", at: setup.position,
        hint: "declare one: 'devices: {tablet: {profile: ios}}'")
    }
    return setup
  }

  /// Actions on the server say nothing where there is none.
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
          "the devices share nothing here", at: entry.position, hint: "declare 'sync: {delay: 5 s}'")
      }
    }
  }
}
