import CivilTime
import Recordings
import ScenarioModel
import TextFormats
import TriggerModel

/// Warns of a recording that is right, and hardly plays a part: it lies outside of the scenario, or most of it cannot
/// be used.
struct RecordingAdvice {
  private let scenario: Scenario
  /// When the scenario takes place; where it does not say when it ends, nothing comes after its end.
  let range: Range<Instant>

  /// No phone could record its place before.
  private static let firstOfGPS = Instant(millisecondsSince1970: 315_964_800_000)

  init(_ scenario: Scenario) {
    self.scenario = scenario
    let end = scenario.endIsExplicit ? scenario.end : .distantFuture
    range = scenario.start..<max(scenario.start, end)
  }

  /// - Parameters:
  ///   - summary: In which those are left out that lie outside.
  ///   - span: When its samples are, as they are moved.
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
      "\(file): \(samples) outside of the scenario, which \(extent)", reference,
      reference.startsAt == nil
        ? "'at' says when its first sample comes in the scenario" : "let 'at' say another time")
  }

  private func warning(_ message: String, _ reference: RecordingReference, _ hint: String) -> Diagnostic {
    scenario.sources.diagnostic(message, severity: .warning, at: reference.position, hint: hint)
  }

  private func words(_ instant: Instant) -> String {
    scenario.zones[scenario.timeline.zone(at: instant)].local(at: instant).words
  }
}

extension ImportSummary.Finding {
  /// "291 without a time"
  fileprivate var short: String {
    "\(count) \(kind.explanation)" + (firstLine > 0 ? " (first at line \(firstLine))" : "")
  }
}

extension ImportSummary.Finding.Kind {
  /// What is left out is so because of what the recording is, and not because the scenario or another recording says
  /// so.
  fileprivate var isFault: Bool {
    switch self {
    case .otherKind, .otherDevice, .otherTrack, .inaccurate, .outside: false
    default: isOmission
    }
  }
}
