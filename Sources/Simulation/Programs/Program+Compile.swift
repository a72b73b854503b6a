import CivilTime
package import DeviceSimulation
import Geofencing
import Journal
import NotificationGateway
import Recordings
import ReminderMatching
package import ScenarioModel
package import TextFormats
import TriggerModel

extension Program {
  /// Compiles a scenario: resolves what is left to resolve, and reads its recordings.
  ///
  /// - Parameters:
  ///   - reach: The recordings that it may name; nil: those that it could name when it was read, or that a file
  ///     of its name could.
  ///   - budget: More than that it may not ask for.
  ///   - lines: What happens, where that is not the scenario's own time line.
  /// - Throws: A ``TextFormats/Diagnostic`` that points at the line of the scenario.
  package convenience init(
    _ scenario: Scenario, in reach: ReachableFiles? = nil, within budget: RunBudget = RunBudget(),
    lines: ExpandedLines? = nil
  ) throws(Diagnostic) {
    let reach = reach ?? scenario.sources.reach ?? ReachableFiles(of: scenario.file)
    let reminders: ReminderProgram
    let policy: CompiledCapPolicy
    do throws(ReminderCompileError) {
      reminders = try ReminderProgram(
        compiling: scenario.reminders.map(\.declaration), edits: scenario.edits.map(\.declaration),
        names: EngineNames(
          apps: scenario.apps, regions: scenario.places.map(\.name), facts: scenario.facts.map(\.name),
          types: scenario.types,
          dayEnds: Dictionary(
            scenario.facts.filter { !$0.dayEnd.isMissing }.map { ($0.name, $0.dayEnd) },
            uniquingKeysWith: { first, _ in first }),
          dates: Set(scenario.facts.filter { $0.kind == .date }.map(\.name)),
          circles: scenario.places.map { RegionCircle(center: $0.center, radius: $0.radius) }),
        weekStart: scenario.policy.weekStart)
    } catch {
      let position = scenario.reminders.first { $0.declaration.id == error.reminder }?.position
      throw scenario.sources.diagnostic(error.description, at: position)
    }
    do throws(CapPolicyError) {
      policy = try CompiledCapPolicy(scenario.policy, types: reminders.names.types)
    } catch {
      throw scenario.sources.diagnostic("policy: \(error)", at: nil)
    }
    var devices = try Self.devices(of: scenario)
    let links = try Self.links(of: scenario, reminders)
    var loader = RecordingLoader(
      scenario, names: WireNames(scenario, reminders, links: links), reach: reach, within: budget)
    for recording in scenario.recordings {
      do throws(RecordingError) {
        try loader.load(recording)
      } catch {
        throw scenario.sources.diagnostic(error.description, at: recording.position)
      }
      try Self.checkCount(loader.count, in: budget, of: scenario, at: recording.position)
    }
    if let lines {
      do throws(RecordingError) {
        try loader.load(lines)
      } catch {
        throw Diagnostic(error.description, file: lines.lines.bytes.file)
      }
      try Self.checkCount(loader.count, in: budget, of: scenario, at: nil)
    }
    var scenario = scenario
    for journey in loader.journeys { scenario.timeline.addJourney(to: journey.zone, at: journey.instant) }
    var end = scenario.end
    if !scenario.endIsExplicit, let last = loader.last {
      let zone = scenario.zones[scenario.timeline.zone(at: last)]
      end = max(end, zone.startOfDay(zone.local(at: last).date + 1))
    }
    let range = scenario.start..<max(scenario.start, end)
    do throws(RecordingError) {
      for (device, route) in try loader.takeRoutes(in: range).enumerated() { devices[device].route = route }
    } catch {
      throw scenario.sources.diagnostic(error.description, at: nil)
    }
    let (survey, events) = try Self.events(of: &scenario, &devices, &loader, range, lines == nil, budget)
    for index in devices.indices where survey.batteriesTold.contains(device: UInt8(index)) {
      devices[index].isBatteryTold = true
    }
    try Self.checkDates(of: scenario, until: end, survey.clocksAhead)
    self.init(
      scenario: scenario, reminders: reminders, policy: policy,
      devices: devices, links: links, app: try Self.app(of: scenario, reminders),
      person: scenario.person.map { PersonBook($0, scenario, devices, reminders, survey) },
      events: events, end: end,
      imports: loader.reports, warnings: loader.warnings + AttachmentAdvice.warnings(scenario, devices),
      origin: ProgramOrigin(reach: reach, budget: budget, lines: lines))
  }

