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
  /// Compiles a scenario and reads its recordings.
  ///
  /// - Parameters:
  ///   - reach: The recordings that the scenario may read. If it is `nil`, the scenario may read the
  ///     recordings that were reachable when it was parsed, or else those that a file with its name can
  ///     reach.
  ///   - budget: The limits that the scenario must not exceed.
  ///   - lines: The events of an expanded scenario, which replace the time line, or `nil` to use the time
  ///     line.
  /// - Throws: A ``TextFormats/Diagnostic`` with the position in the scenario.
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
    for index in devices.indices where survey.devicesWithBatteryEvents.contains(device: UInt8(index)) {
      devices[index].isBatterySpecified = true
    }
    try Self.checkDates(of: scenario, until: end, survey.clocksAhead)
    self.init(
      scenario: scenario, reminders: reminders, policy: policy,
      devices: devices, links: links, app: try Self.app(of: scenario, reminders),
      person: scenario.person.map { CompiledPerson($0, scenario, devices, reminders, survey) },
      events: events, end: end,
      imports: loader.reports, warnings: loader.warnings + AttachmentWarnings.warnings(scenario, devices),
      origin: ProgramOrigin(reach: reach, budget: budget, lines: lines))
  }

  /// Compiles another scenario with the same recordings, limits and lines.
  package func recompiled(for scenario: Scenario) throws(Diagnostic) -> Program {
    try Program(scenario, in: origin.reach, within: origin.budget, lines: origin.lines)
  }

  /// Checks the number of events before the compiler expands the time line.
  ///
  /// - Returns: An upper bound on the number of events.
  private static func checkLength(
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
      "this line brings the run to more than \(budget.events) events", at: position,
      hint: "make it repeat less often or end earlier, or raise the limit with --max-events")
  }

  /// Throws an error if an expectation names a date that the phone never shows. The engine could not affect
  /// the result of such an expectation.
  ///
  /// - Parameter clocksAhead: The offsets that the time line applies to clocks.
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
          "the run does not contain \(date.iso8601)", at: expectation.position,
          hint: "the run lasts from \(first.iso8601) to \(last.iso8601)")
      }
      // Local times repeat or are skipped around a change of the offset.
      let changes = zones.contains { $0.offset(at: scenario.start) != $0.offset(at: end) }
      if changes { continue }
      let local = zones.flatMap { zone in
        ahead.map { (zone.local(at: scenario.start + $0), zone.local(at: end + $0)) }
      }
      for occasion in expectation.occasions
      where !local.contains(where: { occasion.touches(from: $0.0, until: $0.1) }) {
        throw scenario.sources.diagnostic(
          "the run does not contain this time", at: expectation.position,
          hint: "the run lasts from \(local[0].0.words) until \(local[local.count - 1].1.words)")
      }
    }
  }

  /// Returns the phone, followed by the person's other devices.
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

  /// Returns the platform's rules and the regions. Throws an error if the platform cannot monitor the
  /// regions.
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
        names: DrawNames(
          regions: scenario.places.map(\.name), apps: scenario.apps,
          reminders: scenario.reminders.map(\.declaration.id)),
        linksElsewhere: linksElsewhere(scenario), refused: AttachmentWarnings.refused(scenario, settings))
      _ = try PlaceWatch(blueprint)
      return blueprint
    } catch {
      throw scenario.sources.diagnostic(error.description, at: position)
    }
  }

  /// Returns the links on the time line that open another app or none.
  private static func linksElsewhere(_ scenario: Scenario) -> Set<LinkID> {
    guard let links = scenario.links else { return [] }
    let registry = links.registry
    return Set(links.opened.indices.filter { !registry.opensApp(links.opened[$0]) }.map { LinkID($0) })
  }

  /// Returns the compiled links, or `nil` if the scenario does not model links.
  private static func links(
    of scenario: Scenario, _ reminders: ReminderProgram
  ) throws(Diagnostic) -> CompiledLinks? {
    guard let setup = scenario.links else { return nil }
    do throws(ConsumerRegistry.Collision) {
      return try CompiledLinks(
        setup, declarations: reminders.declarations, reminderCount: reminders.reminderCount)
    } catch {
      let position = setup.consumers.first { $0.consumer.id == error.refused }?.position
      throw scenario.sources.diagnostic(error.description, at: position)
    }
  }

  /// Returns the compiled app setup. It refers to the names of the reminder program.
  private static func app(
    of scenario: Scenario, _ reminders: ReminderProgram
  ) throws(Diagnostic) -> CompiledApp {
    do throws(ReminderCompileError) {
      return try CompiledApp(
        scenario.app, reminders: reminders.declarations, count: reminders.reminderCount,
        names: reminders.names, reminderLimit: CompiledReminderLimit(scenario))
    } catch {
      throw scenario.sources.diagnostic(error.description, at: nil)
    }
  }

  /// Returns the scenario's platform profile with the scenario's overrides.
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

  /// Merges the events of the time line and of the recordings. At equal instants, the time line precedes the
  /// recordings, and the recordings keep their order.
  ///
  /// - Parameters:
  ///   - scenario: The scenario. The recorded initial states of its devices are added to it and to `devices`.
  ///   - completes: Whether recordings provide initial states.
  private static func events(
    of scenario: inout Scenario, _ devices: inout [ProgramDevice], _ loader: inout RecordingLoader,
    _ range: Range<Instant>, _ completes: Bool, _ budget: RunBudget
  ) throws(Diagnostic) -> (survey: EventSurvey, events: ProgramEvents) {
    let most = try checkLength(of: scenario, until: range.upperBound, recorded: loader.count, budget)
    let stream = TimelineStream(
      scenario.timeline, from: range.lowerBound, to: range.upperBound, zones: scenario.zones)
    let line = most <= budget.held ? EventSource.held(stream.map { ProgramEvent($0) }) : .timeline(stream)
    var survey = loader.survey
    var initialStates = loader.initialStates
    for event in ProgramEvents(EventMerge([line], in: range), count: 0) {
      survey.note(event)
      initialStates[Int(event.device)].declare(event.event, at: event.instant)
    }
    var sources = [line] + loader.takeSources()
    if completes, !scenario.recordings.isEmpty {
      let complete = complete(&scenario, &devices, initialStates)
      for event in complete { survey.note(event) }
      sources.append(.held(complete))
    }
    let merge = EventMerge(sources, in: range)
    let all = ProgramEvents(merge, count: survey.count)
    if survey.count <= budget.held {
      var held: [ProgramEvent] = []
      var cursor = all.makeIterator()
      while let event = cursor.next() { held.append(event) }
      if let problem = cursor.problem { throw scenario.sources.diagnostic(problem.description, at: nil) }
      TapEnds.mark(&held)
      return (survey, ProgramEvents(held))
    }
    if !survey.hasTaps { return (survey, all) }
    return (
      survey, ProgramEvents(EventMerge(sources, in: range, ends: TapEnds(all)), count: survey.count)
    )
  }

  /// Adds the initial states that the scenario does not declare, taken from the devices' recordings.
  ///
  /// - Returns: Events at the start of the run. A recorded battery level applies until the next recorded
  ///   level.
  private static func complete(
    _ scenario: inout Scenario, _ devices: inout [ProgramDevice], _ initialStates: [RecordedInitialState]
  ) -> [ProgramEvent] {
    var initialStates = initialStates
    var events: [ProgramEvent] = []
    for device in devices.indices {
      if let fix = RouteCursor(devices[device].route).fix {
        initialStates[device].record(.found(fix), at: fix.instant)
      }
      let declared = devices[device].setup.beginning
      let complete = initialStates[device].completing(declared)
      devices[device].setup.beginning = complete
      if device == 0 {
        scenario.phone.beginning = complete
      } else {
        scenario.devices[device - 1].setup.beginning = complete
      }
      let recording = scenario.recordings.first { Int($0.device) == device }
      if declared.level == nil, let level = complete.level, let recording {
        events.append(
          ProgramEvent(
            instant: scenario.start, event: .batteryLevel(level), device: UInt8(device),
            position: recording.position))
      }
    }
    return events
  }
}

