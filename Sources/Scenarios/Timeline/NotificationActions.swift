import DeviceSimulation
import ReminderMatching
import ScenarioModel
package import TextFormats
package import TriggerModel

extension Atom<NotificationAction> {
  /// `done`, or `snooze 3 days`.
  package static var notificationAction: Atom<NotificationAction> {
    let length = Atom<SnoozeLength>.snoozeLength
    return Atom(
      name: "ACTION", meaning: "done, or snooze and a length such as 3 days",
      pattern: "done|snooze +(?:\(Atom<TimeSpan>.duration.pattern)|[0-9]+ +months?)",
      write: { action, _ in .string(action.words) }
    ) { word, reader in
      if word.text == "done" { return .done }
      guard word.text.hasPrefix("snooze ") else {
        reader.error(
          "'\(word.text)' is nothing that can be done on a notification", at: word.position,
          hint: NearestNames.hint(for: word.text, among: ["done", "snooze 3 days"])
            ?? "there are 'done', and 'snooze' with a length such as 'snooze 3 days'")
        return nil
      }
      let rest = Word(String(word.text.dropFirst(7)), at: word.position.advanced(by: 7))
      guard let snoozed = length.parse(rest, reader) else { return nil }
      guard case .span(let span) = snoozed else {
        reader.error(
          "on a notification, a reminder is put off for a length of time", at: rest.position,
          hint: "such as '1 month', which is 30 days")
        return nil
      }
      return .snooze(span)
    }
  }
}

/// What the person does on a notification itself.
enum NotificationActs {
  static func read(_ fields: Fields<TimelineAction>) -> TimelineAction.Choice {
    let action = fields.optional(
      "press", .scalar(.notificationAction), "an action of the newest visible notification of a reminder",
      from: { if case .event(.act(_, let action)) = $0 { action } else { nil } })
    let reminder = fields.optional(
      "of", .scalar(.reminderID), "with 'press': the reminder",
      from: { if case .event(.act(let reminder, _)) = $0 { reminder } else { nil } })
    if fields.isPresent("press"), !fields.isPresent("of") {
      fields.error("'press' needs 'of'", at: "press", hint: "the reminder")
    }
    guard let action, let reminder, let reader = fields.reader else { return ("press", nil) }
    return ("press", act(action, on: reminder, at: fields.position(of: "press"), reader))
  }

  /// Nil, after the reader has been told, where the notification has no such action.
  static func act(
    _ action: NotificationAction, on reminder: ReminderID, at position: SourcePosition, _ reader: Reader
  ) -> TimelineAction? {
    let names = reader.names
    let own =
      names.actionsOfReminders.indices.contains(reminder.index)
      ? names.actionsOfReminders[reminder.index] : []
    let all = own + names.edits.filter { $0.reminder == reminder }.flatMap(\.declaration.notification.actions)
    guard all.contains(action) else {
      let name = names.reminders.all[reminder.index]
      reader.error(
        "the notification of '\(name)' has no such action '\(action.words)'", at: position,
        hint: all.isEmpty
          ? "declare it under 'notify': 'actions: [done, snooze 3 days]'"
          : "it has " + all.map(\.words).joined(separator: ", "))
      return nil
    }
    return .event(.act(reminder, action))
  }
}

extension Atom<TimelineAction> {
  /// `done on REMINDER`, behind `press`.
  static var pressed: Atom {
    let (action, reminder) = (Atom<NotificationAction>.notificationAction, Atom<ReminderID>.reminderID)
    return Atom(
      name: "ACTION on REMINDER", meaning: "an action of a notification, and its reminder",
      pattern: "(?:\(action.pattern)) +on +(?:\(reminder.pattern))", write: onlyInSentences
    ) { word, reader in
      guard let joint = word.text.firstRange(of: " on ") else {
        reader.error(
          "an action is on a notification", at: word.position, hint: "such as 'press done on milk'")
        return nil
      }
      let first = Word(String(word.text[..<joint.lowerBound]), at: word.position)
      let offset = word.text[..<joint.upperBound].unicodeScalars.count
      let second = Word(String(word.text[joint.upperBound...]), at: word.position.advanced(by: offset))
      guard let action = action.parse(first, reader), let id = reminder.parse(second, reader) else {
        return nil
      }
      return NotificationActs.act(action, on: id, at: first.position, reader)
    }
  }
}
