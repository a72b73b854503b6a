import CivilTime
import ReminderMatching
package import ScenarioModel
package import TextFormats
import TriggerModel

/// Expectations about lists in the app: `upcoming on day 3 at 08:00 shows anna today, bob this week`.
enum ViewSentences {
  static let waysToSayIt =
    "upcoming on DATE at TIME shows REMINDER GROUP, … · today by ATTRIBUTE on DATE at TIME shows REMINDER in VALUE, … "
    + "· upcoming on DATE at TIME is empty. What it shows: "
    + ViewStatements.waysToSayIt

  /// Returns whether a sentence is about a list in the app. If its first word is also the name of a reminder,
  /// the sentence is about the reminder.
  static func isView(_ sentence: Words, _ reader: Reader) -> Bool {
    guard let first = sentence.first?.text else { return false }
    return AppView(rawValue: first) != nil && reader.names.reminders.position(of: first) == nil
  }

  static func parse(_ sentence: Words, _ reader: Reader) -> Expectation.Claim? {
    guard let claim = read(sentence, reader) else { return nil }
    guard isMoment(claim.occasion) else {
      reader.error(
        "the date or the time of the list is missing", at: sentence.sentence.position,
        hint: "such as '\(claim.view.rawValue) on day 3 at 08:00 shows …'")
      return nil
    }
    return .view(claim)
  }

  static func isMoment(_ occasion: Occasion) -> Bool {
    occasion.date != nil && occasion.time?.moment != nil && occasion.offset == nil
  }

  /// The long form of the claim. The moment has separate keys.
  static var long: Format<ListExpectation> {
    let sentence = Format<ListExpectation>.shortForm(
      "what a list shows", schema: ["type": "string", "pattern": .string("^(?:\(pattern(moment: "")))$")]
    ) { words, _, reader in read(words, reader) }
    return Format(
      schema: sentence.schema, read: sentence.read,
      write: { claim, writer in
        var claim = claim
        claim.occasion = .always
        return .string(claim.sentence(reminders: writer.known.scenario.reminders.map(\.declaration.id)))
      })
  }

  static var pattern: String { pattern(moment: moment) }

  private static func pattern(moment: String) -> String {
    let views = AppView.allCases.map(\.rawValue).joined(separator: "|")
    let by = "(?: +by +(?:\(Atom<String>.namePattern)))?"
    return "(?:\(views))\(by)\(moment) +(?:shows +.+|is +empty)"
  }

  /// The regular expression for a date and a time in either order.
  private static var moment: String {
    let date = "on +(?:\(Atom<CivilDate>.date.pattern))"
    let time = "at +(?:\(Atom<Int32>.timeOfDay.pattern))"
    return " +(?:\(date) +\(time)|\(time) +\(date))"
  }

  private static func read(_ sentence: Words, _ reader: Reader) -> ListExpectation? {
    var words = sentence
    guard let first = words.next(), let view = AppView(rawValue: first.text) else {
      reader.error(
        "'\(sentence.first?.text ?? "")' is not a list of the app", at: sentence.sentence.position,
        hint: NearestNames.hint(for: sentence.first?.text ?? "", among: AppView.allCases.map(\.rawValue)))
      return nil
    }
    var parts: String?
    if words.take("by") {
      guard let word = words.next(), let attribute = ViewStatements.attribute(word, reader) else {
        return nil
      }
      parts = attribute
    }
    guard let verb = words.texts.firstIndex(where: { $0 == "shows" || $0 == "is" }) else {
      reader.error(
        "the expectation makes no claim about the list", at: words.sentence.position,
        hint: "such as '\(view.rawValue) on day 3 at 08:00 shows milk today', or 'is empty'")
      return nil
    }
    var when = words.prefix(verb)
    guard let moment = ExpectationSentences.Parts.take(from: &when, .never, reader) else { return nil }
    var rest = words.dropFirst(verb)
    var statements: [ListExpectation.Statement] = [.count(0, nil)]
    if !rest.take("is", "empty") {
      guard rest.take("shows") else {
        reader.error(
          "'\(rest.joined.text)' is not a claim about a list", at: rest.position,
          hint: "write 'shows …' or 'is empty'")
        return nil
      }
      guard let list = ViewStatements.parse(rest, parts: parts, reader) else { return nil }
      statements = list
    }
    return ListExpectation(view: view, parts: parts, statements: statements, occasion: moment.occasion)
  }
}

extension ListExpectation {
  /// Returns the claim in the notation of scenario files.
  func sentence(reminders: [String]) -> String {
    let head = view.rawValue + (parts.map { " by \($0)" } ?? "") + occasion.phrase
    if statements == [.count(0, nil)] { return head + " is empty" }
    return head + " shows " + statements.map { $0.sentence(reminders: reminders) }.joined(separator: ", ")
  }
}

/// Statements about a list in the app: `anna today, 3 this week, nothing overdue`.
package enum ViewStatements {
  private static let groups = ViewGroup.allCases.map { ($0.words, $0) }

  package static let waysToSayIt =
    "REMINDER · REMINDER GROUP · not REMINDER · N entries · N GROUP · nothing GROUP · N of N done · all caught up, "
    + "where GROUP is " + groups.map(\.0).joined(separator: ", ")

  /// Returns the name of an item attribute that groups the list, or `nil` after reporting that it is unknown.
  package static func attribute(_ word: Word, _ reader: Reader) -> String? {
    let known = reader.names.itemKinds.flatMap(\.attributes).filter { $0.fact?.kind == .name }.map(\.name)
    // A scenario that the tool has written declares facts instead of items, so also search the facts.
    let isFact = reader.names.facts.all.contains { $0.hasSuffix("." + word.text) }
    if known.contains(word.text) || isFact { return word.text }
    reader.error(
      "no item has an attribute '\(word.text)' that holds a name", at: word.position,
      hint: NearestNames.hint(for: word.text, among: known))
    return nil
  }

  /// Parses statements.
  ///
  /// - Parameter parts: The attribute that groups the list, or `nil` if the list is not grouped.
  package static func parse(_ words: Words, parts: String?, _ reader: Reader) -> [ListExpectation.Statement]?
  {
    var lists: [[Word]] = [[]]
    for word in words.words {
      var text = word.text
      let endsOne = text.hasSuffix(",")
      if endsOne { text.removeLast() }
      lists[lists.count - 1] += text.split(separator: " ").map { Word(String($0), at: word.position) }
      if endsOne { lists.append([]) }
    }
    var statements: [ListExpectation.Statement] = []
    for list in lists {
      guard let first = list.first else {
        reader.error("a statement is missing before or after the comma", at: words.sentence.position)
        return nil
      }
      guard let statement = statement(list, at: first.position, parts: parts, reader) else { return nil }
      statements.append(statement)
    }
    return statements
  }

  private static func statement(
    _ words: [Word], at position: SourcePosition, parts: String?, _ reader: Reader
  ) -> ListExpectation.Statement? {
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
          "the group of the \(number) entries is missing", at: position,
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
          "the list is not divided", at: rest[rest.startIndex].position,
          hint: "name an attribute, such as 'today by room on day 3 at 08:00 shows …'")
        return nil
      }
      part = rest[rest.startIndex + 1].text
      rest = rest.dropFirst(2)
    }
    return end(.shows(reminder, found, part: part))
  }

  /// Parses a reminder, given by its own name or by the name of an item with exactly one reminder.
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
          hint: "name one of them: " + made.joined(separator: ", "))
        return nil
      }
    }
    return Atom<ReminderID>.reminderID.parse(word, reader)
  }
}

extension ListExpectation.Statement {
  /// Returns the statement in the notation of scenario files.
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
