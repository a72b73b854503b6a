import CivilTime
import DeviceSimulation
import NotificationGateway
import ScenarioModel
package import TextFormats
import TriggerModel

extension Format<Scenario> {
  /// A scenario file. Sections that declare names are read before those that use the names, whatever their
  /// order in the file.
  static var scenario: Format {
    .object("A scenario of TriggerBench") { fields in
      _ = fields.required(
        "kind", .scalar(.choice("KIND", "scenario", [("scenario", true)])), "what this file is: scenario",
        from: { _ in true })
      _ = fields.required("version", .version, "the version of the format: 1", from: { _ in 1 })
      let title = fields.required("title", .scalar(.text), "the story in one line", from: \.title)
      let description = fields.optional(
        "description", .scalar(.text), "a description of the story", from: { $0.description.unlessEmpty })
      let intended = fields.optional(
        "intendedWarnings", .list(of: .located(.scalar(.text)), minimum: 1),
        "words of warnings that this scenario causes on purpose: they are not reported; "
          + "one that does not occur is reported", from: { $0.intendedWarnings.unlessEmpty })
      // This key is never written, because a written document contains the declarations of its packs.
      _ = fields.optional(
        "include", .include,
        "packs of declarations: the name of one that comes with the tool, a file, or a list of them; a file "
          + "whose name ends with .ndjson has reminders, a JSON object a line",
        from: { _ in nil })
      let span = ScenarioSpan.read(fields)
      var facts = Declarations.facts(fields)
      let declaredFacts = facts.count
      let plans = PlanDeclarations(fields, &facts)
      let apps = Declarations.apps(fields)
      let places = Declarations.places(fields)
      let setup = ScenarioSetup.read(fields)
      let devices = Declarations.devices(fields)
      let sync = Declarations.sync(fields, devices)
      var reminders = Declarations.reminders(fields)
      var edits = Declarations.edits(fields)
      let written = (reminders: reminders, edits: edits)
      plans.lock(&reminders, &edits, &facts)
      var links = Declarations.links(fields)
      var app = Declarations.app(fields)
      let gates = Declarations.gates(fields)
      let policy = fields.optional("policy", .policy, "the rules of the cap scheduler", from: \.policy)
      let preferences = fields.optional(
        "preferences", .preferences,
        "what the person has chosen in the app's settings before the story begins",
        from: { $0.preferences.unlessEmpty })
      let hasPlanner = fields.optional(
        "planner", .scalar(.choice("PLANNER", "on or off", [("on", true), ("off", false)])),
        "whether the app hands over only as many requests as the system keeps, the next due first: on or off; on if missing",
        from: { $0.hasPlanner ? nil : false })
      let person = fields.optional(
        "person", .person,
        "who responds to notifications that the time line does not tap, dismiss or ignore: "
          + "a person of the model tap-v1, whose random numbers are keyed by the names of reminders; nobody if missing",
        from: \.person)
      let stored = fields.optional(
        "stored", .storedCounters, "counters that the app finds stored when the story begins, by key",
        from: \.stored)
      let items = fields.optional(
        "timeline", .list(of: .located(.timelineItem)), "what happens, from top to bottom",
        from: { _ in fields.writer.flatMap { $0.holds(.timeline) ? TimelineWriter.items($0) : nil } })
      let expectations = expectations(fields)
      guard let span, let title, let expectations, let reader = fields.reader, !reader.hasErrors else {
        return nil
      }

      let timeline = TimelineReader(reader, start: span.start, zone: span.zone)
      for item in items ?? [] { timeline.add(item.value, at: item.position) }
      let end = timeline.finish(explicitEnd: span.end)
      if let links {
        Declarations.warnOfDeadEnds(reminders, links, reader)
      } else {
        refuseLinks(timeline.timeline, reader)
      }
      if sync == nil { Declarations.refuseSyncFaults(timeline.timeline, reader) }
      Declarations.warnOfPastDates(reminders, startingAt: span.date, expectations, reader)
      links?.opened = reader.names.links.all
      app.primings = reader.names.primings.all
      app.batches = reader.names.batches
      app.reminderLimit = plans.room
      let line = plans.apply(to: timeline.timeline, devices: devices.count + 1, until: end)
      if app.analytics == nil { Declarations.refuseConsent(timeline.timeline, reader) }
      var scenario = Scenario(
        file: reader.files.own.file, sources: reader.files, packs: reader.packs, title: title,
        description: description ?? "", start: span.start, end: end,
        endIsExplicit: span.end != nil, zones: reader.zones, zone: span.zone,
        profile: setup.profile ?? Located("ideal", at: fields.position), knobs: setup.knobs, seed: setup.seed,
        phone: setup.phone, devices: devices, hasPlanner: hasPlanner ?? true, person: person,
        facts: reader.names.factDeclarations.compactMap(\.self),
        factSources: reader.names.factSources.all,
        apps: apps,
        places: places, reminders: reminders, edits: edits, policy: policy ?? CapPolicy(),
        preferences: preferences ?? [], stored: stored, links: links, app: app, gates: gates,
        timeline: line,
        recordings: timeline.recordings,
        expectations: expectations)
      scenario.intendedWarnings = intended ?? []
      scenario.sync = sync
      if plans.room != nil {
        scenario.authored = AuthoredParts(
          sections: plans.sections(declaredFacts: declaredFacts), reminders: written.reminders,
          edits: written.edits, timeline: timeline.timeline)
      }
      return scenario
    }
  }

