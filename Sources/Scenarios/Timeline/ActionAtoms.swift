import CivilTime
package import DeviceSimulation
import ReminderMatching
import ScenarioModel
package import TextFormats
package import TriggerModel

extension Atom<LocationPermission> {
  package static var locationPermission: Atom<LocationPermission> {
    .oneCase("PERMISSION", "a location permission")
  }
}

extension Atom<Coordinate> {
  /// A position as `[latitude, longitude]`, or the name of a place, which represents its centre.
  package static var position: Atom<Coordinate> {
    let coordinate = coordinate
    let place = Atom<String>.place
    return Atom(
      name: "[LAT, LON]", meaning: "a position such as [52.52, 13.405], or a place",
      pattern: "\(coordinate.pattern)|\(place.pattern)", write: coordinate.write
    ) { word, reader in
      if word.text.hasPrefix("[") { return coordinate.parse(word, reader) }
      return place.parse(word, reader).flatMap { name in
        reader.names.places.position(of: name).flatMap { reader.names.placeDeclarations[$0]?.center }
      }
    }
  }
}

/// The time of day at which a snooze ends, with a date if the file states one.
struct SnoozeEnd: Hashable {
  var date: CivilDate?
  var millisecondOfDay: Int32
}

extension Atom<SnoozeEnd> {
  static var until: Atom {
    let time = Atom<Int32>.timeOfDay
    let both = Atom<LocalDateTime>.dateTime
    return Atom(
      name: "[DATE] TIME", meaning: "a time of day such as 18:00, or a date and a time",
      pattern: "\(time.pattern)|\(both.pattern)", jsonTypes: nil,
      write: { until, writer in
        guard let date = until.date else { return time.write(until.millisecondOfDay, writer) }
        return both.write(LocalDateTime(date: date, millisecondOfDay: until.millisecondOfDay), writer)
      }
    ) { word, reader in
      if word.text.contains(" ") || word.text.contains("T") {
        return both.parse(word, reader).map {
          SnoozeEnd(date: $0.date, millisecondOfDay: $0.millisecondOfDay)
        }
      }
      return time.parse(word, reader).map { SnoozeEnd(date: nil, millisecondOfDay: $0) }
    }
  }
}

extension Atom<TimelineAction> {
  /// The assignment of a value to a fact, `FACT = VALUE`, which follows `set`.
  static var assignment: Atom {
    Atom(
      name: "FACT = VALUE", meaning: "a fact and its new value", pattern: #"[^ =]+ *= *[^ ].*"#,
      write: onlyInSentences
    ) { word, reader in
      guard let sign = word.text.firstIndex(of: "=") else {
        reader.error(
          "a fact is set with '='", at: word.position, hint: "such as 'set account.signedIn = true'")
        return nil
      }
      let behind = word.text[word.text.index(after: sign)...]
      let value = behind.drop { $0 == " " }
      let column = word.text.unicodeScalars.count - value.unicodeScalars.count
      let name = Word(word.text[..<sign].filter { $0 != " " }, at: word.position)
      guard let fact = Atom<String>.fact.parse(name, reader) else { return nil }
      if reader.names.factsInTexts.contains(fact) {
        reader.warning(
          "'\(fact)' is used in a text of a template, which keeps its first value", at: name.position,
          hint: "leave it out of the text, or use 'edit' to replace the reminder by one with the new text")
      }
      return Assignment.action(fact, Word(String(value), at: word.position.advanced(by: column)), reader)
    }
  }

  /// One or more completed reminders, separated by commas. Completing a reminder sets the fact from which its
  /// schedule counts to the current instant.
  static var completed: Atom {
    let reminder = Atom<String>.reminder
    return Atom(
      name: "\(reminder.name), …", meaning: reminder.meaning,
      pattern: "(?:\(reminder.pattern))(?: *,[^,]+)*",
      write: { action, writer in
        guard case .complete(let done, _) = action else { return onlyInSentences(action, writer) }
        return .string(writer.known.scenario.reminders[done.index].declaration.id)
      }
    ) { word, reader in
      if word.text.contains(",") {
        return BatchReader(word, reader).selection().map { .event(.inApp(.batch($0))) }
      }
      return reminder.parse(word, reader).flatMap { Assignment.completion(of: $0, at: word.position, reader) }
    }
  }

