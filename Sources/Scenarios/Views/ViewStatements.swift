package import ScenarioModel
package import TextFormats
import TriggerModel

/// What a list of our app shows, as sentences say it: `anna today, 3 this week, nothing overdue`.
package enum ViewStatements {
  private static let groups = ViewGroup.allCases.map { ($0.words, $0) }

  package static let waysToSayIt =
    "REMINDER · REMINDER GROUP · not REMINDER · N entries · N GROUP · nothing GROUP · N of N done · all caught up, "
    + "where GROUP is " + groups.map(\.0).joined(separator: ", ")

  /// An attribute of items whose values are names.
  package static func attribute(_ word: Word, _ reader: Reader) -> String? {
    let known = reader.names.itemKinds.flatMap(\.attributes).filter { $0.fact?.kind == .name }.map(\.name)
    // What is written of a scenario has no items, but their facts.
    let isFact = reader.names.facts.all.contains { $0.hasSuffix("." + word.text) }
    if known.contains(word.text) || isFact { return word.text }
    reader.error(
      "no item has an attribute '\(word.text)' that holds a name", at: word.position,
      hint: NearestNames.hint(for: word.text, among: known))
    return nil
  }

  /// - Parameter parts: The attribute by which the list is parted.
  package static func parse(_ words: Words, parts: String?, _ reader: Reader) -> [ViewClaim.Statement]? {
    var lists: [[Word]] = [[]]
    for word in words.words {
      var text = word.text
      let endsOne = text.hasSuffix(",")
      if endsOne { text.removeLast() }
      lists[lists.count - 1] += text.split(separator: " ").map { Word(String($0), at: word.position) }
      if endsOne { lists.append([]) }
    }
    var statements: [ViewClaim.Statement] = []
    for list in lists {
      guard let first = list.first else {
        reader.error("nothing stands before or behind the comma", at: words.sentence.position)
        return nil
      }
      guard let statement = statement(list, at: first.position, parts: parts, reader) else { return nil }
      statements.append(statement)
    }
    return statements
  }

  private static func statement(
    _ words: [Word], at position: SourcePosition, parts: String?, _ reader: Reader
  ) -> ViewClaim.Statement? {
    var rest = words[...]
    func group() -> ViewGroup? {
      let text = rest.map(\.text)
      guard
        let found = groups.first(where: { text.starts(with: $0.0.split(separator: " ").map(String.init)) })
      else { return nil }
      rest = rest.dropFirst(found.0.split(separator: " ").count)
      return found.1
    }
    func end<Value>(_ value: Value) -> Value? {
      guard let left = rest.first else { return value }
      reader.error(
        "unexpected '\(left.text)'", at: left.position,
        hint: NearestNames.hint(for: left.text, among: groups.map(\.0))
          ?? "groups are \(groups.map(\.0).joined(separator: ", "))")
      return nil
    }
    let texts = words.map(\.text)
    if texts == ["all", "caught", "up"] { return .allCaughtUp }
    if texts[0] == "nothing", words.count > 1 {
      rest = rest.dropFirst()
      let group = group()
      return end(.count(0, group))
    }
    if let number = Int(texts[0]), number >= 0 {
      if words.count == 4, texts[1] == "of", texts[3] == "done", let total = Int(texts[2]) {
        return .done(number, of: total)
      }
      rest = rest.dropFirst()
      if rest.count == 1, ["entry", "entries"].contains(texts[1]) { return .count(number, nil) }
      guard let group = group() else {
        reader.error(
          "what is there \(number) of?", at: position,
          hint: "write '\(number) entries', '\(number) today' or '\(number) of 7 done'")
        return nil
      }
      return end(.count(number, group))
    }
    let isNot = texts[0] == "not"
    if isNot { rest = rest.dropFirst() }
    guard let reminder = reminder(&rest, at: position, reader) else { return nil }
    if isNot { return end(.hides(reminder)) }
    let found = group()
    var part: String?
    if rest.first?.text == "in", rest.count > 1 {
      guard parts != nil else {
        reader.error(
          "the list is not parted", at: rest[rest.startIndex].position,
          hint: "name an attribute, such as 'today by room on day 3 at 08:00 shows …'")
        return nil
      }
      part = rest[rest.startIndex + 1].text
      rest = rest.dropFirst(2)
    }
    return end(.shows(reminder, found, part: part))
  }

  /// A reminder by its name, or by that of the only item that it is of.
  private static func reminder(
    _ words: inout ArraySlice<Word>, at position: SourcePosition, _ reader: Reader
  ) -> ReminderID? {
    let long = words.prefix(3).map(\.text).joined(separator: " ")
    if let index = reader.names.reminders.position(of: long) {
      words = words.dropFirst(3)
      return ReminderID(index)
    }
    guard let word = words.popFirst() else {
      reader.error("the name of a reminder is missing", at: position)
      return nil
    }
    if reader.names.reminders.position(of: word.text) == nil {
      let items = reader.names.itemKinds.flatMap(\.items)
      let made = items.first { $0.name == word.text }?.reminders ?? []
      if made.count == 1, let index = reader.names.reminders.position(of: made[0]) {
        return ReminderID(index)
      }
      if made.count > 1 {
        reader.error(
          "'\(word.text)' has several reminders", at: word.position,
          hint: "write which: " + made.joined(separator: ", "))
        return nil
      }
    }
    return Atom<ReminderID>.reminderID.parse(word, reader)
  }
}

extension ViewClaim.Statement {
  /// In the words of a scenario file.
  package func sentence(reminders: [String]) -> String {
    switch self {
    case .shows(let reminder, let group, let part):
      reminders[reminder.index] + (group.map { " \($0.words)" } ?? "") + (part.map { " in \($0)" } ?? "")
    case .hides(let reminder): "not \(reminders[reminder.index])"
    case .count(let number, nil): number == 1 ? "1 entry" : "\(number) entries"
    case .count(0, let group?): "nothing \(group.words)"
    case .count(let number, let group?): "\(number) \(group.words)"
    case .done(let number, of: let total): "\(number) of \(total) done"
    case .allCaughtUp: "all caught up"
    }
  }
}
