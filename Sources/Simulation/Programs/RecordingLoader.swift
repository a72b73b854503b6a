import DeviceSimulation
import Foundation
import Journal
package import Recordings
import ScenarioModel
import TextFormats
import TriggerModel

/// Reads the recordings of a scenario into events and routes.
struct RecordingLoader {
  private let reach: ReachableFiles
  /// The number of bytes that the loader is still allowed to read.
  private var bytesLeft: Int
  private let scenario: Scenario
  private let names: WireNames
  /// The maximum number of lines per recording that are kept in memory.
  private let heldLines: Int
  /// The event sources, in the order of their recordings. Consecutive recordings that fit into memory share
  /// one source.
  private var sources: [EventSource] = []
  private(set) var survey = EventSurvey()
  /// The number of events.
  private(set) var count = 0
  private var lastEvent: Instant?
  /// The changes of the phone's zone in its recordings.
  private(set) var journeys: [(zone: ZoneID, instant: Instant)] = []
  private var tracks = RecordedTracks()
  private(set) var reports: [ImportReport] = []
  /// The index of the report on each recording with fixes. The key is the line of the scenario that names the
  /// recording.
  private var reportsOfFixes: [SourcePosition: Int] = [:]
  /// Warnings about the recordings.
  private(set) var warnings: [Diagnostic] = []
  /// The initial state of each device that its recordings imply, except its position.
  private(set) var initialStates: [RecordedInitialState]
  private let advice: RecordingWarnings

  init(_ scenario: Scenario, names: WireNames, reach: ReachableFiles, within budget: RunBudget) {
    self.scenario = scenario
    self.names = names
    self.reach = reach
    bytesLeft = budget.bytes
    heldLines = budget.held
    initialStates = Array(repeating: RecordedInitialState(scenario), count: scenario.devices.count + 1)
    advice = RecordingWarnings(scenario)
  }

  /// The instant of the last recorded event or fix.
  var last: Instant? { [lastEvent, tracks.last].compactMap(\.self).max() }

  mutating func load(_ reference: RecordingReference) throws(RecordingError) {
    switch reference.source {
    case .gpx(let file): try loadTrack(file, reference)
    case .ndjson(let file):
      let read = try loadLines(LineStream(bytes(of: file)), reference)
      if read == 0 {
        throw RecordingError(.empty, file: file, "the file is empty", remedy: "record it again")
      }
    case .aware(let battery, let screen): try loadTables(battery, screen, reference)
    }
  }

  // MARK: Tracks

  private mutating func loadTrack(_ file: String, _ reference: RecordingReference) throws(RecordingError) {
    var options = GPXReader.Options(rules: rules(of: reference), track: reference.track)
    if let speed = reference.speed, let start = reference.startsAt {
      options.schedule = GPXReader.Schedule(start: start, metresPerSecond: speed.metresPerSecond)
    }
    let (data, path) = try mapped(file)
    let recording = try GPXReader.read(data, file: file, at: path, options: options)
    if options.schedule != nil, recording.summary.count(.scheduled) == 0 {
      throw RecordingError(
        .value, file: file, "its points have times, so that no speed applies",
        remedy: "leave 'speed' out")
    }
    let shift = shift(of: reference, first: recording.trace.fixes.first?.instant)
    var span = RecordedSpan(advice.range, movedBy: shift)
    span.note(recording.trace)
    report(recording.summary, span, reference, hasFixes: true)
    tracks.add(recording.trace, of: reference.device, movedBy: shift, reference.position)
  }

  private func rules(of reference: RecordingReference) -> FixRules {
    FixRules(
      maximumAccuracy: reference.accuracyLimit,
      longestGap: reference.longestGap ?? Fix.defaultMaximumGap)
  }

  /// - Parameters:
  ///   - span: The time span of the recording's samples after the shift.
  ///   - hasFixes: Whether the recording may contain fixes. Another recording may replace them.
  private mutating func report(
    _ summary: ImportSummary, _ span: RecordedSpan, _ reference: RecordingReference, hasFixes: Bool = false,
    _ derivations: [ImportReport.Derivation] = []
  ) {
    if hasFixes { reportsOfFixes[reference.position] = reports.count }
    var summary = summary
    if span.outside > 0 { summary.leaveOut(.outside, count: span.outside) }
    reports.append(ImportReport(summary: summary, derivations: derivations))
    warnings += advice.warnings(summary, span, reference)
  }

  /// Removes and returns the event sources. Each one is in chronological order.
  mutating func takeSources() -> [EventSource] {
    defer { sources = [] }
    return sources.map { source in
      guard case .held(let events) = source else { return source }
      let isSorted = events.indices.dropFirst().allSatisfy { events[$0 - 1].instant <= events[$0].instant }
      if isSorted { return source }
      let order = events.indices.sorted { (events[$0].instant, $0) < (events[$1].instant, $1) }
      return .held(order.map { events[$0] })
    }
  }