  /// A reminder and the name of its edit, `REMINDER to NAME`, which follows `edit`.
  static var edit: Atom {
    Atom(
      name: "REMINDER to NAME", meaning: "a reminder and its edit", pattern: "[^ ].* +to +[^ ]+",
      write: onlyInSentences
    ) { word, reader in
      let parts = word.text.split(separator: " ", omittingEmptySubsequences: true)
      guard parts.count >= 3, parts[parts.count - 2] == "to" else {
        reader.error(
          "the name of an edit follows 'to'", at: word.position, hint: "such as 'edit milk to later'")
        return nil
      }
      let reminder = parts.dropLast(2).joined(separator: " ")
      let column = reminder.unicodeScalars.count + 4
      return Edits.action(
        Word(reminder, at: word.position),
        Word(String(parts[parts.count - 1]), at: word.position.advanced(by: column)),
        reader)
    }
  }
}

package enum Assignment {
  /// Returns the action that sets a fact to a value. The value `now` is allowed for a fact of the kind
  /// `instant`.
  static func action(_ name: String, _ value: Word, _ reader: Reader) -> TimelineAction? {
    guard let position = reader.names.facts.position(of: name),
      let fact = FactConstants.declaration(name, reader)
    else { return nil }
    if fact.kind == .instant, value.text == "now" { return .setToNow(FactID(position)) }
    return FactConstants.value(value, of: fact, reader).map { .event(.fact(FactID(position), $0)) }
  }

  /// Returns the action that completes a reminder, by setting the fact from which the reminder's schedule
  /// counts to the current instant.
  static func completion(of reminder: String, at position: SourcePosition, _ reader: Reader)
    -> TimelineAction?
  {
    guard let index = reader.names.reminders.position(of: reminder) else { return nil }
    return fact(completing: reminder, at: position, reader).map { .complete(ReminderID(index), $0) }
  }

  /// Returns the fact from which a reminder's schedule counts. Returns `nil` after reporting that the
  /// reminder counts from no instant.
  package static func fact(completing reminder: String, at position: SourcePosition, _ reader: Reader)
    -> FactID?
  {
    guard let index = reader.names.reminders.position(of: reminder) else { return nil }
    let names = reader.names
    // Errors in the declaration have already been reported.
    guard let declaration = names.reminderDeclarations[index] else { return nil }
    guard let fact = declaration.triggers.lazy.compactMap(\.countsFrom).first
    else {
      reader.error(
        "'\(reminder)' counts from no fact, so there is nothing to set when it is completed", at: position,
        hint:
          "a schedule such as 'when: 7 days after FACT at 09:00' begins again; 'cancel \(reminder)' ends it")
      return nil
    }
    guard let id = names.facts.position(of: fact), FactConstants.declaration(fact, reader)?.kind == .instant
    else {
      reader.error(
        "'\(reminder)' counts from a date, which completing it does not change", at: position,
        hint: "set the new date: 'set \(fact) = 2026-03-02'")
      return nil
    }
    return FactID(id)
  }

  /// Returns the name of the fact that an action sets, or `nil` for other actions.
  static func fact(of action: TimelineAction, _ writer: Writer) -> String? {
    switch action {
    case .event(.fact(let fact, let value)) where !value.isMissing:
      writer.known.scenario.facts[fact.index].name
    case .setToNow(let fact): writer.known.scenario.facts[fact.index].name
    default: nil
    }
  }

  /// Returns the value to which an action sets a fact, or `nil` for other actions.
  static func value(of action: TimelineAction, _ writer: Writer) -> Word? {
    switch action {
    case .event(.fact(let fact, let value)) where !value.isMissing:
      Word(FactConstants.text(value, of: writer.known.scenario.facts[fact.index], writer), at: .start)
    case .setToNow: Word("now", at: .start)
    default: nil
    }
  }
}