extension Expectation {
  /// The dates that the expectation names.
  fileprivate var dates: [CivilDate] { occasions.compactMap(\.date) }

  /// The occasions that the expectation names.
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
  /// Returns whether the occasion overlaps a range of local time, regardless of the offset from UTC.
  fileprivate func touches(from start: LocalTime, until end: LocalTime) -> Bool {
    guard let time else { return true }
    // A window without a date covers each of its days. The window of the previous day may extend into the
    // first day.
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
  /// The number of milliseconds since 1970, as if every day had 24 hours.
  fileprivate var sinceEpoch: Int64 { Int64(date.dayNumber) * 86_400_000 + Int64(millisecondOfDay) }

  /// "2026-03-02 07:00"
  fileprivate var words: String { "\(date.iso8601) \(MinuteOfDay.text(Int(millisecondOfDay / 60_000)))" }
}

/// The inputs of the compiler other than the scenario.
package struct ProgramOrigin: Sendable {
  /// The recordings that the scenario may reference.
  package var reach: ReachableFiles
  package var budget = RunBudget()
  /// The events of an expanded scenario, or `nil` to use the time line.
  package var lines: ExpandedLines?
}

/// Finds attachments that a platform rejects.
enum AttachmentWarnings {
  /// Returns the reminders whose requests the platform rejects because of their attachment.
  static func refused(_ scenario: Scenario, _ settings: ProfileSettings) -> Set<ReminderID> {
    let all = scenario.reminders.indices.filter { index in
      let attachment = scenario.reminders[index].declaration.notification.attachment
      return attachment.map { !settings.takes($0) } ?? false
    }
    return Set(all.map { ReminderID($0) })
  }

  /// Returns a warning for each reminder with an attachment that at least one device rejects.
  static func warnings(_ scenario: Scenario, _ devices: [ProgramDevice]) -> [Diagnostic] {
    scenario.reminders.enumerated().compactMap { index, reminder in
      guard let attachment = reminder.declaration.notification.attachment,
        let device = devices.first(where: { $0.blueprint.refused.contains(ReminderID(index)) }),
        let limit = device.blueprint.settings.attachmentLimit(attachment.kind)
      else { return nil }
      return scenario.sources.diagnostic(
        "the system refuses '\(reminder.declaration.id)': its attachment is \(attachment.words), but the limit "
          + "for that kind is \(limit) MB",
        severity: .warning, at: reminder.position,
        hint: "attach a smaller file; 'triggerbench rules' shows 'attachmentsLimited' with its source")
    }
  }
}