  /// Compiles another scenario in the place of this one: what is recorded beside it stays.
  package func recompiled(for scenario: Scenario) throws(Diagnostic) -> Program {
    try Program(scenario, in: origin.reach, within: origin.budget, lines: origin.lines)
  }

  /// Counts what the time line says before any of it is written out.
  ///
  /// - Returns: How many events there are at most.
  static func checkLength(
    of scenario: Scenario, until end: Instant, recorded: Int, _ budget: RunBudget
  ) throws(Diagnostic) -> Int {
    var count = recorded
    for entry in scenario.timeline.entries {
      var times = 1
      if case .repeated(let repetition) = entry.timing {
        times = Int(clamping: repetition.highestCount(in: end - scenario.start))
      }
      let (more, isTooMany) = times.multipliedReportingOverflow(by: entry.actions.count)
      count = isTooMany || more > Int.max - count ? .max : count + more
      try checkCount(count, in: budget, of: scenario, at: entry.position)
    }
    return count
  }

  private static func checkCount(
    _ count: Int, in budget: RunBudget, of scenario: Scenario, at position: SourcePosition?
  ) throws(Diagnostic) {
    if count <= budget.events { return }
    throw scenario.sources.diagnostic(
      "with this, more than \(budget.events) events happen", at: position,
      hint: "let it repeat less often or end sooner, or allow more with --max-events")
  }

  /// An expectation about a date that the phone never shows would hold, or fail, for nothing.
  ///
  /// - Parameter clocksAhead: How far ahead clocks are set.
  private static func checkDates(
    of scenario: Scenario, until end: Instant, _ clocksAhead: [TimeSpan]
  ) throws(Diagnostic) {
    let ahead = [.zero] + clocksAhead
    let last = end - TimeSpan(milliseconds: 1)
    let zones = scenario.timeline.stays.map { scenario.zones[$0.zone] }
    let firsts = zones.flatMap { zone in ahead.map { zone.local(at: scenario.start + $0).date } }
    let lasts = zones.flatMap { zone in ahead.map { zone.local(at: last + $0).date } }
    guard let first = firsts.min(), let last = lasts.max() else { return }
    for expectation in scenario.expectations {
      for date in expectation.dates where date < first || date > last {
        throw scenario.sources.diagnostic(
          "the run has no \(date.iso8601)", at: expectation.position,
          hint: "it lasts from \(first.iso8601) to \(last.iso8601)")
      }
      // Where clocks are changed in between, local times go back or are left out.
      let changes = zones.contains { $0.offset(at: scenario.start) != $0.offset(at: end) }
      if changes { continue }
      let local = zones.flatMap { zone in
        ahead.map { (zone.local(at: scenario.start + $0), zone.local(at: end + $0)) }
      }
      for occasion in expectation.occasions
      where !local.contains(where: { occasion.touches(from: $0.0, until: $0.1) }) {
        throw scenario.sources.diagnostic(
          "the run never comes to this time", at: expectation.position,
          hint: "it lasts from \(local[0].0.words) until \(local[local.count - 1].1.words)")
      }
    }
  }

  /// The phone, and the devices beside it.
  private static func devices(of scenario: Scenario) throws(Diagnostic) -> [ProgramDevice] {
    let own = try profile(of: scenario)
    var devices = [
      ProgramDevice(
        name: DeviceDeclaration.phone, on: own.system, blueprint: try blueprint(own.settings, scenario),
        setup: scenario.phone, route: Route())
    ]
    for device in scenario.devices {
      let profile = try profile(device.profile, device.knobs, of: scenario)
      devices.append(
        ProgramDevice(
          name: device.name, on: profile.system, blueprint: try blueprint(profile.settings, scenario),
          setup: device.setup, route: Route()))
    }
    return devices
  }

  /// The platform's rules, and the regions, which must be ones that it can watch.
  private static func blueprint(
    _ settings: ProfileSettings, _ scenario: Scenario
  ) throws(Diagnostic) -> PhoneBlueprint {
    var regions: [CircularRegion] = []
    var position: SourcePosition?
    do throws(RegionProblem) {
      for (index, place) in scenario.places.enumerated() {
        position = place.position
        regions.append(
          try CircularRegion(id: RegionID(index), center: place.center, radius: place.radius))
      }
      let blueprint = PhoneBlueprint(
        settings: settings, zones: scenario.zones, regions: try RegionTable(regions),
        appCount: scenario.apps.count, facts: scenario.facts.map(\.access),
        names: LuckNames(
          regions: scenario.places.map(\.name), apps: scenario.apps,
          reminders: scenario.reminders.map(\.declaration.id)),
        linksElsewhere: linksElsewhere(scenario), refused: AttachmentAdvice.refused(scenario, settings))
      _ = try PlaceWatch(blueprint)
      return blueprint
    } catch {
      throw scenario.sources.diagnostic(error.description, at: position)
    }
  }