enum Edits {
  static func action(_ reminder: Word, _ edit: Word, _ reader: Reader) -> TimelineAction? {
    guard let name = Atom<String>.reminder.parse(reminder, reader),
      let id = reader.names.reminders.position(of: name).map({ ReminderID($0) })
    else { return nil }
    guard let index = reader.names.edits.firstIndex(where: { $0.reminder == id && $0.name == edit.text })
    else {
      let known = reader.names.edits.filter { $0.reminder == id }.map(\.name)
      reader.error(
        "unknown edit '\(edit.text)' of '\(name)'", at: edit.position,
        declaredUnder: "edits",
        hint: NearestNames.hint(for: edit.text, among: known) ?? "declare it under 'edits'")
      return nil
    }
    return .event(.edit(id, UInt32(index)))
  }

  /// Returns the name of the reminder that an action replaces, or `nil` for other actions.
  static func reminder(of action: TimelineAction, _ writer: Writer) -> String? {
    guard case .event(.edit(let reminder, _)) = action else { return nil }
    return writer.known.scenario.reminders[reminder.index].declaration.id
  }

  /// Returns the name of the edit that an action applies, or `nil` for other actions.
  static func name(of action: TimelineAction, _ writer: Writer) -> Word? {
    guard case .event(.edit(_, let edit)) = action else { return nil }
    return Word(writer.known.scenario.edits[Int(edit)].name, at: .start)
  }
}

extension Atom<LinkID> {
  /// A link that the time line opens. Any text is allowed, so that a scenario can test invalid links.
  static var link: Atom {
    Atom(
      name: "LINK", meaning: "a link such as app://nav/home", pattern: "[^ ]+",
      write: { link, writer in
        .string(writer.known.scenario.links?.opened[link.index] ?? "")
      }
    ) { word, reader in
      reader.names.links.append(word.text)
      return reader.names.links.position(of: word.text).map { LinkID($0) }
    }
  }
}

extension Atom<NotificationAction> {
  /// An action button of a notification: `done`, or `snooze 3 days`.
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
          "'\(word.text)' is not an action of a notification", at: word.position,
          hint: NearestNames.hint(for: word.text, among: ["done", "snooze 3 days"])
            ?? "actions are 'done', and 'snooze' with a length such as 'snooze 3 days'")
        return nil
      }
      let rest = Word(String(word.text.dropFirst(7)), at: word.position.advanced(by: 7))
      guard let snoozed = length.parse(rest, reader) else { return nil }
      guard case .span(let span) = snoozed else {
        reader.error(
          "an action of a notification snoozes for a length of time", at: rest.position,
          hint: "such as '1 month', which is 30 days")
        return nil
      }
      return .snooze(span)
    }
  }
}

extension NotificationAction {
  /// Returns the action, or `nil` after reporting that the notification has no such button.
  func timelineAction(on reminder: ReminderID, at position: SourcePosition, _ reader: Reader)
    -> TimelineAction?
  {
    let names = reader.names
    let own = names.reminderDeclarations[reminder.index]?.notification.actions ?? []
    let all = own + names.edits.filter { $0.reminder == reminder }.flatMap(\.declaration.notification.actions)
    guard all.contains(self) else {
      let name = names.reminders.all[reminder.index]
      reader.error(
        "the notification of '\(name)' has no action '\(words)'", at: position,
        hint: all.isEmpty
          ? "declare it under 'notify': 'actions: [done, snooze 3 days]'"
          : "it has " + all.map(\.words).joined(separator: ", "))
      return nil
    }
    return .event(.act(reminder, self))
  }
}

extension Atom<TimelineAction> {
  /// A pressed button and its reminder, `done on REMINDER`, which follow `press`.
  static var pressed: Atom {
    let (action, reminder) = (Atom<NotificationAction>.notificationAction, Atom<ReminderID>.reminderID)
    return Atom(
      name: "ACTION on REMINDER", meaning: "an action of a notification, and its reminder",
      pattern: "(?:\(action.pattern)) +on +(?:\(reminder.pattern))", write: onlyInSentences
    ) { word, reader in
      guard let joint = word.text.firstRange(of: " on ") else {
        reader.error(
          "the reminder of the action is missing", at: word.position, hint: "such as 'press done on milk'")
        return nil
      }
      let first = Word(String(word.text[..<joint.lowerBound]), at: word.position)
      let offset = word.text[..<joint.upperBound].unicodeScalars.count
      let second = Word(String(word.text[joint.upperBound...]), at: word.position.advanced(by: offset))
      guard let action = action.parse(first, reader), let id = reminder.parse(second, reader) else {
        return nil
      }
      return action.timelineAction(on: id, at: first.position, reader)
    }
  }
}

