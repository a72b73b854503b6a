import CivilTime
import Recordings
import ScenarioModel
import TextFormats
import TriggerModel

/// Creates warnings about readable recordings that contribute little to a run. Most of their samples are
/// outside the scenario or unusable.
struct RecordingWarnings {
  private let scenario: Scenario
  /// The time range of the scenario, which is unbounded if the scenario declares no end.
  let range: Range<Instant>

  /// The start of GPS time, 1980-01-06. An earlier fix cannot be genuine.
  private static let firstOfGPS = Instant(millisecondsSince1970: 315_964_800_000)

  init(_ scenario: Scenario) {
    self.scenario = scenario
    let end = scenario.endIsExplicit ? scenario.end : .distantFuture
    range = scenario.start..<max(scenario.start, end)
  }

  /// - Parameters:
  ///   - summary: The import summary. Its omitted samples include those outside the scenario.
  ///   - span: The time span of the samples after the shift.
  func warnings(
    _ summary: ImportSummary, _ span: RecordedSpan, _ reference: RecordingReference
  ) -> [Diagnostic] {
    if let first = span.first, let last = span.last {
      let isOutside = summary.taken == 0 && span.outside > 0
      if case .ndjson = reference.source, last - span.shift < Self.firstOfGPS,
        isOutside || span.shift != .zero
      {
        return [
          warning(
            "\(summary.file): its times begin with \(words(first - span.shift))", reference,
            "a number as 't' counts milliseconds since 1970, not seconds")
        ]
      }
      if isOutside { return [outside(summary.file, span.outside, first, last, reference)] }
    }
    let faults = summary.findings.filter(\.kind.isFault)
    let faulty = faults.reduce(0) { $0 + $1.count }
    if faulty * 2 <= summary.read { return [] }
    let reasons = faults.sorted { ($1.count, $0.kind.rawValue) < ($0.count, $1.kind.rawValue) }
    return [
      warning(
        "\(summary.file): \(faulty) of \(summary.read) samples cannot be used: "
          + reasons.map(\.short).joined(separator: ", "),
        reference, "the report says what was taken from each recording")
    ]
  }

  private func outside(
    _ file: String, _ count: Int, _ first: Instant, _ last: Instant, _ reference: RecordingReference
  ) -> Diagnostic {
    let samples =
      count == 1
      ? "its only sample, of \(words(first)), lies"
      : "all its \(count) samples, from \(words(first)) to \(words(last)), lie"
    let extent =
      scenario.endIsExplicit
      ? "lasts from \(words(scenario.start)) to \(words(scenario.end))"
      : "starts at \(words(scenario.start))"
    return warning(
      "\(file): \(samples) outside the scenario, which \(extent)", reference,
      reference.startsAt == nil
        ? "set 'at' to the time of its first sample in the scenario" : "set 'at' to another time")
  }

  private func warning(_ message: String, _ reference: RecordingReference, _ hint: String) -> Diagnostic {
    scenario.sources.diagnostic(message, severity: .warning, at: reference.position, hint: hint)
  }

  private func words(_ instant: Instant) -> String {
    scenario.zones[scenario.timeline.zone(at: instant)].local(at: instant).words
  }
}

extension ImportSummary.Finding {
  /// The count and a brief reason, for example "291 without a time".
  fileprivate var short: String {
    "\(count) \(kind.explanation)" + (firstLine > 0 ? " (first at line \(firstLine))" : "")
  }
}

extension ImportSummary.Finding.Kind {
  /// Whether the omission is caused by the recording itself, not by the scenario or another recording.
  fileprivate var isFault: Bool {
    switch self {
    case .otherKind, .otherDevice, .otherTrack, .inaccurate, .outside: false
    default: isOmission
    }
  }
}

/// The time span of a recording's samples after the shift, and the number of samples outside the scenario.
struct RecordedSpan {
  /// The time range of the scenario.
  private let range: Range<Instant>
  /// The span that is added to the time of each sample.
  let shift: TimeSpan
  /// The number of samples outside the scenario.
  private(set) var outside = 0
  private(set) var first: Instant?
  private(set) var last: Instant?

  init(_ range: Range<Instant>, movedBy shift: TimeSpan) {
    self.range = range
    self.shift = shift
  }

  /// - Parameter instant: The instant before the shift.
  mutating func note(_ instant: Instant) {
    let instant = instant + shift
    first = min(first ?? instant, instant)
    last = max(last ?? instant, instant)
    if !range.contains(instant) { outside += 1 }
  }

  /// - Complexity: O(n) in the number of fixes.
  mutating func note(_ trace: FixTrace) {
    for fix in trace.fixes { note(fix.instant) }
  }

  /// - Parameters:
  ///   - fixes: The fixes. They are read only if some of them may be outside the scenario.
  ///   - stretch: The instants of the first and the last fix.
  mutating func note(_ fixes: FixStream, from stretch: ClosedRange<Instant>) throws(RecordingError) {
    let ends = [stretch.lowerBound, stretch.upperBound]
    if ends.allSatisfy({ range.contains($0 + shift) }) {
      for end in ends { note(end) }
      return
    }
    var rest = fixes
    while let trace = try rest.next() { note(trace) }
  }
}