  /// Those of the links that the time line opens that are not the app's.
  private static func linksElsewhere(_ scenario: Scenario) -> Set<LinkID> {
    guard let links = scenario.links else { return [] }
    let registry = links.registry
    return Set(links.opened.indices.filter { !registry.opensApp(links.opened[$0]) }.map { LinkID($0) })
  }

  /// Who handles links, if the scenario says so.
  private static func links(
    of scenario: Scenario, _ reminders: ReminderProgram
  ) throws(Diagnostic) -> LinkBook? {
    guard let setup = scenario.links else { return nil }
    do throws(ConsumerRegistry.Collision) {
      return try LinkBook(
        setup, declarations: reminders.declarations, reminderCount: reminders.reminderCount)
    } catch {
      let position = setup.consumers.first { $0.consumer.id == error.refused }?.position
      throw scenario.sources.diagnostic(error.description, at: position)
    }
  }

  /// What the app does beside its notifications; its names are those of the reminders.
  private static func app(
    of scenario: Scenario, _ reminders: ReminderProgram
  ) throws(Diagnostic) -> AppBook {
    do throws(ReminderCompileError) {
      return try AppBook(
        scenario.app, reminders: reminders.declarations, count: reminders.reminderCount,
        names: reminders.names, room: RoomBook(scenario))
    } catch {
      throw scenario.sources.diagnostic(error.description, at: nil)
    }
  }

  /// The scenario's profile, with the rules that it sets itself.
  package static func profile(of scenario: Scenario) throws(Diagnostic) -> PlatformProfile {
    try profile(scenario.profile, scenario.knobs, of: scenario)
  }

  private static func profile(
    _ name: Located<String>, _ knobs: [Knob], of scenario: Scenario
  ) throws(Diagnostic) -> PlatformProfile {
    var position: SourcePosition? = name.position
    do throws(RuleError) {
      var profile = try PlatformProfile.named(name.value)
      for knob in knobs {
        position = knob.position
        try profile.override(knob.name, with: knob.value)
      }
      return profile
    } catch {
      throw scenario.sources.diagnostic(error.description, at: position)
    }
  }
}

extension Expectation {
  /// The dates that it names.
  fileprivate var dates: [CivilDate] { occasions.compactMap(\.date) }

  /// When what it speaks of happens.
  fileprivate var occasions: [Occasion] {
    switch claim {
    case .fires(_, _, let occasion), .ends(_, _, _, let occasion), .shows(_, _, _, let occasion): [occasion]
    case .exact(let fires): fires.map(\.occasion)
    case .app(let claim): [claim.occasion]
    case .view(let claim): [claim.occasion]
    case .metric, .gate, .only: []
    }
  }
}

extension Occasion {
  /// Whether some moment of a stretch of local time lies in it, whatever the offset is then.
  fileprivate func touches(from start: LocalTime, until end: LocalTime) -> Bool {
    guard let time else { return true }
    // Any whole day has every time of the day; the window of the day before may reach into the first.
    let days =
      date.map { $0.dayNumber...$0.dayNumber } ?? start.date.dayNumber
      - 1...max(start.date.dayNumber, end.date.dayNumber)
    return days.contains { day in
      let midnight = Int64(day) * 86_400_000
      let wraps: Int64 = time.from < time.to ? 0 : 86_400_000
      return midnight + Int64(time.from) < end.sinceEpoch
        && midnight + Int64(time.to) + wraps > start.sinceEpoch
    }
  }
}

extension LocalTime {
  /// In milliseconds, as if every day had 24 hours.
  fileprivate var sinceEpoch: Int64 { Int64(date.dayNumber) * 86_400_000 + Int64(millisecondOfDay) }

  /// "2026-03-02 07:00"
  fileprivate var words: String { "\(date.iso8601) \(MinuteOfDay.text(Int(millisecondOfDay / 60_000)))" }
}

/// What a program is compiled from beside its scenario.
package struct ProgramOrigin: Sendable {
  /// The recordings that its scenario may name.
  package var reach: ReachableFiles
  package var budget: RunBudget
  /// What happens, where that is not the scenario's own time line.
  package var lines: ExpandedLines?

  package init(
    reach: ReachableFiles, budget: RunBudget = RunBudget(), lines: ExpandedLines? = nil
  ) {
    self.reach = reach
    self.budget = budget
    self.lines = lines
  }
}