  /// Removes the recorded tracks and returns each device's route within a time range.
  mutating func takeRoutes(in range: Range<Instant>) throws(RecordingError) -> [Route] {
    let routes = try tracks.takeRoutes(deviceCount: initialStates.count, in: range)
    for omitted in tracks.omitted {
      if let report = reportsOfFixes[omitted.position] {
        reports[report].summary.leaveOut(.overlapping, count: omitted.count)
      }
      warnings.append(
        scenario.sources.diagnostic(
          "\(omitted.count == 1 ? "1 fix" : "\(omitted.count) fixes") omitted: another recording that began "
            + "earlier determines the phone's position",
          severity: .warning, at: omitted.position,
          hint: "move one recording with 'at', or assign it to another device with 'on'"))
    }
    return routes
  }

  private mutating func data(_ file: String) throws(RecordingError) -> Data {
    try read(file, []).data
  }

  /// Maps a file into memory, so that the loader need not read all of it.
  ///
  /// Uses `.alwaysMapped`, because Foundation never maps a file with `.mappedIfSafe`. A mapped file that
  /// shrinks crashes the process, so files that are read completely are not mapped.
  private mutating func mapped(_ file: String) throws(RecordingError) -> (data: Data, path: String) {
    try read(file, .alwaysMapped)
  }

