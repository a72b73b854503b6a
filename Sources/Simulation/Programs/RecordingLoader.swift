import DeviceSimulation
import Foundation
import Journal
import Recordings
import ScenarioModel
import TextFormats
import TriggerModel

/// Turns the recordings that a scenario names into events, and fixes into a route.
struct RecordingLoader {
  private let reach: ReachableFiles
  /// How many bytes may still be read.
  private var bytesLeft: Int
  private let scenario: Scenario
  private let names: WireNames
  /// How many lines of a recording are held.
  private let heldLines: Int
  /// In the order of the recordings; those that are held one after the other are one.
  private var sources: [EventSource] = []
  private(set) var survey = EventSurvey()
  /// How many events there are, and when the last is.
  private(set) var count = 0
  private var lastEvent: Instant?
  /// Where the phone travels to, and when.
  private(set) var journeys: [(zone: ZoneID, instant: Instant)] = []
  private var ways = RecordedWays()
  private(set) var reports: [ImportReport] = []
  /// By the line of the scenario that names a recording with fixes.
  private var reportsOfFixes: [SourcePosition: Int] = [:]
  /// What is odd about the recordings together.
  private(set) var warnings: [Diagnostic] = []
  /// By device: what the recordings show of its beginning, but for their fixes.
  private(set) var beginnings: [RecordedBeginning]
  /// What is told of a recording that hardly plays a part.
  private let advice: RecordingAdvice

  init(_ scenario: Scenario, names: WireNames, reach: ReachableFiles, within budget: RunBudget) {
    self.scenario = scenario
    self.names = names
    self.reach = reach
    bytesLeft = budget.bytes
    heldLines = budget.held
    beginnings = Array(repeating: RecordedBeginning(scenario), count: scenario.devices.count + 1)
    advice = RecordingAdvice(scenario)
  }

  /// When the last thing happens that is recorded.
  var last: Instant? { [lastEvent, ways.last].compactMap(\.self).max() }

  mutating func load(_ reference: RecordingReference) throws(RecordingError) {
    switch reference.source {
    case .gpx(let file): try loadTrack(file, reference)
    case .ndjson(let file):
      let read = try loadLines(LinePieces(bytes(of: file)), reference)
      if read == 0 {
        throw RecordingError(.empty, file: file, "the file is empty", remedy: "record it again")
      }
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
    let shift = shift(of: reference, first: recording.trace.fixes.first?.instant)
    var span = RecordedSpan(advice.range, movedBy: shift)
    span.note(recording.trace)
    report(recording.summary, span, reference, hasFixes: true)
    ways.add(recording.trace, of: reference.device, movedBy: shift, reference.position)
  }

  private func rules(of reference: RecordingReference) -> FixRules {
    FixRules(
      maximumAccuracy: reference.accuracyLimit,
      longestGap: reference.longestGap ?? Fix.usualLongestGap)
  }

  /// - Parameters:
  ///   - span: When its samples are, in the scenario.
  ///   - hasFixes: Some of them may be fixes, which another recording may have to give way to.
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

  /// Hands over the events in order of time, in the order of the recordings at one instant.
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

  /// Hands over the routes of all devices, within a stretch of time.
  mutating func takeRoutes(in range: Range<Instant>) throws(RecordingError) -> [Route] {
    let routes = try ways.takeRoutes(deviceCount: beginnings.count, in: range)
    for leftOut in ways.leftOut {
      if let report = reportsOfFixes[leftOut.position] {
        reports[report].summary.leaveOut(.overlapping, count: leftOut.count)
      }
      warnings.append(
        scenario.sources.diagnostic(
          "\(leftOut.count == 1 ? "1 fix" : "\(leftOut.count) fixes") left out: another recording that began "
            + "earlier says where the phone is",
          severity: .warning, at: leftOut.position,
          hint: "move one of them with 'at', or put it on a device of its own with 'on'"))
    }
    return routes
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

  /// A file that is read in pieces, also while the scenario runs.
  private mutating func bytes(of file: String) throws(RecordingError) -> RecordedBytes {
    let bytes = try RecordedBytes(of: path(of: file), file: file)
    bytesLeft -= bytes.count
    if bytesLeft >= 0 { return bytes }
    throw tooLarge(file)
  }

  private func tooLarge(_ file: String) -> RecordingError {
    RecordingError(
      .unreadable, file: file, "with its bytes the scenario's recordings are too large",
      remedy: "shorten them, or allow more with --max-bytes")
  }

  private func path(of file: String) throws(RecordingError) -> String {
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
    return path
  }

  // MARK: Lines of JSON

  /// What an expanded scenario says happens, in place of a time line and recordings.
  mutating func load(_ lines: ExpandedLines) throws(RecordingError) {
    let reference = RecordingReference(
      source: .ndjson(lines.lines.bytes.file), startsAt: nil, accuracyLimit: nil, chargingColumn: .adaptor,
      position: .start)
    bytesLeft -= lines.lines.bytes.count
    if bytesLeft < 0 { throw tooLarge(lines.lines.bytes.file) }
    _ = try loadLines(lines.lines, reference)
    (reports, warnings) = (lines.imports, [])
    // What was taken from recordings stands in the header.
    beginnings = Array(repeating: RecordedBeginning(scenario), count: beginnings.count)
  }

  /// - Returns: How many lines there are.
  private mutating func loadLines(
    _ lines: LinePieces, _ reference: RecordingReference
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
      ways.add(stream.trace, of: reference.device, movedBy: shift, reference.position)
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
        ways.add(fixes, of: reference.device, from: range, movedBy: shift, reference.position)
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

  /// How far a recording is moved so that its first sample comes when the scenario says.
  private func shift(of reference: RecordingReference, first: Instant?) -> TimeSpan {
    guard let startsAt = reference.startsAt, let first else { return .zero }
    return startsAt - first
  }

  private mutating func append(_ event: PhoneEvent, at instant: Instant, _ reference: RecordingReference) {
    hold(
      ProgramEvent(instant: instant, event: event, device: reference.device, position: reference.position))
  }

  /// Adds an event to those that are held.
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
    beginnings[Int(event.device)].record(event.event, at: event.instant)
    if event.device == 0, case .travel(let zone) = event.event { journeys.append((zone, event.instant)) }
    if advice.range.contains(event.instant) { survey.note(event) }
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
