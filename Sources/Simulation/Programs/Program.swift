package import DeviceSimulation
package import NotificationGateway
package import ReminderEngine
package import ReminderMatching
package import ScenarioModel
import SimulationKernel
package import TextFormats
package import TriggerEngine
package import TriggerModel

/// A scenario compiled into packed, immutable tables: what all persons and all variants share.
package final class Program: Sendable {
  package let scenario: Scenario
  package let reminders: ReminderProgram
  package let policy: CompiledCapPolicy
  /// The phone first.
  package let devices: [ProgramDevice]
  /// Nil: where a tap leads is not modelled.
  package let links: LinkBook?
  /// What the app does beside its notifications.
  package let app: AppBook
  /// Nil: only the time line says what the person does.
  package let person: PersonBook?
  package let events: ProgramEvents
  /// Whether any device goes a recorded way.
  package let hasRoutes: Bool
  /// Events at this instant are no longer part of the run.
  package let end: Instant
  /// What was taken from recordings, and what was not.
  package let imports: [ImportReport]
  /// What is odd about the recordings, though they can be used.
  package let warnings: [Diagnostic]
  /// What it was compiled from beside the scenario.
  package let origin: ProgramOrigin

  package init(
    scenario: Scenario, reminders: ReminderProgram, policy: CompiledCapPolicy, devices: [ProgramDevice],
    links: LinkBook? = nil, app: AppBook, person: PersonBook? = nil, events: ProgramEvents, end: Instant,
    imports: [ImportReport], warnings: [Diagnostic] = [], origin: ProgramOrigin
  ) {
    self.scenario = scenario
    self.reminders = reminders
    self.policy = policy
    self.devices = devices
    hasRoutes = devices.contains { !$0.route.isEmpty }
    self.links = links
    self.app = app
    self.person = person
    self.events = events
    self.end = end
    self.imports = imports
    self.warnings = warnings
    self.origin = origin
  }

  package func makePhone(person: UInt64, device: Int, scope: RunScope = .everything) -> Phone {
    let key = RandomKey(seed: scenario.seed, person: person, device: devices[device].luck, purpose: .device)
    let setup = devices[device].setup
    var start = PhoneStart(instant: scenario.start, zone: scenario.zone, key: key)
    start.notificationPermission = setup.notifications
    start.locationPermission = setup.location
    start.screenTime = setup.screenTime
    if let chosen = setup.chosenApps.map(Set.init) {
      start.unchosenApps = scenario.apps.indices.map { AppID($0) }.filter { !chosen.contains($0) }
    }
    start.unreadable = setup.unreadable
    start.isBatteryTold =
      devices[device].isBatteryTold || setup.beginning.level != nil || setup.beginning.isPluggedIn != nil
    start.stepsBattery = scope == .everything
    start.isPluggedIn = setup.beginning.isPluggedIn ?? start.isPluggedIn
    start.isLocked = setup.beginning.isLocked ?? start.isLocked
    if let level = setup.beginning.level { start.batteryLevel = Double(level) / 10 }
    return Phone(start, blueprint: devices[device].blueprint)
  }

  /// What watches the regions for one worker; nil when the scenario has no places.
  package func makePlaceWatch(_ device: ProgramDevice) -> PlaceWatch? {
    if scenario.places.isEmpty { return nil }
    do {
      return try PlaceWatch(device.blueprint)
    } catch {
      preconditionFailure("regions are checked when a program is compiled: \(error)")
    }
  }

  /// How many requests for later our app believes that a device keeps.
  package func pendingCapacity(ofDevice number: Int) -> Int {
    scenario.hasPlanner ? devices[number].blueprint.settings.centre.pendingCapacity : .max
  }

  /// How many regions our app believes that a device watches for it.
  package func regionCapacity(ofDevice number: Int) -> Int {
    let limit = devices[number].blueprint.settings.regionLimit
    return scenario.hasPlanner && devices[number].blueprint.hasPlacesLeftOut ? limit : .max
  }

  /// Whether requests for later are alarms on a device, which may be late, and the app waits to be told that they have
  /// come. Where it is never told, it goes by the clock.
  package func alarmsMayBeLate(onDevice number: Int) -> Bool {
    let settings = devices[number].blueprint.settings
    return settings.alarmsMayBeLate && settings.deliveredSeen != .never
  }

  package func makeReminderEngine(explainsMisses: Bool) -> ReminderEngine {
    ReminderEngine(
      program: reminders, zones: scenario.zones, zone: scenario.zone, explainsMisses: explainsMisses)
  }

  /// The built-in engine, before its first event.
  package func makeEngine(explainsMisses: Bool = true) -> BuiltInEngine {
    var gateway = NotificationGateway(
      policy: policy, state: scenario.stored, zones: scenario.zones,
      permission: scenario.phone.notifications)
    if let registry = links?.registry {
      for (index, type) in reminders.names.types.enumerated() where !registry.sends(type) {
        gateway.setRegistered(false, TypeID(index))
      }
    }
    return BuiltInEngine(
      reminders: makeReminderEngine(explainsMisses: explainsMisses), gateway: gateway)
  }
}

/// One event of a program: what happens, when, and which line of the scenario says so.
package struct ProgramEvent: Hashable, Sendable {
  /// Simulation time.
  package var instant: Instant
  package var event: PhoneEvent
  /// The position of the device in ``Program/devices``.
  package var device: UInt8
  package var position: SourcePosition
  /// Of a tap: a later event says when our app goes from the front.
  package var isEndSaid = false

  package init(instant: Instant, event: PhoneEvent, device: UInt8, position: SourcePosition) {
    self.instant = instant
    self.event = event
    self.device = device
    self.position = position
  }
}

/// One of the devices of a program.
package struct ProgramDevice: Sendable {
  package var name: String
  /// Which device it is in keys of random numbers: 0 for the phone, for others made of the name, so that a device that
  /// is declared before it changes nothing.
  package let luck: UInt32
  package let system: PlatformProfile.System
  package var blueprint: PhoneBlueprint
  package var setup: PhoneSetup
  /// Where it goes, as recorded.
  package var route: Route
  /// Something is said of its charger or its level.
  package var isBatteryTold = false

  init(
    name: String, on system: PlatformProfile.System, blueprint: PhoneBlueprint, setup: PhoneSetup,
    route: Route
  ) {
    self.name = name
    self.system = system
    luck = name == DeviceDeclaration.phone ? 0 : UInt32(truncatingIfNeeded: RandomKey.nameNumber(name)) | 1
    self.blueprint = blueprint
    self.setup = setup
    self.route = route
  }
}
