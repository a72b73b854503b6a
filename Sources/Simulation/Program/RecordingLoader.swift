import ScenarioModel
import TextFormats
import DeviceSimulation
import Foundation
import Journal
import Recordings
import TriggerModel

/// Turns the recordings that a scenario names into events, and fixes into a route.
struct RecordingLoader {
  /// The folder of the scenario's file.
  private let folder: URL
  private let scenario: Scenario
  private let names: WireNames
  private(set) var events: [ProgramEvent] = []
  /// By device.
  private(set) var routes: [Route]
  private(set) var reports: [ImportReport] = []

  init(_ scenario: Scenario, names: WireNames, folder: URL) {
    self.scenario = scenario
    self.names = names
    self.folder = folder
    routes = Array(repeating: Route(), count: scenario.devices.count + 1)
  }

  mutating func load(_ reference: RecordingReference) throws(RecordingError) {
    switch reference.source {
    case .gpx(let file):
      let rules = FixRules(maximumAccuracy: reference.accuracyLimit)
      let recording = try GPXReader.read(data(file), file: file, options: GPXReader.Options(rules: rules))
      let shift = shift(of: reference, first: recording.trace.fixes.first?.instant)
      routes[Int(reference.device)].add(recording.trace, movedBy: shift, reference.position)
      reports.append(ImportReport(summary: recording.summary, derivations: []))
    case .ndjson(let file):
      try loadLines(data(file), file, reference)
    case .aware(let battery, let screen):
      if let battery { try loadBattery(battery, reference) }
      if let screen { try loadScreen(screen, reference) }
    }
  }

  private func data(_ file: String) throws(RecordingError) -> Data {
    let url = folder.appendingPathComponent(file)
    if let problem = RegularFile.problem(url.path) {
      throw RecordingError(.unreadable, file: file, problem, remedy: "name a file that holds the recording")
    }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw RecordingError(
        .unreadable, file: file, "cannot be read", remedy: "check that the file exists and may be read")
    }
  }

  // MARK: Lines of JSON

  /// What an expanded scenario says happens, in place of a time line and recordings.
  mutating func load(_ lines: ExpandedLines) throws(RecordingError) {
    let reference = RecordingReference(
      source: .ndjson(lines.file), startsAt: nil, accuracyLimit: nil, chargingColumn: .adaptor,
      position: .start)
    try loadLines(lines.data, lines.file, reference)
    reports = lines.imports
  }

  private mutating func loadLines(
    _ data: Data, _ file: String, _ reference: RecordingReference
  ) throws(RecordingError) {
    let rules = FixRules(maximumAccuracy: reference.accuracyLimit)
    var reader = JournalReader(names)
    // What a line leaves out of its stamp plays no part in what happens.
    let stamp = RecordStamp(
      device: reference.device, instant: scenario.start,
      moment: Moment(
        wall: scenario.start, uptime: Uptime(boot: 0, span: .zero), zone: scenario.zone))
    let stream = try EventStreamReader.read(data, file: file, rules: rules) {
      (scanner) throws(ScanProblem) -> (Instant, JournalRecord) in
      do throws(WireProblem) {
        let record = try reader.read(&scanner, as: .timeLine(stamp))
        return (record.instant, record)
      } catch {
        throw error.scanProblem
      }
    }
    let first = [stream.trace.fixes.first?.instant, stream.events.first?.instant].compactMap(\.self).min()
    let shift = shift(of: reference, first: first)
    routes[Int(reference.device)].add(stream.trace, movedBy: shift, reference.position)
    for event in stream.events {
      guard case .happened(let happened) = event.payload.body else { continue }
      events.append(
        ProgramEvent(
          instant: event.instant + shift, event: happened.moved(by: shift, scenario.facts),
          device: event.payload.stamp.device, position: reference.position))
    }
    reports.append(ImportReport(summary: stream.summary, derivations: []))
  }

  // MARK: AWARE tables

  private mutating func loadBattery(_ file: String, _ reference: RecordingReference) throws(RecordingError) {
    let table = try AwareReader.battery(data(file), file: file)
    let chosen: ChargingRule = reference.chargingColumn == .adaptor ? .adaptor : .status
    let shift = shift(of: reference, first: table.rows.first?.instant)
    for change in table.changes(chosen) {
      let event: PhoneEvent =
        switch change.kind {
        case .chargingStarted: .plugIn
        case .chargingStopped: .unplug
        case .level: .batteryLevel(Int32(change.row.level) * 10)
        case .shutdown: .powerOff
        case .reboot: .powerOn
        }
      append(event, at: change.row.instant + shift, reference)
    }
    let counts = ChargingRule.allCases.map { rule in
      ImportReport.Derivation.Count(
        rule: rule.rawValue, count: table.changes(rule).count { $0.kind == .chargingStarted })
    }
    reports.append(
      ImportReport(
        summary: table.summary,
        derivations: [.init(event: "charging started", chosen: chosen.rawValue, counts: counts)]))
  }

  private mutating func loadScreen(_ file: String, _ reference: RecordingReference) throws(RecordingError) {
    let table = try AwareReader.screen(data(file), file: file)
    let shift = shift(of: reference, first: table.rows.first?.instant)
    for row in table.unlocks(.lockedSince) { append(.unlock, at: row.instant + shift, reference) }
    for row in table.locks { append(.lock, at: row.instant + shift, reference) }
    let counts = UnlockRule.allCases.map { rule in
      ImportReport.Derivation.Count(rule: rule.rawValue, count: table.unlocks(rule).count)
    }
    reports.append(
      ImportReport(
        summary: table.summary,
        derivations: [.init(event: "unlock", chosen: UnlockRule.lockedSince.rawValue, counts: counts)]))
  }

  // MARK: Events

  /// Hands over the route, which would otherwise have to be copied to be clipped.
  mutating func takeRoute(of device: Int) -> Route {
    defer { routes[device] = Route() }
    return routes[device]
  }

  /// How far a recording is moved so that its first sample comes when the scenario says.
  private func shift(of reference: RecordingReference, first: Instant?) -> TimeSpan {
    guard let startsAt = reference.startsAt, let first else { return .zero }
    return startsAt - first
  }

  private mutating func append(_ event: PhoneEvent, at instant: Instant, _ reference: RecordingReference) {
    events.append(
      ProgramEvent(
        instant: instant, event: event, device: reference.device, position: reference.position))
  }
}

extension PhoneEvent {
  /// The event of a recording that is moved in time: what it says of an instant moves along.
  fileprivate func moved(by shift: TimeSpan, _ facts: [FactDeclaration]) -> PhoneEvent {
    func moved(_ fix: Fix) -> Fix {
      Fix(instant: fix.instant + shift, coordinate: fix.coordinate, accuracy: fix.accuracy)
    }
    switch self {
    case .fix(let fix): return .fix(moved(fix))
    case .found(let fix): return .found(moved(fix))
    case .snoozeUntil(let reminder, let until): return .snoozeUntil(reminder, until + shift)
    case .fact(let fact, let value) where facts[fact.index].kind == .instant && !value.isMissing:
      return .fact(fact, .instant(Instant(millisecondsSince1970: value.bits) + shift))
    default: return self
    }
  }
}
