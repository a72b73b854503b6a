import CivilTime
import ReminderMatching
import ScenarioModel
import TextFormats
import TriggerModel

/// Expectations about the lists of our app: `upcoming on day 3 at 08:00 shows anna today, bob this week`.
enum ViewSentences {
  static let waysToSayIt =
    "upcoming on DATE at TIME shows REMINDER GROUP, … · today by ATTRIBUTE on DATE at TIME shows REMINDER in VALUE, … "
    + "· upcoming on DATE at TIME is empty. What it shows: "
    + ViewStatements.waysToSayIt

  /// Whether a sentence is about a list. A reminder of such a name comes first.
  static func isView(_ sentence: Words, _ reader: Reader) -> Bool {
    guard let first = sentence.first?.text else { return false }
    return AppView(rawValue: first) != nil && reader.names.reminders.position(of: first) == nil
  }

  static func parse(_ sentence: Words, _ reader: Reader) -> Expectation.Claim? {
    guard let claim = read(sentence, reader) else { return nil }
    guard isMoment(claim.occasion) else {
      reader.error(
        "a list is that of a moment: its date or its time is missing", at: sentence.sentence.position,
        hint: "such as '\(claim.view.rawValue) on day 3 at 08:00 shows …'")
      return nil
    }
    return .view(claim)
  }

  static func isMoment(_ occasion: Occasion) -> Bool {
    occasion.date != nil && occasion.time?.moment != nil && occasion.offset == nil
  }

  /// Without its moment, of which keys of their own tell.
  static var long: Format<ViewClaim> {
    Format(
      schema: { _ in ["type": "string", "pattern": .string("^(?:\(pattern(moment: "")))$")] },
      read: { node, reader in
        guard case .scalar(let text) = node.content, !text.isEmpty else {
          reader.error("expected what a list shows, not \(node.kindName)", at: node.position)
          return nil
        }
        return read(Words(text, of: node), reader)
      },
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

  /// A date and a time, in any order.
  private static var moment: String {
    let date = "on +(?:\(Atom<CivilDate>.date.pattern))"
    let time = "at +(?:\(Atom<Int32>.timeOfDay.pattern))"
    return " +(?:\(date) +\(time)|\(time) +\(date))"
  }

  private static func read(_ sentence: Words, _ reader: Reader) -> ViewClaim? {
    var words = sentence
    guard let first = words.next(), let view = AppView(rawValue: first.text) else {
      reader.error(
        "'\(sentence.first?.text ?? "")' is no list of the app", at: sentence.sentence.position,
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
        "the expectation says nothing of the list", at: words.sentence.position,
        hint: "such as '\(view.rawValue) on day 3 at 08:00 shows milk today', or 'is empty'")
      return nil
    }
    var when = words.prefix(verb)
    guard let moment = ExpectationSentences.Parts.take(from: &when, .never, reader) else { return nil }
    var rest = words.dropFirst(verb)
    var statements: [ViewClaim.Statement] = [.count(0, nil)]
    if !rest.take("is", "empty") {
      guard rest.take("shows") else {
        reader.error(
          "'\(rest.joined.text)' is not something to expect of a list", at: rest.position,
          hint: "write 'shows …' or 'is empty'")
        return nil
      }
      guard let list = ViewStatements.parse(rest, parts: parts, reader) else { return nil }
      statements = list
    }
    return ViewClaim(view: view, parts: parts, statements: statements, occasion: moment.occasion)
  }
}

extension ViewClaim {
  /// In the words of a scenario file.
  func sentence(reminders: [String]) -> String {
    let head = view.rawValue + (parts.map { " by \($0)" } ?? "") + occasion.phrase
    if statements == [.count(0, nil)] { return head + " is empty" }
    return head + " shows " + statements.map { $0.sentence(reminders: reminders) }.joined(separator: ", ")
  }
}