extension Atom<ScreenTimePermission> {
  package static var screenTimePermission: Atom<ScreenTimePermission> {
    .oneCase("PERMISSION", "a Screen Time permission")
  }
}

extension Atom<[TimelineAction]> {
  /// The selected apps, such as `instagram, mail`, which follow `choose apps`. All other declared apps are
  /// deselected.
  static var appSelection: Atom {
    let app = Atom<AppID>.appID
    return Atom(
      name: "APP, …", meaning: "the other apps that the person chooses, or none",
      pattern: "none|(?:\(app.pattern))(?: *, *(?:\(app.pattern)))*", write: onlyInSentences
    ) { word, reader in
      var chosen: Set<AppID> = []
      if word.text != "none" {
        for name in word.partsBetweenCommas {
          guard let id = app.parse(name, reader) else { return nil }
          chosen.insert(id)
        }
      }
      return reader.names.apps.all.indices.map { index in
        .event(.appChoice(AppID(index), isChosen: chosen.contains(AppID(index))))
      }
    }
  }
}

/// The length of a snooze.
enum SnoozeLength: Hashable, Sendable {
  case span(TimeSpan)
  /// A number of calendar months. The snooze ends at the same time of day and on the same day of the month,
  /// or on the last day of a shorter month.
  case calendarMonths(Int)

  /// The length of "1 month" on a snooze button.
  static let month = TimeSpan.days(30)
  static let months = 1...120

  func action(for reminder: ReminderID) -> TimelineAction {
    switch self {
    case .span(let span): .event(.snooze(reminder, for: span))
    case .calendarMonths(let months): .snoozeMonths(reminder, months)
    }
  }
}

extension Atom<SnoozeLength> {
  /// The length of a snooze: `3 days`, `1 month` for 30 days, or `1 calendar month`.
  static var snoozeLength: Atom {
    let months = #"[0-9]+ +(?:calendar +)?months?"#
    let duration = Atom<TimeSpan>.duration
    return Atom(
      name: "LENGTH",
      meaning: "a duration such as 4 h or 3 days, '1 month' of 30 days, or '1 calendar month'",
      pattern: "\(months)|\(duration.pattern)", jsonTypes: nil,
      write: { length, writer in
        switch length {
        case .span(let span): duration.write(span, writer)
        case .calendarMonths(let months):
          .string(months == 1 ? "1 calendar month" : "\(months) calendar months")
        }
      }
    ) { word, reader in
      guard let match = word.text.wholeMatch(of: /([0-9]+) +(calendar +)?months?/) else {
        return duration.parse(word, reader).map { .span($0) }
      }
      guard let count = Int(match.1), SnoozeLength.months.contains(count) else {
        reader.error(
          "'\(word.text)' is not from 1 to \(SnoozeLength.months.upperBound) months", at: word.position)
        return nil
      }
      return match.2 == nil
        ? .span(TimeSpan(milliseconds: SnoozeLength.month.milliseconds * Int64(count)))
        : .calendarMonths(count)
    }
  }
}

extension Atom<Int> {
  /// The index of a product that is declared by a plan.
  static var product: Atom {
    Atom(
      name: "PRODUCT", meaning: "the name of a product", pattern: Atom<String>.namePattern,
      write: { product, writer in .string(writer.known.scenario.plans?.products[product] ?? "") }
    ) { word, reader in
      if let position = reader.names.products.position(of: word.text) { return position }
      reader.error(
        "unknown product '\(word.text)'", at: word.position,
        hint: NearestNames.hint(for: word.text, among: reader.names.products.all)
          ?? "declare it under 'plans', for example 'paid: {products: {\(word.text): month}}'")
      return nil
    }
  }
}

extension NotificationAction {
  /// The action in the notation of files, such as `done` or `snooze 3 d`.
  package var words: String {
    switch self {
    case .done: "done"
    case .snooze(let span): "snooze \(Atom<TimeSpan>.text(span))"
    }
  }
}
