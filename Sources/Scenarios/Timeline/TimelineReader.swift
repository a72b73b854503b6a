import CivilTime
import DeviceSimulation
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// Reads a time line from top to bottom, keeping the day and the zone that the story has come to.
package final class TimelineReader {
  private let reader: Reader
  private let start: Instant
  private var zone: ZoneID
  /// Local time of the entry above, or of the start.
  private var local: LocalTime
  package private(set) var timeline: Timeline
  package private(set) var recordings: [RecordingReference] = []
  /// Entries at a local time, and the zone that it was read in.
  private var readings: [(instant: Instant, zone: ZoneID, position: SourcePosition)] = []

  package init(_ reader: Reader, start: Instant, zone: ZoneID) {
    self.reader = reader
    self.start = start
    self.zone = zone
    local = reader.zones[zone].local(at: start)
    timeline = Timeline(entries: [], stays: [Timeline.Stay(from: start, zone: zone)])
  }

  package func add(_ item: TimelineItem, at position: SourcePosition) {
    switch item.content {
    case .actions(let actions):
      guard let when = item.when, let timing = timing(when, at: position) else { return }
      timeline.entries.append(
        TimelineEntry(timing: timing, actions: actions, device: item.device, position: position))
      // Times are the person's, who carries the phone.
      if item.device == 0 { follow(actions, timing, at: position) }
    case .recording(var recording):
      if let when = item.when {
        guard case .once(let instant)? = timing(when, at: position) else {
          reader.error("a recording cannot repeat", at: position)
          return
        }
        recording.startsAt = instant
      }
      recording.position = position
      recording.device = item.device
      recordings.append(recording)
    }
  }

  // MARK: - Resolving

  private func timing(_ when: When, at position: SourcePosition) -> TimelineEntry.Timing? {
    switch when {
    case .repeated(let repetition): return .repeated(repetition)
    case .offset(let span):
      local = reader.zones[zone].local(at: start + span)
      return .once(start + span)
    case .on(let date, let time): return resolve(date, time, at: position)
    case .nextDay(let time): return resolve(dayAfter(local.date), time, at: position)
    case .time(let time):
      guard time < local.millisecondOfDay else { return resolve(local.date, time, at: position) }
      reader.warning(
        "\(Clock.text(time)) is before the entry above, so it is taken for the next day", at: position,
        hint: "write 'next day \(Clock.text(time))'")
      return resolve(dayAfter(local.date), time, at: position)
    }
  }

  /// The next date that the zone has.
  private func dayAfter(_ date: CivilDate) -> CivilDate {
    reader.zones[zone].skips(date + 1) ? date + 2 : date + 1
  }

  private func resolve(_ date: CivilDate, _ time: Int32, at position: SourcePosition) -> TimelineEntry.Timing?
  {
    let zone = reader.zones[zone]
    guard !zone.skips(date) else {
      reader.error("\(zone.identifier) has no \(date.text): its clocks skipped that date", at: position)
      return nil
    }
    local = LocalTime(date: date, millisecondOfDay: time)
    let instant = zone.instant(of: local)
    let shown = zone.local(at: instant)
    if shown != local {
      reader.warning(
        "there is no \(Clock.text(time)) on \(date.text) in \(zone.identifier), where clocks go forward",
        at: position,
        hint: "\(Clock.text(shown.millisecondOfDay)) is used")
    }
    if instant < start {
      reader.error("this is before the start of the scenario", at: position)
      return nil
    }
    readings.append((instant, self.zone, position))
    return .once(instant)
  }

  /// A journey changes the zone in which the entries below it are read.
  private func follow(
    _ actions: [TimelineAction], _ timing: TimelineEntry.Timing, at position: SourcePosition
  ) {
    for case .event(.travel(let destination)) in actions {
      guard case .once(let instant) = timing else {
        reader.error("a journey cannot repeat", at: position, hint: "write one entry for each")
        return
      }
      if let last = timeline.stays.last, last.from > instant {
        reader.error(
          "this journey is before the one above it", at: position, hint: "list journeys in order of time")
        return
      }
      zone = destination
      local = reader.zones[zone].local(at: instant)
      timeline.stays.append(Timeline.Stay(from: instant, zone: destination))
    }
  }

  // MARK: - Finishing

  /// Checks what can only be seen when the whole time line is known, and gives the end of the scenario.
  package func finish(explicitEnd: Instant?) -> Instant {
    for reading in readings where timeline.zone(at: reading.instant) != reading.zone {
      // An entry at the very instant of a journey may stand on either side of it.
      if timeline.stays.contains(where: { $0.from == reading.instant }) { continue }
      let there = reader.zones[timeline.zone(at: reading.instant)].identifier
      reader.error(
        "the phone is in \(there) then, but this was read in \(reader.zones[reading.zone].identifier)",
        at: reading.position, hint: "put the entry on the other side of the journey")
    }
    Existence(of: timeline, reader).check()
    let end = explicitEnd ?? defaultEnd()
    if explicitEnd != nil { checkOnce(before: end) }
    return end
  }

  /// The end of the local day of the last entry.
  private func defaultEnd() -> Instant {
    var last = start
    for entry in timeline.entries {
      switch entry.timing {
      case .once(let instant): last = max(last, instant)
      case .repeated(let repetition):
        guard let until = repetition.until else {
          reader.error(
            "this repeats without end", at: entry.position,
            hint: "give the scenario an 'end' or a length with 'for', or add 'until DATE'")
          continue
        }
        last = max(last, reader.zones[zone].startOfDay(until) - TimeSpan(milliseconds: 1))
      }
    }
    let there = reader.zones[timeline.zone(at: last)]
    return there.startOfDay(there.local(at: last).date + 1)
  }

  private func checkOnce(before end: Instant) {
    for entry in timeline.entries {
      if case .once(let instant) = entry.timing, instant >= end {
        let there = reader.zones[timeline.zone(at: end)].local(at: end)
        reader.error(
          "this is not before the end of the scenario, at \(there.words)",
          at: entry.position, hint: "let 'for' be longer or 'end' later")
      }
    }
  }
}
