package import DeviceSimulation
package import Journal
package import NotificationGateway
package import ReminderEngine
package import ReminderMatching
package import ScenarioModel
import SimulationKernel
package import TextFormats
package import TriggerEngine
package import TriggerModel

/// A scenario compiled into packed, immutable tables that all persons and variants share.
package final class Program: Sendable {
  package let scenario: Scenario
  package let reminders: ReminderProgram
  package let policy: CompiledCapPolicy
  /// The phone, followed by the person's other devices.
  package let devices: [ProgramDevice]
  /// The links, or `nil` if routing is not modelled.
  package let links: CompiledLinks?
  /// The app's milestones, surfaces and permissions.
  package let app: CompiledApp
  /// The person model, or `nil` if responses come only from the time line.
  package let person: CompiledPerson?
  package let events: ProgramEvents
  /// Whether any device has a recorded route.
  package let hasRoutes: Bool
  /// The end of the run, exclusive.
  package let end: Instant
  /// The import reports of the recordings.
  package let imports: [ImportReport]
  /// The warnings about recordings, which remain usable.
  package let warnings: [Diagnostic]
  /// The inputs of the compiler other than the scenario.
  package let origin: ProgramOrigin

  init(
    scenario: Scenario, reminders: ReminderProgram, policy: CompiledCapPolicy, devices: [ProgramDevice],
    links: CompiledLinks? = nil, app: CompiledApp, person: CompiledPerson? = nil, events: ProgramEvents,
    end: Instant, imports: [ImportReport], warnings: [Diagnostic] = [], origin: ProgramOrigin
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
    let key = RandomKey(
      seed: scenario.seed, person: person, device: devices[device].drawNumber, purpose: .device)
    let setup = devices[device].setup
    var start = PhoneStart(instant: scenario.start, zone: scenario.zone, key: key)
    start.notificationPermission = setup.notifications
    start.locationPermission = setup.location
    start.screenTime = setup.screenTime
    if let chosen = setup.chosenApps.map(Set.init) {
      start.unchosenApps = scenario.apps.indices.map { AppID($0) }.filter { !chosen.contains($0) }
    }
    start.unreadable = setup.unreadable
    start.isBatterySpecified =
      devices[device].isBatterySpecified || setup.beginning.level != nil || setup.beginning.isPluggedIn != nil
    start.stepsBattery = scope == .everything
    start.isPluggedIn = setup.beginning.isPluggedIn ?? start.isPluggedIn
    start.isLocked = setup.beginning.isLocked ?? start.isLocked
    if let level = setup.beginning.level { start.batteryLevel = Double(level) / 10 }
    return Phone(start, blueprint: devices[device].blueprint)
  }

  /// Creates the region monitor for one worker, or returns `nil` if the scenario has no places.
  package func makePlaceWatch(_ device: ProgramDevice) -> PlaceWatch? {
    if scenario.places.isEmpty { return nil }
    do {
      return try PlaceWatch(device.blueprint)
    } catch {
      preconditionFailure("regions are checked when a program is compiled: \(error)")
    }
  }

  /// Returns the number of pending requests that the app assumes the device to keep.
  package func pendingCapacity(ofDevice number: Int) -> Int {
    scenario.hasPlanner ? devices[number].blueprint.settings.centre.pendingCapacity : .max
  }

  /// Returns the number of regions that the app assumes the device to monitor.
  package func regionCapacity(ofDevice number: Int) -> Int {
    let limit = devices[number].blueprint.settings.regionLimit
    return scenario.hasPlanner && devices[number].blueprint.hasPlacesLeftOut ? limit : .max
  }

  /// Returns whether the device may delay requests for a later time, which the system treats as alarms. If
  /// so, the app relies on the delivery events of these requests. An app that never receives such events
  /// relies on the clock.
  package func alarmsMayBeLate(onDevice number: Int) -> Bool {
    let settings = devices[number].blueprint.settings
    return settings.alarmsMayBeLate && settings.deliveredSeen != .never
  }

  /// Returns whether the device reports an initial enter when the app registers a region that contains the
  /// phone (rule L6). The app then treats the enter as an arrival.
  package func reportsInitialEnters(onDevice number: Int) -> Bool {
    devices[number].blueprint.settings.reportsInitialEnters
  }

  package func makeReminderEngine(explainsMisses: Bool) -> ReminderEngine {
    ReminderEngine(
      program: reminders, zones: scenario.zones, zone: scenario.zone, explainsMisses: explainsMisses)
  }

  /// Creates the built-in engine in its initial state.
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

/// An event of a program, with its instant and the line of the scenario that declares it.
package struct ProgramEvent: Hashable, Sendable {
  /// Simulation time.
  package var instant: Instant
  package var event: PhoneEvent
  /// The index of the device in ``Program/devices``.
  package var device: UInt8
  package var position: SourcePosition
  /// Whether a later event declares when the app leaves the foreground after this tap.
  package var hasDeclaredEnd = false

  package init(instant: Instant, event: PhoneEvent, device: UInt8, position: SourcePosition) {
    self.instant = instant
    self.event = event
    self.device = device
    self.position = position
  }
}

/// One device of a program.
package struct ProgramDevice: Sendable {
  package var name: String
  /// The device number in keys of random draws: 0 for the phone, otherwise a hash of the name. It does not
  /// depend on the order of declarations.
  package let drawNumber: UInt32
  package let system: PlatformProfile.System
  package var blueprint: PhoneBlueprint
  package var setup: PhoneSetup
  /// The recorded route of the device.
  package var route: Route
  /// Whether the events include the device's charger or battery level.
  package var isBatterySpecified = false

  init(
    name: String, on system: PlatformProfile.System, blueprint: PhoneBlueprint, setup: PhoneSetup,
    route: Route
  ) {
    self.name = name
    self.system = system
    drawNumber =
      name == DeviceDeclaration.phone ? 0 : UInt32(truncatingIfNeeded: RandomKey.nameNumber(name)) | 1
    self.blueprint = blueprint
    self.setup = setup
    self.route = route
  }
}

/// The properties and events of one person that the shared program does not contain.
package struct PersonTimeline: Sendable {
  /// The number that identifies the person among those of the same seed.
  package var number: UInt64
  /// Whether the person allows notifications where the program does. If `false`, notifications are denied on
  /// every device.
  package var allowsNotifications: Bool
  /// The initial values of facts.
  package var facts: [(fact: FactID, value: FactValue)] = []
  /// The events of the person, in chronological order.
  package var events: [ProgramEvent] = []

  package init(number: UInt64, allowsNotifications: Bool) {
    self.number = number
    self.allowsNotifications = allowsNotifications
  }
}

extension Program {
  /// Creates the program of one person. It shares the compiled tables, and nothing is compiled again.
  ///
  /// - Precondition: The program has no recordings.
  package convenience init(_ shared: Program, _ story: PersonTimeline) {
    var scenario = shared.scenario
    scenario.person?.number = story.number
    for fact in story.facts { scenario.facts[fact.fact.index].initial = fact.value }
    var events = Self.merge(Array(shared.events), story.events)
    let survey = EventSurvey(events)
    if survey.hasTaps { TapEnds.mark(&events) }
    var devices = shared.devices
    if !story.allowsNotifications {
      scenario.denyNotifications()
      for index in devices.indices { devices[index].setup.notifications = .denied }
    }
    if survey.devicesWithBatteryEvents.contains(device: 0) { devices[0].isBatterySpecified = true }
    self.init(
      scenario: scenario, reminders: shared.reminders, policy: shared.policy, devices: devices,
      links: shared.links, app: shared.app,
      person: shared.person.map { CompiledPerson($0, scenario.person ?? $0.setup, survey) },
      events: ProgramEvents(events), end: shared.end, imports: [], origin: shared.origin)
  }

  /// Merges events in chronological order. At equal instants, the shared events come first.
  private static func merge(_ everybodys: [ProgramEvent], _ own: [ProgramEvent]) -> [ProgramEvent] {
    if everybodys.isEmpty { return own }
    var merged: [ProgramEvent] = []
    merged.reserveCapacity(everybodys.count + own.count)
    var next = 0
    for event in own {
      while next < everybodys.count, everybodys[next].instant <= event.instant {
        merged.append(everybodys[next])
        next += 1
      }
      merged.append(event)
    }
    merged += everybodys[next...]
    return merged
  }
}

extension Program {
  /// The names that identifiers have in records and for engines.
  package var wireNames: WireNames { WireNames(shownScenario, reminders, links: links) }

  /// The names of the identifiers, including apps that the person did not choose. Use them only for output
  /// that is itself a scenario.
  var ownNames: WireNames { WireNames(scenario, reminders, links: links) }

  /// The scenario with neutral names for the apps that the person did not choose. Only the author of the
  /// scenario may see the real names.
  package var shownScenario: Scenario {
    let areChosen = areAppsChosen
    let taken = Set(zip(scenario.apps, areChosen).lazy.filter(\.1).map(\.0))
    var shown = scenario
    for index in shown.apps.indices where !areChosen[index] {
      // Avoid names that the scenario already uses. They may include neutral names from an earlier expansion.
      shown.apps[index] = "not-chosen-\(index + 1)"
      while taken.contains(shown.apps[index]) { shown.apps[index] += "-" }
    }
    return shown
  }

  /// Warnings about opened apps that trigger no reminder. No journal record names these apps.
  ///
  /// ``warnings`` does not contain them, so the reports of a run do not list them.
  package var unusedAppWarnings: [Diagnostic] {
    var isKnown = areAppsChosen
    return scenario.timeline.entries.flatMap { entry in
      entry.actions.compactMap { action -> Diagnostic? in
        guard case .event(.openApp(let app)) = action, !isKnown[app.index] else { return nil }
        isKnown[app.index] = true
        let name = scenario.apps[app.index]
        return scenario.sources.diagnostic(
          "no reminder waits for the app '\(name)', so no record will name it",
          severity: .warning, at: entry.position,
          hint: "add a reminder with 'when: open app \(name)', or remove this event")
      }
    }
  }

  /// Whether the person chose each other app. A trigger that names the app counts as a choice. So does a
  /// declaration in a device's initial state or on the time line.
  private var areAppsChosen: [Bool] {
    var chosen = Set(scenario.app.milestones.lazy.flatMap(\.triggers).filter(\.isOfApp))
    // Iterate by position, because iterating over the elements would copy each declaration.
    for index in scenario.reminders.indices {
      chosen.formUnion(scenario.reminders[index].declaration.triggers.lazy.filter(\.isOfApp))
    }
    for index in scenario.edits.indices {
      chosen.formUnion(scenario.edits[index].declaration.triggers.lazy.filter(\.isOfApp))
    }
    let isDeclared = Set(
      scenario.timeline.entries.lazy.flatMap(\.actions).compactMap { action -> AppID? in
        if case .event(.appChoice(let app, isChosen: true)) = action { app } else { nil }
      } + ([scenario.phone] + scenario.devices.map(\.setup)).flatMap { $0.chosenApps ?? [] })
    return scenario.apps.enumerated().map {
      chosen.contains(.appOpened($1)) || isDeclared.contains(AppID($0))
    }
  }
}

extension Trigger {
  fileprivate var isOfApp: Bool { if case .appOpened = self { true } else { false } }
}

extension WireNames {
  convenience init(_ scenario: Scenario, _ reminders: ReminderProgram, links: CompiledLinks?) {
    self.init(
      scenario, types: reminders.names.types, links: links?.texts ?? [],
      consumers: links?.registry.consumers ?? [],
      devices: [DeviceDeclaration.phone] + scenario.devices.map(\.name))
  }
}
