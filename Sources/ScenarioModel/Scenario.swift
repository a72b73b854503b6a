package import CivilTime
package import DeviceSimulation
package import NotificationGateway
package import ReminderMatching
package import TextFormats
package import TriggerModel

/// A scenario as its file states it: validated, with every name resolved, and nothing run yet.
///
/// Identifiers are positions in the lists below, in the order of the file: `ReminderID(2)` is
/// `reminders[2]`, and likewise for apps, places (`RegionID`) and facts.
public struct Scenario: Equatable, Sendable {
  /// The file's name as it was given.
  package var file: String
  /// The texts that its positions point into.
  package var sources: SourceFiles
  /// The names of the packs that it includes, as it writes them.
  package var packs: [String]
  /// The story in a line.
  package var title: String
  package var description: String
  /// Words of the warnings that it means to have.
  package var intendedWarnings: [Located<String>] = []

  /// Where simulation time begins.
  package var start: Instant
  /// Where it ends; events at this instant are no longer part of the run.
  package var end: Instant
  /// False: the file names no end, and ``end`` is the end of the local day of its last entry. A program
  /// that loads recordings extends it to cover them.
  package var endIsExplicit: Bool
  /// Every zone that the file names; the phone starts in ``zone``.
  package var zones: ZoneTable
  package var zone: ZoneID

  package var profile: Located<String>
  /// Settings of the platform profile that differ from its defaults, checked by the profile.
  package var knobs: [Knob]
  package var seed: UInt64
  package var phone: PhoneSetup
  /// The person's further devices, beside the phone.
  package var devices: [DeviceDeclaration] = []
  /// Nil: they share nothing.
  package var sync: SyncSetup?
  /// Our app hands over no more than the system keeps, what is due next first; otherwise it knows no limit.
  package var hasPlanner: Bool
  /// Who answers notifications; nil: only the time line says.
  package var person: PersonSetup?

  package var facts: [FactDeclaration]
  /// Where facts come from: ``DeviceSimulation/FactSourceID`` is the position.
  package var factSources: [String]
  package var apps: [String]
  package var places: [Place]
  package var reminders: [DeclaredReminder]
  /// Replacements that the time line can put in place of a reminder.
  package var edits: [ReminderEdit]
  package var policy: CapPolicy
  /// What the person has chosen in the app's settings before the story begins.
  package var preferences: [PreferenceChange]
  /// Counters that the app finds stored; nil for a fresh install.
  package var stored: GatewayState?
  /// Nil: where a tap leads is not modelled.
  package var links: LinkSetup?
  package var app: AppSetup
  /// What the product wants of it.
  package var gates: [Gate]

  package var timeline: Timeline
  package var recordings: [RecordingReference]
  package var expectations: [Expectation]

  /// What its plans made something else of; nil where there are none.
  package var authored: AuthoredParts?
  /// Only of a scenario as its author wrote it; see ``asAuthored``.
  package var plans: PlanSections?

  package init(
    file: String, sources: SourceFiles, packs: [String], title: String, description: String, start: Instant,
    end: Instant, endIsExplicit: Bool, zones: ZoneTable, zone: ZoneID, profile: Located<String>,
    knobs: [Knob], seed: UInt64, phone: PhoneSetup, devices: [DeviceDeclaration] = [],
    hasPlanner: Bool = true, person: PersonSetup? = nil, facts: [FactDeclaration], factSources: [String],
    apps: [String],
    places: [Place],
    reminders: [DeclaredReminder], edits: [ReminderEdit], policy: CapPolicy, preferences: [PreferenceChange],
    stored: GatewayState? = nil, links: LinkSetup? = nil, app: AppSetup, gates: [Gate], timeline: Timeline,
    recordings: [RecordingReference], expectations: [Expectation]
  ) {
    self.file = file
    self.sources = sources
    self.packs = packs
    self.title = title
    self.description = description
    self.start = start
    self.end = end
    self.endIsExplicit = endIsExplicit
    self.zones = zones
    self.zone = zone
    self.profile = profile
    self.knobs = knobs
    self.seed = seed
    self.phone = phone
    self.devices = devices
    self.hasPlanner = hasPlanner
    self.person = person
    self.facts = facts
    self.factSources = factSources
    self.apps = apps
    self.places = places
    self.reminders = reminders
    self.edits = edits
    self.policy = policy
    self.preferences = preferences
    self.stored = stored
    self.links = links
    self.app = app
    self.gates = gates
    self.timeline = timeline
    self.recordings = recordings
    self.expectations = expectations
  }
}

