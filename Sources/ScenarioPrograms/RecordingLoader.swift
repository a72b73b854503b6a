import ScenarioModel
import TextFormats
import DeviceSimulation
import Foundation
import Journal
import Recordings
import TriggerModel

/// Turns the recordings that a scenario names into events, and fixes into a route.
struct RecordingLoader {
  private let reach: ReachableFiles
  /// How many bytes may still be read.
  private var bytesLeft: Int
  private let scenario: Scenario
  private let names: WireNames
  private(set) var events: [ProgramEvent] = []
  /// By device.
  private(set) var routes: [Route]
  private(set) var reports: [ImportReport] = []
  /// By the line of the scenario that names a recording with fixes.
  private var reportsOfFixes: [SourcePosition: Int] = [:]
  /// What is odd about the recordings together.
  private(set) var warnings: [Diagnostic] = []
  /// By device: what the recordings show of its beginning, but for their fixes.
  private(set) var beginnings: [RecordedBeginning]

  init(_ scenario: Scenario, names: WireNames, reach: ReachableFiles, byteLimit: Int) {
    self.scenario = scenario
    self.names = names
    self.reach = reach
    bytesLeft = byteLimit
    let count = scenario.devices.count + 1
    routes = Array(repeating: Route(), count: count)
    beginnings = Array(repeating: RecordedBeginning(scenario), count: count)
  }

  mutating func load(_ reference: RecordingReference) throws(RecordingError) {
    switch reference.source {
    case .gpx(let file): try loadTrack(file, reference)
    case .ndjson(let file): try loadLines(data(file), file, reference)
    case .aware(let battery, let screen): try loadTables(battery, screen, reference)
    }
  }

  // MARK: Ways

  private mutating func loadTrack(_ file: String, _ reference: RecordingReference) throws(RecordingError) {
    var options = GPXReader.Options(rules: rules(of: reference), track: reference.track)
    if let speed = reference.speed, let start = reference.startsAt {
      options.schedule = GPXReader.Schedule(start: start, metresPerSecond: speed.metresPerSecond)
    }
    let (data, path) = try mapped(file)
    let recording = try GPXReader.read(data, file: file, at: path, options: options)
    if options.schedule != nil, recording.summary.count(.scheduled) == 0 {
      throw RecordingError(
        .value, file: file, "its points have times, which say how fast they are followed",
        remedy: "leave 'speed' out")
    }
    add(recording.trace, of: recording.summary, reference)
  }

  private func rules(of reference: RecordingReference) -> FixRules {
    FixRules(
      maximumAccuracy: reference.accuracyLimit,
      longestGap: reference.longestGap ?? FixRules.usualLongestGap)
  }

  private mutating func add(
    _ trace: FixTrace, of summary: ImportSummary, movedBy shift: TimeSpan? = nil,
    _ reference: RecordingReference
  ) {
    reportsOfFixes[reference.position] = reports.count
    reports.append(ImportReport(summary: summary, derivations: []))
    let shift = shift ?? self.shift(of: reference, first: trace.fixes.first?.instant)
    let leftOut = routes[Int(reference.device)].add(trace, movedBy: shift, reference.position)
    for (position, count) in leftOut.sorted(by: { $0.key < $1.key }) {
      if let report = reportsOfFixes[position] {
        reports[report].summary.leaveOut(.overlapping, count: count)
      }
      warnings.append(
        scenario.sources.diagnostic(
          "\(count == 1 ? "1 fix" : "\(count) fixes") left out: another recording that began earlier says "
            + "where the phone is",
          severity: .warning, at: position,
          hint: "move one of them with 'at', or put it on a device of its own with 'on'"))
    }
  }

  private mutating func data(_ file: String) throws(RecordingError) -> Data {
    try read(file, []).data
  }

  /// A file of which only the beginning is looked at here. Foundation maps nothing with `.mappedIfSafe`; what is
  /// mapped and gets shorter meanwhile would be a crash, so that what is read whole is not mapped.
  private mutating func mapped(_ file: String) throws(RecordingError) -> (data: Data, path: String) {
    try read(file, .alwaysMapped)
  }

