import CivilTime
import DeviceSimulation
package import ScenarioModel
package import TextFormats
package import TriggerModel

/// Reads a time line from top to bottom, and keeps track of the current day and zone.
package final class TimelineReader {
  private let reader: Reader
  private let start: Instant
  private var zone: ZoneID
  /// The local time of the previous entry, or of the start.
  private var local: LocalTime
  package private(set) var timeline: Timeline
  package private(set) var recordings: [RecordingReference] = []
  /// The entries with a local time, each with the zone in which the time was interpreted.
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
      // Times are local to the person, who carries the phone, so journeys of other devices do not affect
      // them.
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
        "\(Clock.text(time)) is earlier than the entry above, so the next day is used", at: position,
        hint: "write 'next day \(Clock.text(time))'")
      return resolve(dayAfter(local.date), time, at: position)
    }
  }

  /// Returns the next date that the zone does not skip.
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

  /// If an action is a journey, changes the zone for the times of the following entries.
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

  /// Checks that each time was interpreted in the right zone and that reminders exist. Returns the end of the
  /// scenario.
  package func finish(explicitEnd: Instant?) -> Instant {
    for reading in readings where timeline.zone(at: reading.instant) != reading.zone {
      // An entry at the instant of a journey may belong to either side of it.
      if timeline.stays.contains(where: { $0.from == reading.instant }) { continue }
      let there = reader.zones[timeline.zone(at: reading.instant)].identifier
      reader.error(
        "the phone is in \(there) then, but this time was read in \(reader.zones[reading.zone].identifier)",
        at: reading.position, hint: "move the entry to the other side of the journey")
    }
    ExistenceCheck(of: timeline, reader).check()
    checkDeletedParts()
    checkClocks()
    let end = explicitEnd ?? defaultEnd()
    if explicitEnd != nil { checkOnce(before: end) }
    return end
  }

  /// Returns the end of the local day of the last entry.
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
          at: entry.position, hint: "use a later 'end' or a longer 'for'")
      }
    }
  }
}

extension TimelineReader {
  /// Warns about clocks that are set to another year, because this is rarely intended.
  private func checkClocks() {
    for entry in timeline.entries {
      guard case .once(let instant) = entry.timing else { continue }
      for case .event(.setClock(let ahead)) in entry.actions {
        let here = reader.zones[timeline.zone(at: instant)]
        let shown = here.local(at: instant + ahead)
        if shown.date.year == here.local(at: instant).date.year { continue }
        reader.warning(
          "the clock then shows \(shown.words), in another year", at: entry.position,
          hint: "the length counts from the real time, not from what the clock shows; +0 h sets it right")
      }
    }
  }

  /// Reports a move out of a part of the list, such as a room, that has been deleted.
  private func checkDeletedParts() {
    if reader.names.partDeletions.isEmpty { return }
    // The last entry that begins before a deletion contains it.
    let starts = timeline.entries.map(\.position)
    let deleting = Set(
      reader.names.partDeletions.compactMap { deletion in starts.filter { $0 <= deletion }.max() })
    var steps: [(instant: Instant, position: SourcePosition, move: PartMove)] = []
    for entry in timeline.entries {
      guard case .once(let instant) = entry.timing else { continue }
      for case .event(.inApp(.batch(let batch))) in entry.actions {
        if let move = reader.names.moves[batch.index] { steps.append((instant, entry.position, move)) }
      }
    }
    var deletions: [[String]: (line: Int32, heir: String)] = [:]
    for (_, position, move) in steps.sorted(by: { ($0.instant, $0.position) < ($1.instant, $1.position) }) {
      if let deletion = deletions[[move.attribute, move.value]] {
        reader.error(
          "there is no \(move.attribute) '\(move.value)' then, because line \(deletion.line) deletes it",
          at: position, hint: "its items are in '\(deletion.heir)' since then")
      }
      if deleting.contains(position) {
        deletions[[move.attribute, move.value]] = (position.line, move.other)
      }
      // Moving items to a deleted value creates the value again.
      deletions[[move.attribute, move.other]] = nil
    }
  }
}

