import CivilTime
import DeviceSimulation
import ScenarioModel
package import TextFormats
package import TriggerModel

/// Writes a time line in which no entry depends on the previous one. Each entry has a date and a time in the
/// phone's current zone, or an offset from the start if no local time expresses its instant.
package struct TimelineWriter {
  private let writer: Writer
  private var zone: ZoneID

  /// Returns the entries of a scenario's time line. Recordings keep their positions among them.
  package static func items(_ writer: Writer) -> [Located<TimelineItem>] {
    var this = TimelineWriter(writer: writer, zone: writer.known.scenario.zone)
    var items: [Located<TimelineItem>] = []
    var recordings = writer.known.scenario.recordings[...]
    for entry in writer.known.scenario.timeline.entries {
      while let first = recordings.first, first.position < entry.position {
        items.append(this.item(first))
        recordings.removeFirst()
      }
      items.append(this.item(entry))
    }
    return items + recordings.map { this.item($0) }
  }

  private mutating func item(_ entry: TimelineEntry) -> Located<TimelineItem> {
    let when: When =
      switch entry.timing {
      case .once(let instant): self.when(instant)
      case .repeated(let repetition): .repeated(repetition)
      }
    // The reader interprets times in the zone of the last preceding journey.
    for case .event(.travel(let destination)) in entry.actions where entry.device == 0 { zone = destination }
    return Located(
      TimelineItem(when: when, content: .actions(entry.actions), device: entry.device), at: entry.position)
  }

  private func item(_ recording: RecordingReference) -> Located<TimelineItem> {
    Located(
      TimelineItem(
        when: recording.startsAt.map(when), content: .recording(recording), device: recording.device),
      at: recording.position)
  }

  /// Returns an offset from the start, such as `+1h30m`.
  package static func offset(_ span: TimeSpan) -> String { "+" + When.parts(of: span) }

  private func when(_ instant: Instant) -> When {
    let scenario = writer.known.scenario
    // A journey is written in the local time of its origin.
    if scenario.timeline.zone(at: instant) == zone
      || scenario.timeline.stays.contains(where: { $0.from == instant }),
      let local = LocalDateTime(exactly: instant, in: scenario.zones[zone])
    {
      return .on(local.date, local.millisecondOfDay)
    }
    return .offset(instant - scenario.start)
  }
}

extension When {
  /// The text of the key `at`, or `nil` if the entry does not have this key.
  var text: String? {
    switch self {
    case .time(let time): Clock.text(time)
    case .nextDay(let time): "next day \(Clock.text(time))"
    case .on(let date, let time): LocalDateTime(date: date, millisecondOfDay: time).text
    case .offset(let span): TimelineWriter.offset(span)
    case .repeated(let repetition): repetition.onlyTime.map { Clock.text($0) }
    }
  }

  /// Returns a span as a single word, such as `1h30m`.
  fileprivate static func parts(of span: TimeSpan) -> String {
    var rest = span.milliseconds
    var text = ""
    for (unit, name) in [(3_600_000, "h"), (60_000, "m"), (1_000, "s"), (1, "ms")] as [(Int64, String)]
    where rest >= unit {
      text += "\(rest / unit)\(name)"
      rest %= unit
    }
    return text.isEmpty ? "0s" : text
  }
}

extension Repetition {
  /// The time of day if there is exactly one; otherwise, `nil`.
  var onlyTime: Int32? {
    if case .timesOfDay(let times) = step, times.count == 1 { times[0] } else { nil }
  }

  /// The times of day as a step and a window, or `nil` if their intervals are uneven.
  var spread: (step: TimeSpan, window: RepetitionWindow)? {
    guard case .timesOfDay(let times) = step, times.count > 1, let first = times.first,
      let last = times.last
    else { return nil }
    let gap = times[1] - first
    guard gap >= 1_000, first % 1_000 == 0, zip(times, times.dropFirst()).allSatisfy({ $1 - $0 == gap })
    else { return nil }
    // The end may be any time after the last repetition, up to and including the next time in the series.
    let end = (last + gap) / 1_000 * 1_000
    return (
      TimeSpan(milliseconds: Int64(gap)),
      RepetitionWindow(from: first, to: end < 86_400_000 ? end : nil)
    )
  }
}
