package import CivilTime
package import DeviceSimulation
package import NotificationGateway
package import ReminderMatching
package import TextFormats
package import TriggerModel

/// A validated scenario whose names are resolved and that has not been run yet.
///
/// An identifier is an index into one of the lists below, in the order of the file. For example,
/// `ReminderID(2)` identifies `reminders[2]`. The same applies to apps, places (`RegionID`) and facts.
public struct Scenario: Equatable, Sendable {
  /// The path of the file, as the caller passed it.
  package var file: String
  /// The source texts to which positions refer.
  package var sources: SourceFiles
  /// The names of the included packs, as written.
  package var packs: [String]
  /// The story of the scenario in one line.
  package var title: String
  package var description: String
  /// The texts of warnings that the author expects.
  package var intendedWarnings: [Located<String>] = []

  /// The start of simulation time.
  package var start: Instant
  /// The end of the run, exclusive.
  package var end: Instant
  /// Whether the file declares ``end``. Otherwise the run ends with the local day of the last entry, and the
  /// compiler extends it to cover recordings.
  package var endIsExplicit: Bool
  /// The zones that the file names. The phone starts in ``zone``.
  package var zones: ZoneTable
  package var zone: ZoneID

  package var profile: Located<String>
  /// The overrides of the platform profile, which the profile validates.
  package var knobs: [Knob]
  package var seed: UInt64
  package var phone: PhoneSetup
  /// The person's other devices.
  package var devices: [DeviceDeclaration] = []
  /// The sync service, or `nil` if the devices share nothing.
  package var sync: SyncSetup?
  /// Whether the app under test respects the system's limits by adding only the requests that are due first.
  /// If `false`, it ignores the limits.
  package var hasPlanner: Bool
  /// The person model, or `nil` if responses come only from the time line.
  package var person: PersonSetup?

  package var facts: [FactDeclaration]
  /// The sources of facts. A ``DeviceSimulation/FactSourceID`` is an index into this list.
  package var factSources: [String]
  package var apps: [String]
  package var places: [Place]
  package var reminders: [DeclaredReminder]
  /// The edits of reminders on the time line.
  package var edits: [ReminderEdit]
  package var policy: CapPolicy
  /// The person's choices in the app's settings at the start.
  package var preferences: [PreferenceChange]
  /// The counters in the app's store, or `nil` for a new installation.
  package var stored: GatewayState?
  /// The link setup, or `nil` if routing is not modelled.
  package var links: LinkSetup?
  package var app: AppSetup
  /// The product goals.
  package var gates: [Gate]

  package var timeline: Timeline
  package var recordings: [RecordingReference]
  package var expectations: [Expectation]

  /// The original parts, before plans changed them, or `nil` if there are no plans.
  package var authored: AuthoredParts?
  /// The plans, if this is the scenario as its author wrote it (``asAuthored``); otherwise, `nil`.
  package var plans: PlanSections?

  package init(
    file: String, sources: SourceFiles, packs: [String], title: String, description: String, start: Instant,
    end: Instant, endIsExplicit: Bool, zones: ZoneTable, zone: ZoneID, profile: Located<String>,
    knobs: [Knob], seed: UInt64, phone: PhoneSetup, devices: [DeviceDeclaration] = [],
    hasPlanner: Bool = true, person: PersonSetup? = nil, facts: [FactDeclaration], factSources: [String],
    apps: [String], places: [Place], reminders: [DeclaredReminder], edits: [ReminderEdit], policy: CapPolicy,
    preferences: [PreferenceChange],
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
  /// The notification types, in the order of their names. A ``TriggerModel/TypeID`` is an index into this
  /// list.
  ///
  /// The order decides between simultaneous requests. Types are ordered by name so that reordering the file
  /// has no effect.
  package var types: [String] {
    // Iterate by index, because iterating over the elements would copy each declaration.
    let own = reminders.indices.lazy.map { reminders[$0].declaration.notification.type }
    return Set(own).union(edits.indices.lazy.map { edits[$0].declaration.notification.type }).sorted()
  }
}

/// An override of one value of a platform profile, not interpreted yet.
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
  /// The complete description of the story.
  package var story: String { description }