/// Checks, for each device, whether a reminder exists when the time line creates, edits, snoozes or deletes
/// it. With sync, another device may have created the reminder.
struct ExistenceCheck {
  private struct Change {
    enum Kind {
      case creates, edits, snoozes, deletes
      /// Resets the device to its initial state.
      case resets
    }

    var kind: Kind
    /// Whether the entry is an error if the reminder is missing or, for `creates`, if it already exists.
    var impliesExistence = false
    var reminder: ReminderID?
    var instant: Instant
    var device: UInt8
    var position: SourcePosition
  }

  private let reader: Reader
  private var changes: [Change] = []
  /// The reminders that repeated entries create or delete. Whether they exist is not checked.
  private var unknown: Set<ReminderID> = []

  init(of timeline: Timeline, _ reader: Reader) {
    self.reader = reader
    for entry in timeline.entries {
      for action in entry.actions {
        guard let (kind, reminder, impliesExistence) = Self.change(action) else { continue }
        guard case .once(let instant) = entry.timing else {
          if let reminder { unknown.insert(reminder) }
          continue
        }
        changes.append(
          Change(
            kind: kind, impliesExistence: impliesExistence, reminder: reminder, instant: instant,
            device: entry.device,
            position: entry.position))
      }
    }
  }

  private static func change(_ action: TimelineAction) -> (Change.Kind, ReminderID?, impliesExistence: Bool)?
  {
    switch action {
    case .event(.create(let reminder)): (.creates, reminder, true)
    case .event(.edit(let reminder, _)): (.edits, reminder, true)
    case .event(.snooze(let reminder, _)), .event(.snoozeUntil(let reminder, _)): (.snoozes, reminder, true)
    case .delete(let reminder): (.deletes, reminder, true)
    case .event(.cancel(let reminder)): (.deletes, reminder, false)
    case .event(.reinstall): (.resets, nil, false)
    default: nil
    }
  }

  /// Returns whether a reminder exists on any device at the time of a change. It exists if the last change on
  /// the device up to that time is a creation.
  private static func existed(before change: Change, among all: [Change]) -> Bool {
    let earlier = all.filter { $0.instant <= change.instant && ($0.kind == .creates || $0.kind == .deletes) }
    return Set(earlier.map(\.device)).contains { device in
      earlier.filter { $0.device == device }.max { $0.instant < $1.instant }?.kind == .creates
    }
  }

  private func report(_ change: Change, missing name: String) {
    let hint = "create it first: 'create \(name)'"
    switch change.kind {
    case .deletes:
      reader.error("'\(name)' does not exist then, so it cannot be deleted", at: change.position, hint: hint)
    case .edits:
      reader.warning("'\(name)' does not exist then, so this creates it", at: change.position, hint: hint)
    case .snoozes:
      reader.warning(
        "'\(name)' does not exist then, so it cannot be snoozed", at: change.position, hint: hint)
    case .creates, .resets: break
    }
  }

  /// Reports the creation of an existing reminder, and the edit, snooze or deletion of a missing one.
  func check() {
    let names = reader.names.reminders.all
    let byReminder = reader.names.hasSync ? Dictionary(grouping: changes, by: \.reminder) : [:]
    for device in Set(changes.map(\.device)).sorted() {
      var missing = reader.names.remindersCreatedLater
      let here = changes.enumerated().filter { $0.element.device == device }
        .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
      for change in here.map(\.element) {
        guard let reminder = change.reminder else {
          missing = reader.names.remindersCreatedLater
          continue
        }
        let exists = !missing.contains(reminder)
        if change.kind != .creates, change.impliesExistence, !exists, !unknown.contains(reminder),
          !Self.existed(before: change, among: byReminder[reminder] ?? [])
        {
          report(change, missing: names[reminder.index])
        }
        switch change.kind {
        case .creates:
          missing.remove(reminder)
          if change.impliesExistence, exists, !unknown.contains(reminder) {
            reader.warning(
              "'\(names[reminder.index])' exists already, so this has no effect", at: change.position,
              hint: reader.names.remindersCreatedLater.contains(reminder)
                ? nil : "declare it with 'exists: later' if it does not exist from the start")
          }
        case .edits: missing.remove(reminder)
        case .snoozes: break
        case .deletes: missing.insert(reminder)
        case .resets: break
        }
      }
    }
  }
}
