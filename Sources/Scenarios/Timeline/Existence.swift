import CivilTime
import DeviceSimulation
import ScenarioModel
import TextFormats
import TriggerModel

/// Whether a reminder is there when a time line makes or deletes it, on each device. What is there on another device
/// may have been told by a sync service.
struct Existence {
  private struct Change {
    enum Kind {
      case begins, edits, putsOff, ends
      /// Everything on the device is as at first.
      case anew
    }

    var kind: Kind
    /// The line says that it is there, or that it is not.
    var isClaim = false
    var reminder: ReminderID?
    var instant: Instant
    var device: UInt8
    var position: SourcePosition
  }

  private let reader: Reader
  private var changes: [Change] = []
  /// Those that repeated entries make or delete: nothing is said of them.
  private var unknown: Set<ReminderID> = []

  init(of timeline: Timeline, _ reader: Reader) {
    self.reader = reader
    for entry in timeline.entries {
      for action in entry.actions {
        guard let (kind, reminder, isClaim) = Self.change(action) else { continue }
        guard case .once(let instant) = entry.timing else {
          if let reminder { unknown.insert(reminder) }
          continue
        }
        changes.append(
          Change(
            kind: kind, isClaim: isClaim, reminder: reminder, instant: instant, device: entry.device,
            position: entry.position))
      }
    }
  }

  private static func change(_ action: TimelineAction) -> (Change.Kind, ReminderID?, isClaim: Bool)? {
    switch action {
    case .event(.create(let reminder)): (.begins, reminder, true)
    case .event(.edit(let reminder, _)): (.edits, reminder, true)
    case .event(.snooze(let reminder, _)), .event(.snoozeUntil(let reminder, _)): (.putsOff, reminder, true)
    case .delete(let reminder): (.ends, reminder, true)
    case .event(.cancel(let reminder)): (.ends, reminder, false)
    case .event(.reinstall): (.anew, nil, false)
    default: nil
    }
  }

  /// Whether a reminder was made on some device by then, and not ended there.
  private static func exists(before change: Change, among all: [Change]) -> Bool {
    let earlier = all.filter { $0.instant <= change.instant && ($0.kind == .begins || $0.kind == .ends) }
    return Set(earlier.map(\.device)).contains { device in
      earlier.filter { $0.device == device }.max { $0.instant < $1.instant }?.kind == .begins
    }
  }

  private func report(_ change: Change, missing name: String) {
    let hint = "'create \(name)' makes it"
    switch change.kind {
    case .ends:
      reader.error("'\(name)' does not exist then, so it cannot be deleted", at: change.position, hint: hint)
    case .edits:
      reader.warning("'\(name)' does not exist then, and this makes it", at: change.position, hint: hint)
    case .putsOff:
      reader.warning(
        "'\(name)' does not exist then, so it cannot be put off", at: change.position, hint: hint)
    case .begins, .anew: break
    }
  }

  /// Reports what is made though it is there, and what is edited, put off or deleted though it is not.
  func check() {
    let names = reader.names.reminders.all
    let told = reader.names.hasSync ? Dictionary(grouping: changes, by: \.reminder) : [:]
    for device in Set(changes.map(\.device)).sorted() {
      var missing = reader.names.remindersMadeLater
      let here = changes.enumerated().filter { $0.element.device == device }
        .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
      for change in here.map(\.element) {
        guard let reminder = change.reminder else {
          missing = reader.names.remindersMadeLater
          continue
        }
        let isThere = !missing.contains(reminder)
        if change.kind != .begins, change.isClaim, !isThere, !unknown.contains(reminder),
          !Self.exists(before: change, among: told[reminder] ?? [])
        {
          report(change, missing: names[reminder.index])
        }
        switch change.kind {
        case .begins:
          missing.remove(reminder)
          if change.isClaim, isThere, !unknown.contains(reminder) {
            reader.warning(
              "'\(names[reminder.index])' exists already, so this makes nothing", at: change.position,
              hint: reader.names.remindersMadeLater.contains(reminder)
                ? nil : "'exists: later' in its declaration says that it does not exist from the start")
          }
        case .edits: missing.remove(reminder)
        case .putsOff: break
        case .ends: missing.insert(reminder)
        case .anew: break
        }
      }
    }
  }
}