  /// Reads the expectations, which are optional in a document that is part of another file.
  private static func expectations(_ fields: Fields<Scenario>) -> [Expectation]? {
    let list = Format<[Expectation]>.list(of: .expectation, minimum: 1)
    let doc = "the list of expectations, at least one statement"
    func written(_ scenario: Scenario) -> [Expectation]? {
      fields.writer.flatMap { $0.holds(.expectations) ? scenario.expectations : nil }
    }
    guard fields.reader?.scenario.parts.contains(.expectations) ?? fields.writer?.holds(.expectations) ?? true
    else {
      return fields.optional("expect", list, doc, from: written) ?? []
    }
    return fields.required("expect", list, doc, from: written)
  }

  /// Reports link actions in a scenario without consumers.
  private static func refuseLinks(_ timeline: Timeline, _ reader: Reader) {
    for entry in timeline.entries {
      let concernsLinks = entry.actions.contains { action in
        if case .event(.openLink) = action { return true }
        if case .event(.linkFault) = action { return true }
        return false
      }
      if concernsLinks {
        reader.error(
          "this scenario has no consumer of links", at: entry.position, hint: "declare one under 'consumers'")
      }
    }
  }
}

extension Format<Int> {
  /// The version of the format, which is 1, as a number or as text.
  package static var version: Format {
    let number = Atom<Int>(
      name: "VERSION", meaning: "the version 1", pattern: "1", write: { version, _ in .integer(version) }
    ) { word, reader in
      guard word.text == "1" else {
        reader.error(
          "version '\(word.text)' of the format is not known", at: word.position,
          hint: "this release reads version 1")
        return nil
      }
      return 1
    }
    return Format(
      schema: { _ in ["enum": [1, "1"]] }, read: Format.scalar(number).read, write: number.write)
  }
}

/// The start, end and zone of a scenario.
struct ScenarioSpan {
  var start: Instant
  /// The start as a local date.
  var date: CivilDate
  var end: Instant?
  var zone: ZoneID

  static func read(_ fields: Fields<Scenario>) -> ScenarioSpan? {
    let zone = fields.required(
      "zone", .scalar(.zone), "the phone's time zone at the start, such as Europe/Berlin", from: \.zone)
    let reader = fields.reader
    if let zone, let reader { reader.scenario.startZone = reader.zones[zone] }
    let start = fields.required(
      "start", .scalar(.startTime), "the local date and time at which the story begins",
      from: { scenario in fields.writer.map { $0.local(scenario.start) } })
    reader?.scenario.startDate = start?.date
    reader?.scenario.startMinute = (start.map { Int($0.millisecondOfDay) } ?? 0) / 60_000
    let end = fields.optional(
      "end", .scalar(.dateTime), "the local date and time at which it ends",
      from: { scenario in
        fields.writer.flatMap {
          $0.statesEnd ? LocalDateTime(exactly: scenario.end, in: $0.known.startZone) : nil
        }
      })
    let length = fields.optional(
      "for", .scalar(.length), "how long it lasts, such as 14 days (local days) or 36 h (elapsed time)",
      from: { scenario in
        fields.writer.flatMap { $0.statesEnd ? .elapsed(scenario.end - scenario.start) : nil }
      })
    fields.exactlyOne(of: ["end", "for"], orNone: true)
    guard let reader, let zone, let start, let clock = reader.scenario.startZone else { return nil }
    guard !clock.skips(start.date) else {
      fields.error("\(clock.identifier) has no \(start.date.text): its clocks skipped that date", at: "start")
      return nil
    }
    let first = clock.instant(of: start.localTime)
    if clock.local(at: first) != start.localTime {
      reader.warning(
        "that time does not exist in \(clock.identifier), where clocks go forward",
        at: fields.position(of: "start"),
        hint: "\(Clock.text(clock.local(at: first).millisecondOfDay)) is used")
    }
    let last =
      end.map { clock.instant(of: $0.localTime) } ?? length.map { $0.end(from: start, first, in: clock) }
    if let last, last <= first {
      fields.error("the end is not after the start", at: end == nil ? "for" : "end")
    }
    return ScenarioSpan(start: first, date: start.date, end: last, zone: zone)
  }
}