  private mutating func read(
    _ file: String, _ options: Data.ReadingOptions
  ) throws(RecordingError) -> (data: Data, path: String) {
    let path = try path(of: file)
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path), options: options)
      bytesLeft -= data.count
      if bytesLeft >= 0 { return (data, path) }
    } catch {
      throw RecordingError(
        .unreadable, file: file, "cannot be read", remedy: "check that the file exists and may be read")
    }
    throw tooLarge(file)
  }

  /// Opens a file that is read in pieces. The run may read it again.
  private mutating func bytes(of file: String) throws(RecordingError) -> RecordedBytes {
    let bytes = try RecordedBytes(of: path(of: file), file: file)
    bytesLeft -= bytes.count
    if bytesLeft >= 0 { return bytes }
    throw tooLarge(file)
  }

  private func tooLarge(_ file: String) -> RecordingError {
    RecordingError(
      .unreadable, file: file, "with this file, the recordings exceed the size limit",
      remedy: "shorten them, or raise the limit with --max-bytes")
  }

  private func path(of file: String) throws(RecordingError) -> String {
    var path = ""
    switch reach.place(of: file) {
    case .file(let place): path = place
    // The code below distinguishes a folder from a missing file.
    case .missing: path = reach.path(of: file)
    case .outside:
      throw RecordingError(
        .unreadable, file: file, ReachableFiles.problem, remedy: ReachableFiles.remedy)
    }
    if let problem = RegularFile.problem(path) {
      throw RecordingError(.unreadable, file: file, problem, remedy: "name a file that holds the recording")
    }
    return path
  }

  // MARK: Lines of JSON

  /// Reads the events of an expanded scenario. They replace the scenario's time line and recordings.
  mutating func load(_ lines: ExpandedLines) throws(RecordingError) {
    let reference = RecordingReference(
      source: .ndjson(lines.lines.bytes.file), startsAt: nil, accuracyLimit: nil, chargingColumn: .adaptor,
      position: .start)
    bytesLeft -= lines.lines.bytes.count
    if bytesLeft < 0 { throw tooLarge(lines.lines.bytes.file) }
    _ = try loadLines(lines.lines, reference)
    (reports, warnings) = (lines.imports, [])
    // The header of an expanded scenario already includes the recorded initial states.
    initialStates = Array(repeating: RecordedInitialState(scenario), count: initialStates.count)
  }

  /// - Returns: The number of lines.
  private mutating func loadLines(
    _ lines: LineStream, _ reference: RecordingReference
  ) throws(RecordingError) -> Int {
    var reader = JournalReader(names)
    let form = RecordedEvents.form(of: reference, in: scenario)
    let rules = rules(of: reference)
    let reading = try EventStreamReader.read(lines, rules: rules, holding: heldLines) {
      (scanner) throws(ScanProblem) -> (Instant, JournalRecord) in
      let record = try reader.recorded(&scanner, as: form)
      return (record.instant, record)
    }
    switch reading {
    case .held(let stream):
      let first = [stream.trace.fixes.first?.instant, stream.events.first?.instant].compactMap(\.self).min()
      let shift = shift(of: reference, first: first)
      var span = RecordedSpan(advice.range, movedBy: shift)
      span.note(stream.trace)
      for event in stream.events { span.note(event.instant) }
      report(stream.summary, span, reference, hasFixes: true)
      tracks.add(stream.trace, of: reference.device, movedBy: shift, reference.position)
      for event in stream.events {
        RecordedEvents.event(event.payload, movedBy: shift, scenario.facts, reference.position).map {
          hold($0)
        }
      }
      return stream.summary.read
    case .long(let stream):
      let first = [stream.fixes?.lowerBound, stream.events?.lowerBound].compactMap(\.self).min()
      let shift = shift(of: reference, first: first)
      var span = RecordedSpan(advice.range, movedBy: shift)
      if let range = stream.fixes {
        let fixes = FixStream(lines, rules: rules)
        try span.note(fixes, from: range)
        tracks.add(fixes, of: reference.device, from: range, movedBy: shift, reference.position)
      }
      if stream.events != nil {
        let events = RecordedEvents(lines, of: reference, in: scenario, names, movedBy: shift)
        sources.append(.lines(events))
        var all = EventCursor([], EventMerge([.lines(events)], in: .distantPast ..< .distantFuture))
        while let event = all.next() {
          span.note(event.instant - shift)
          note(event)
        }
        if let problem = all.problem { throw problem }
      }
      report(stream.summary, span, reference, hasFixes: true)
      return stream.summary.read
    }
  }

  // MARK: AWARE tables

  /// Reads and merges the tables of one phone. The shift moves the earliest row of both tables to the
  /// declared instant.
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
    for change in TableChange.merged(changes) { append(change.event, at: change.instant, reference) }
  }

  private mutating func take(
    _ table: AwareTable<BatteryRow>, movedBy shift: TimeSpan, _ reference: RecordingReference,
    into changes: inout [TableChange]
  ) {
    let chosen: ChargingRule = reference.chargingColumn == .adaptor ? .adaptor : .status
    if let first = table.rows.first {
      initialStates[Int(reference.device)].recordFirst(
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
    var span = RecordedSpan(advice.range, movedBy: shift)
    for row in table.rows { span.note(row.instant) }
    report(
      table.summary, span, reference,
      [.init(event: "charging started", chosen: chosen.rawValue, counts: counts)])
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
    var span = RecordedSpan(advice.range, movedBy: shift)
    for row in table.rows { span.note(row.instant) }
    report(table.summary, span, reference, [.init(event: "unlock", chosen: chosen.rawValue, counts: counts)])
  }

  // MARK: Events

  /// Returns the shift that moves the first sample of a recording to the declared instant.
  private func shift(of reference: RecordingReference, first: Instant?) -> TimeSpan {
    guard let startsAt = reference.startsAt, let first else { return .zero }
    return startsAt - first
  }

  private mutating func append(_ event: PhoneEvent, at instant: Instant, _ reference: RecordingReference) {
    hold(
      ProgramEvent(instant: instant, event: event, device: reference.device, position: reference.position))
  }

  /// Adds an event to the events in memory.
  private mutating func hold(_ event: ProgramEvent) {
    note(event)
    if case .held(var events)? = sources.last {
      sources[sources.count - 1] = .held([])
      events.append(event)
      sources[sources.count - 1] = .held(events)
    } else {
      sources.append(.held([event]))
    }
  }

  private mutating func note(_ event: ProgramEvent) {
    count += 1
    lastEvent = max(event.instant, lastEvent ?? event.instant)
    initialStates[Int(event.device)].record(event.event, at: event.instant)
    if event.device == 0, case .travel(let zone) = event.event { journeys.append((zone, event.instant)) }
    if advice.range.contains(event.instant) { survey.note(event) }
  }
}

/// An event derived from a row of an AWARE table.
private struct TableChange {
  var instant: Instant
  var event: PhoneEvent

  /// Merges the changes in a phone's tables in chronological order. An unlock implies that the phone is on,
  /// even if the other table reports the start slightly later. A start implies a shutdown if no shutdown
  /// precedes it.
  static func merged(_ changes: [TableChange]) -> [TableChange] {
    let order = changes.indices.sorted { (changes[$0].instant, $0) < (changes[$1].instant, $1) }
    var merged: [TableChange] = []
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
        if isOn { merged.append(TableChange(instant: change.instant, event: .powerOff)) }
        isOn = true
      case .unlock where !isOn:
        merged.append(TableChange(instant: change.instant, event: .powerOn))
        isOn = true
        isOnByUnlock = true
      default: break
      }
      merged.append(change)
    }
    return merged
  }
}

/// The import report of one recording.
package struct ImportReport: Hashable, Codable, Sendable {
  package var summary: ImportSummary
  /// The rules that derived events from rows, with the counts under alternative rules.
  package var derivations: [Derivation]

  /// One kind of event, with its count under each available rule.
  package struct Derivation: Hashable, Codable, Sendable {
    package var event: String
    package var chosen: String
    package var counts: [Count]

    package struct Count: Hashable, Codable, Sendable {
      package var rule: String
      package var count: Int
    }
  }
}