  private mutating func read(
    _ file: String, _ options: Data.ReadingOptions
  ) throws(RecordingError) -> (data: Data, path: String) {
    var path = ""
    switch reach.place(of: file) {
    case .file(let place): path = place
    // A folder is told apart from nothing.
    case .missing: path = reach.path(of: file)
    case .outside:
      throw RecordingError(
        .unreadable, file: file, ReachableFiles.problem, remedy: ReachableFiles.remedy)
    }
    if let problem = RegularFile.problem(path) {
      throw RecordingError(.unreadable, file: file, problem, remedy: "name a file that holds the recording")
    }
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path), options: options)
      bytesLeft -= data.count
      if bytesLeft >= 0 { return (data, path) }
    } catch {
      throw RecordingError(
        .unreadable, file: file, "cannot be read", remedy: "check that the file exists and may be read")
    }
    throw RecordingError(
      .unreadable, file: file, "with its bytes the scenario's recordings are too large",
      remedy: "shorten them, or allow more with --max-bytes")
  }

  // MARK: Lines of JSON

  /// What an expanded scenario says happens, in place of a time line and recordings.
  mutating func load(_ lines: ExpandedLines) throws(RecordingError) {
    let reference = RecordingReference(
      source: .ndjson(lines.file), startsAt: nil, accuracyLimit: nil, chargingColumn: .adaptor,
      position: .start)
    try loadLines(lines.data, lines.file, reference)
    reports = lines.imports
    // What was taken from recordings stands in the header.
    beginnings = Array(repeating: RecordedBeginning(scenario), count: beginnings.count)
  }

  private mutating func loadLines(
    _ data: Data, _ file: String, _ reference: RecordingReference
  ) throws(RecordingError) {
    var reader = JournalReader(names)
    // What a line leaves out of its stamp plays no part in what happens.
    let stamp = RecordStamp(
      device: reference.device, instant: scenario.start,
      moment: Moment(
        wall: scenario.start, uptime: Uptime(boot: 0, span: .zero), zone: scenario.zone))
    let stream = try EventStreamReader.read(data, file: file, rules: rules(of: reference)) {
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
    add(stream.trace, of: stream.summary, movedBy: shift, reference)
    for event in stream.events {
      guard case .happened(let happened) = event.payload.body else { continue }
      append(
        happened.moved(by: shift, scenario.facts), at: event.instant + shift, reference,
        device: event.payload.stamp.device)
    }
  }

  // MARK: AWARE tables

  /// The tables of one phone are moved together, so that the earliest row of all comes when the scenario says.
  private mutating func loadTables(
    _ batteryFile: String?, _ screenFile: String?, _ reference: RecordingReference
  ) throws(RecordingError) {
    let options = AwareReader.Options(device: reference.recordedDevice)
    var battery: AwareTable<BatteryRow>?
    var screen: AwareTable<ScreenRow>?
    if let file = batteryFile { battery = try AwareReader.battery(data(file), file: file, options: options) }
    if let file = screenFile { screen = try AwareReader.screen(data(file), file: file, options: options) }
    let firsts = [battery?.rows.first?.instant, screen?.rows.first?.instant].compactMap(\.self)
    let shift = shift(of: reference, first: firsts.min())
    var changes: [TableChange] = []
    if let battery { take(battery, movedBy: shift, reference, into: &changes) }
    if let screen { take(screen, movedBy: shift, reference, into: &changes) }
    for change in TableChange.together(changes) { append(change.event, at: change.instant, reference) }
  }

  private mutating func take(
    _ table: AwareTable<BatteryRow>, movedBy shift: TimeSpan, _ reference: RecordingReference,
    into changes: inout [TableChange]
  ) {
    let chosen: ChargingRule = reference.chargingColumn == .adaptor ? .adaptor : .status
    if let first = table.rows.first {
      beginnings[Int(reference.device)].find(
        pluggedIn: first.isPowered(chosen), at: first.instant + shift)
    }
    for change in table.changes(chosen) {
      let event: PhoneEvent =
        switch change.kind {
        case .chargingStarted: .plugIn
        case .chargingStopped: .unplug
        case .level: .batteryLevel(Int32(change.row.level) * 10)
        case .shutdown: .powerOff
        case .reboot: .powerOn
        }
      changes.append(TableChange(instant: change.row.instant + shift, event: event))
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

  private mutating func take(
    _ table: AwareTable<ScreenRow>, movedBy shift: TimeSpan, _ reference: RecordingReference,
    into changes: inout [TableChange]
  ) {
    let chosen = table.unlockRule
    for change in table.changes(chosen) {
      let event: PhoneEvent = change.kind == .locked ? .lock : .unlock
      changes.append(TableChange(instant: change.row.instant + shift, event: event))
    }
    let counts = UnlockRule.allCases.map { rule in
      ImportReport.Derivation.Count(rule: rule.rawValue, count: table.unlocks(rule).count)
    }
    reports.append(
      ImportReport(
        summary: table.summary,
        derivations: [.init(event: "unlock", chosen: chosen.rawValue, counts: counts)]))
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

  private mutating func append(
    _ event: PhoneEvent, at instant: Instant, _ reference: RecordingReference, device: UInt8? = nil
  ) {
    let device = device ?? reference.device
    events.append(
      ProgramEvent(instant: instant, event: event, device: device, position: reference.position))
    beginnings[Int(device)].record(event, at: instant)
  }
}

/// What a table of a phone says happened.
private struct TableChange {
  var instant: Instant
  var event: PhoneEvent

  /// What the tables of one phone say, in order of time. A phone that is unlocked has been switched on, though
  /// the other table says so a little later; and one that is switched on again went off without a word.
  static func together(_ changes: [TableChange]) -> [TableChange] {
    let order = changes.indices.sorted { (changes[$0].instant, $0) < (changes[$1].instant, $1) }
    var together: [TableChange] = []
    var isOn = true
    var isOnByUnlock = false
    for change in order.map({ changes[$0] }) {
      switch change.event {
      case .powerOff:
        isOn = false
        isOnByUnlock = false
      case .powerOn:
        if isOnByUnlock {
          isOnByUnlock = false
          continue
        }
        if isOn { together.append(TableChange(instant: change.instant, event: .powerOff)) }
        isOn = true
      case .unlock where !isOn:
        together.append(TableChange(instant: change.instant, event: .powerOn))
        isOn = true
        isOnByUnlock = true
      default: break
      }
      together.append(change)
    }
    return together
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
