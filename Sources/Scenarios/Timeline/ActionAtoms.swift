import CivilTime
package import DeviceSimulation
import ReminderMatching
import ScenarioModel
package import TextFormats
package import TriggerModel

extension Atom<LocationPermission> {
  package static var locationPermission: Atom<LocationPermission> {
    .choice(
      "PERMISSION", "a location permission", LocationPermission.allCases.map { (String(describing: $0), $0) })
  }
}

extension Atom<Coordinate> {
  /// `[latitude, longitude]`, or the centre of a place.
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

/// A time of day, and the date when one is named.
struct Until: Hashable {
  var date: CivilDate?
  var millisecondOfDay: Int32
}

extension Atom<Until> {
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
        return both.parse(word, reader).map { Until(date: $0.date, millisecondOfDay: $0.millisecondOfDay) }
      }
      return time.parse(word, reader).map { Until(date: nil, millisecondOfDay: $0) }
    }
  }
}

extension Atom<TimelineAction> {
  /// `FACT = VALUE`, behind `set`.
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
          "'\(fact)' stands in a text of a template, which keeps its first value", at: name.position,
          hint: "leave it out of the text, or 'edit' the reminder to one with the new text")
      }
      return Assignment.action(fact, Word(String(value), at: word.position.advanced(by: column)), reader)
    }
  }

  /// A reminder that was done: the instant from which its schedule counts is now. Several that the person marks, with
  /// commas between them, are done at once.
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

  /// `REMINDER to NAME`, behind `edit`.
  static var edit: Atom {
    Atom(
      name: "REMINDER to NAME", meaning: "a reminder and its edit", pattern: "[^ ].* +to +[^ ]+",
      write: onlyInSentences
    ) { word, reader in
      let parts = word.text.split(separator: " ", omittingEmptySubsequences: true)
      guard parts.count >= 3, parts[parts.count - 2] == "to" else {
        reader.error("an edit is named behind 'to'", at: word.position, hint: "such as 'edit milk to later'")
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
  /// A fact takes a value of its kind; an instant can be `now`.
  static func action(_ name: String, _ value: Word, _ reader: Reader) -> TimelineAction? {
    guard let position = reader.names.facts.position(of: name),
      let fact = FactConstants.declaration(name, reader)
    else { return nil }
    if fact.kind == .instant, value.text == "now" { return .setToNow(FactID(position)) }
    return FactConstants.value(value, of: fact, reader).map { .event(.fact(FactID(position), $0)) }
  }

  /// A reminder counts from an instant, and that is now.
  static func completion(of reminder: String, at position: SourcePosition, _ reader: Reader)
    -> TimelineAction?
  {
    guard let index = reader.names.reminders.position(of: reminder) else { return nil }
    return fact(completing: reminder, at: position, reader).map { .complete(ReminderID(index), $0) }
  }

  /// The instant from which a reminder counts.
  package static func fact(completing reminder: String, at position: SourcePosition, _ reader: Reader)
    -> FactID?
  {
    guard let index = reader.names.reminders.position(of: reminder) else { return nil }
    let names = reader.names
    // What is wrong with it is said there.
    if names.unreadReminders.contains(ReminderID(index)) { return nil }
    guard let fact = names.factsOfReminders.indices.contains(index) ? names.factsOfReminders[index] : nil
    else {
      reader.error(
        "'\(reminder)' counts from no fact: there is nothing that doing it would set", at: position,
        hint:
          "a schedule such as 'when: 7 days after FACT at 09:00' begins anew; 'cancel \(reminder)' ends it")
      return nil
    }
    guard let id = names.facts.position(of: fact), FactConstants.declaration(fact, reader)?.kind == .instant
    else {
      reader.error(
        "'\(reminder)' counts from a date, which is not another when it is done", at: position,
        hint: "give the new date: 'set \(fact) = 2026-03-02'")
      return nil
    }
    return FactID(id)
  }

  /// The fact that takes a value; nil for other actions.
  static func fact(of action: TimelineAction, _ writer: Writer) -> String? {
    switch action {
    case .event(.fact(let fact, let value)) where !value.isMissing:
      writer.known.scenario.facts[fact.index].name
    case .setToNow(let fact): writer.known.scenario.facts[fact.index].name
    default: nil
    }
  }

  /// The value that it takes.
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

  /// The reminder that is replaced; nil for other actions.
  static func reminder(of action: TimelineAction, _ writer: Writer) -> String? {
    guard case .event(.edit(let reminder, _)) = action else { return nil }
    return writer.known.scenario.reminders[reminder.index].declaration.id
  }

  /// The name of what takes its place.
  static func name(of action: TimelineAction, _ writer: Writer) -> Word? {
    guard case .event(.edit(_, let edit)) = action else { return nil }
    return Word(writer.known.scenario.edits[Int(edit)].name, at: .start)
  }
}

extension Atom<LinkID> {
  /// A link that the time line opens. Any text: what leads nowhere is what a scenario may want to show.
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