/// The length of a scenario, as declared in the file.
enum ScenarioLength {
  case days(Int)
  case elapsed(TimeSpan)

  func end(from start: LocalDateTime, _ instant: Instant, in zone: Zone) -> Instant {
    switch self {
    case .days(let count):
      zone.instant(of: LocalTime(date: start.date + count, millisecondOfDay: start.millisecondOfDay))
    case .elapsed(let span): instant + span
    }
  }
}

extension Atom<ScenarioLength> {
  fileprivate static var length: Atom {
    let duration = Atom<TimeSpan>.duration
    return Atom(
      name: duration.name, meaning: duration.meaning, pattern: duration.pattern, write: write
    ) { word, reader in
      guard let span = duration.parse(word, reader) else { return nil }
      let unit = word.text.drop { !$0.isLetter }
      guard ["d", "day", "days", "week", "weeks"].contains(unit), span.milliseconds % 86_400_000 == 0 else {
        return .elapsed(span)
      }
      return .days(Int(span.milliseconds / 86_400_000))
    }
  }

  private static func write(_ length: ScenarioLength, _ writer: Writer) -> JSONValue {
    switch length {
    case .days(let count): .string("\(count) d")
    // Do not use days, because `2 d` would be parsed as calendar days.
    case .elapsed(let span): .string(Atom<TimeSpan>.text(span, withDays: false))
    }
  }
}

/// The setup of the phone and the seed.
struct ScenarioSetup {
  var profile: Located<String>?
  var knobs: [Knob]
  var seed: UInt64
  var phone: PhoneSetup

  static func read(_ fields: Fields<Scenario>) -> ScenarioSetup {
    var setup = device(fields, profile: \.profile, knobs: \.knobs, phone: \.phone)
    setup.seed =
      fields.optional("seed", .scalar(.seed), "chooses the random numbers; 0 if missing", from: \.seed) ?? 0
    return setup
  }

  /// Reads the keys that all devices have in common.
  static func device<Whole>(
    _ fields: Fields<Whole>, profile: (Whole) -> Located<String>?, knobs: (Whole) -> [Knob],
    phone: (Whole) -> PhoneSetup
  ) -> ScenarioSetup {
    let profile = fields.optional(
      "profile", .located(.scalar(.profile)), "the platform profile: ideal, ios or android; ideal if missing",
      from: profile)
    let knobs = fields.optional(
      "knobs", .knobs, "settings of the profile that differ from its defaults",
      from: { whole in
        knobs(whole).rows {
          TableRow(name: $0.name, position: $0.position, value: Located($0.value, at: $0.position))
        }
      })
    let phone = fields.optional(
      "phone", .phone, "the phone's initial state, and what its user has allowed",
      from: phone)
    return ScenarioSetup(
      profile: profile,
      knobs: (knobs ?? []).compactMap { row in
        row.value.map { Knob(name: row.name, value: $0.value, position: row.position) }
      }, seed: 0, phone: phone ?? PhoneSetup())
  }
}

extension Atom<String> {
  /// The name of a platform profile.
  fileprivate static var profile: Atom {
    let names = PlatformProfile.all.map(\.name)
    return .choice("PROFILE", "a platform profile", names.map { ($0, $0) })
  }
}

extension Writer {
  /// Returns whether the document contains a part of the scenario.
  fileprivate func holds(_ part: ScenarioParts) -> Bool { known.parts.contains(part) }

  /// Whether the document must state the end. This is the case if the file states it, or if there is no time
  /// line from which to derive it.
  fileprivate var statesEnd: Bool { known.scenario.endIsExplicit || !holds(.timeline) }
}