  /// Denies the notification permission on all devices.
  package mutating func denyNotifications() {
    phone.notifications = .denied
    for index in devices.indices { devices[index].setup.notifications = .denied }
  }
}

/// Another device of the person. The app under test has the same declarations on it.
package struct DeviceDeclaration: Equatable, Sendable {
  /// The name of the phone, which every scenario has.
  package static let phone = "phone"
  /// The maximum number of other devices.
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

/// A typed value that the app can read.
package struct FactDeclaration: Hashable, Sendable {
  package var name: String
  package var kind: FactKind
  /// The possible values of a fact of the kind `name`. `FactValue.name(1)` is the second value.
  package var names: [String]
  /// The value at the start, or `.missing` if the file declares none.
  package var initial: FactValue
  /// The source of the fact, and the value that the app reads if the user denies access.
  package var access: FactAccess
  /// The value to which the fact is reset at the end of the local day on which it was set, or `.missing` if
  /// the fact keeps its value.
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
  /// Returns the name of the fact that holds the instant since which the app has observed the phone inside a
  /// place. The fact has no value outside. Such a fact exists only if the file mentions it.
  package static func entered(_ place: String) -> String { "\(place).entered" }

  package var name: String
  package var center: Coordinate
  /// The radius in metres, finite and greater than 0.
  package var radius: Double
  package var position: SourcePosition

  package init(name: String, center: Coordinate, radius: Double, position: SourcePosition) {
    self.name = name
    self.center = center
    self.radius = radius
    self.position = position
  }
}

/// A reminder and its position in the file.
package struct DeclaredReminder: Hashable, Sendable {
  package var declaration: ReminderDeclaration
  package var position: SourcePosition

  package init(declaration: ReminderDeclaration, position: SourcePosition) {
    self.declaration = declaration
    self.position = position
  }
}

/// A declaration that replaces that of a reminder, for `edit REMINDER to NAME` on the time line.
package struct ReminderEdit: Hashable, Sendable {
  package var name: String
  package var reminder: ReminderID
  /// The new declaration. Its `id` is the reminder's.
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

extension Scenario {
  /// Returns the warnings that the author did not expect.
  package func unintended(_ warnings: [Diagnostic]) -> [Diagnostic] {
    if intendedWarnings.isEmpty { return warnings }
    return warnings.filter { warning in
      warning.severity == .error || !intendedWarnings.contains { warning.message.contains($0.value) }
    }
  }

  /// Returns the warnings to report for a run: all unexpected warnings, and a warning for each expected one
  /// that did not occur.
  package func judged(_ warnings: [Diagnostic]) -> [Diagnostic] {
    let missing = intendedWarnings.filter { intended in
      !warnings.contains { $0.message.contains(intended.value) }
    }
    return unintended(warnings)
      + missing.map { intended in
        sources.diagnostic(
          "no warning contains '\(intended.value)'", severity: .warning, at: intended.position,
          hint: "remove it from 'intendedWarnings'")
      }
  }
}

extension ReminderDeclaration {
  /// The names of the facts in the triggers, schedule, conditions and withdrawals. They may contain
  /// duplicates.
  package var factNames: [String] {
    let waitedFor = triggers.compactMap { trigger in
      if case .factChanged(let name) = trigger { name } else { trigger.countsFrom }
    }
    let conditions = conditions.compactMap { if case .fact(let fact) = $0 { fact } else { nil } }
    return waitedFor + (conditions + withdrawals).flatMap(\.facts)
  }
}

extension FactCondition {
  fileprivate var facts: [String] {
    switch quantity {
    case .value(let name), .age(let name), .days(let name), .time(let name): [name]
    case .ratio(let first, let second): [first, second]
    }
  }
}