extension Scenario {
  /// The notification types in the order of their names, which decides between requests of one instant:
  /// the order of lines in the file must not. ``TriggerModel/TypeID`` is the position.
  package var types: [String] {
    // By position: who is handed a declaration takes a copy of it.
    let own = reminders.indices.lazy.map { reminders[$0].declaration.notification.type }
    return Set(own).union(edits.indices.lazy.map { edits[$0].declaration.notification.type }).sorted()
  }
}

/// One setting of a platform profile, not yet interpreted.
package struct Knob: Hashable, Sendable {
  package var name: String
  package var value: String
  package var position: SourcePosition

  package init(name: String, value: String, position: SourcePosition) {
    self.name = name
    self.value = value
    self.position = position
  }
}

extension Scenario {
  /// The story at length: `description` by a name that nothing else has.
  package var story: String { description }

  /// The person lets the app notify on no device.
  package mutating func denyNotifications() {
    phone.notifications = .denied
    for index in devices.indices { devices[index].setup.notifications = .denied }
  }
}

/// A device of the person beside the phone. Our app runs on it too, with the same declarations.
package struct DeviceDeclaration: Equatable, Sendable {
  /// The name of the device that every scenario has.
  package static let phone = "phone"
  /// Beside the phone.
  package static let limit = 15

  package var name: String
  package var profile: Located<String>
  package var knobs: [Knob]
  package var setup: PhoneSetup
  package var position: SourcePosition

  package init(
    name: String, profile: Located<String>, knobs: [Knob], setup: PhoneSetup, position: SourcePosition
  ) {
    self.name = name
    self.profile = profile
    self.knobs = knobs
    self.setup = setup
    self.position = position
  }
}

/// A typed value that the app knows.
package struct FactDeclaration: Hashable, Sendable {
  package var name: String
  package var kind: FactKind
  /// For facts of the kind `name` the names it can take: `FactValue.name(1)` is the second of them.
  package var names: [String]
  /// Its value at the start; `.missing` when the file gives none.
  package var initial: FactValue
  /// Where it comes from, and what the app takes for it when the user denies reading there.
  package var access: FactAccess
  /// What it is worth when the local day on which it was said is over; `.missing`: it lasts.
  package var dayEnd: FactValue
  package var position: SourcePosition

  package init(
    name: String, kind: FactKind, names: [String], initial: FactValue, access: FactAccess,
    dayEnd: FactValue = .missing, position: SourcePosition
  ) {
    self.name = name
    self.kind = kind
    self.names = names
    self.initial = initial
    self.access = access
    self.dayEnd = dayEnd
    self.position = position
  }
}

/// A circular region.
package struct Place: Hashable, Sendable {
  package var name: String
  package var center: Coordinate
  /// In metres, greater than 0 and finite.
  package var radius: Double
  package var position: SourcePosition

  package init(name: String, center: Coordinate, radius: Double, position: SourcePosition) {
    self.name = name
    self.center = center
    self.radius = radius
    self.position = position
  }
}

/// A reminder and where the file declares it.
package struct DeclaredReminder: Hashable, Sendable {
  package var declaration: ReminderDeclaration
  package var position: SourcePosition

  package init(declaration: ReminderDeclaration, position: SourcePosition) {
    self.declaration = declaration
    self.position = position
  }
}

/// A declaration that replaces a reminder when the time line says `edit REMINDER to NAME`.
package struct ReminderEdit: Hashable, Sendable {
  package var name: String
  package var reminder: ReminderID
  /// Its `id` is the reminder's.
  package var declaration: ReminderDeclaration
  package var position: SourcePosition

  package init(
    name: String, reminder: ReminderID, declaration: ReminderDeclaration, position: SourcePosition
  ) {
    self.name = name
    self.reminder = reminder
    self.declaration = declaration
    self.position = position
  }
}
