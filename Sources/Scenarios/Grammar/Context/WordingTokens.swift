import CivilTime
import TextFormats
import TriggerModel

extension Wordings {
  /// An idea or a value in a sentence.
  private struct Token {
    /// The idea, or the slot of a value.
    let kind: String
    /// The value in the notation of the grammar.
    var value = ""
    /// Whether a form may match the sentence without this token.
    var isLight = false
  }

  /// Returns a hint with the form that has the same meaning as a sentence, or `nil` if there is none.
  ///
  /// - Parameters:
  ///   - allowsUnknown: Whether the sentence may contain a word without a known meaning.
  ///   - isReadable: Returns whether the grammar can parse a form.
  static func hint(
    for words: [String], in section: Section, allowsUnknown: Bool, _ reader: Reader,
    isReadable: (String) -> Bool
  ) -> String? {
    let tokens = tokens(of: words, in: section, reader)
    if !allowsUnknown, tokens.contains(where: { $0.kind == "unknown" }) { return nil }
    var found: [(text: String, isAdvice: Bool, score: Int)] = []
    for form in forms(section) {
      for meaning in form.meanings {
        guard let match = match(meaning, tokens) else { continue }
        found.append((filled(form.text, match.values, reader), form.isAdvice, match.score))
      }
    }
    // The sort is stable, so the first of several forms with the same score is suggested.
    for form in found.sorted(by: { $0.score > $1.score }) {
      if form.isAdvice { return form.text }
      if hasSlot(form.text) || isReadable(form.text) { return "did you mean '\(form.text)'?" }
    }
    return nil
  }

  private static func hasSlot(_ text: String) -> Bool {
    text.contains(/\b[A-Z]{3,}\b/) && !text.contains("/")
  }

  /// Returns the values of a meaning's slots with a score, or `nil` if the sentence does not match the meaning.
  /// A sentence matches if it contains every idea and value of the meaning. It may contain no other values, and
  /// only few other ideas, or none if a plain number represents an hour. A negation always matters.
  private static func match(
    _ meaning: [String], _ tokens: [Token]
  ) -> (values: [(slot: String, value: String)], score: Int)? {
    var rest = tokens
    var values: [(slot: String, value: String)] = []
    var hasHour = false
    for part in meaning {
      let kinds = part.split(separator: "/").map(String.init)
      guard
        let index = rest.firstIndex(where: { token in
          kinds.contains { value(of: token, as: $0) != nil }
        })
      else { return nil }
      let token = rest.remove(at: index)
      if let slot = kinds.first, isSlot(slot) {
        values.append((slot, value(of: token, as: slot) ?? ""))
        hasHour = hasHour || slot == "TIME" && token.kind == "NUMBER"
      }
    }
    let lost = rest.filter { !$0.isLight }
    guard lost.allSatisfy({ !isSlot($0.kind) && $0.kind != "not" }),
      lost.count < (hasHour ? 1 : min(meaning.count, 2))
    else { return nil }
    return (values, meaning.count * 2 - lost.count)
  }

  private static func isSlot(_ kind: String) -> Bool {
    kind.allSatisfy(\.isUppercase) && !kind.isEmpty
  }

  /// Returns the value of a token in a slot, or `nil` if it does not fit. A whole number also fits a slot for a time,
  /// as an hour. An ordinal also fits a slot for a number.
  private static func value(of token: Token, as kind: String) -> String? {
    if token.kind == kind { return token.value }
    switch (token.kind, kind) {
    case ("NUMBER", "TIME"): return time(token.value)
    case ("ORDINAL", "NUMBER"):
      return WeekdayOfMonth.words.first { $0.0 == token.value && $0.1 > 0 }.map { "\($0.1)" }
    default: return nil
    }
  }

  private static func filled(
    _ text: String, _ values: [(slot: String, value: String)], _ reader: Reader
  ) -> String {
    var text = text
    for (slot, value) in values + [("START", reader.scenario.startDate?.text ?? "DATE")] {
      if let range = text.firstRange(of: slot) { text.replaceSubrange(range, with: value) }
    }
    return text
  }

  // MARK: Tokens

  private static func tokens(of words: [String], in section: Section, _ reader: Reader) -> [Token] {
    let names = names(section, reader)
    // Operators can be written without spaces.
    let spaced = words.joined(separator: " ").replacing(/[<>=]=?/) { " \($0.output) " }
    let texts = spaced.split { $0 == " " || $0 == "," }.map { String($0).trimming(".!?'’") }.filter {
      !$0.isEmpty
    }
    var tokens: [Token] = []
    var rest = texts[...]
    while let first = rest.first {
      let runs = (1...min(4, rest.count)).reversed()
      let length = runs.first { token(rest.prefix($0).joined(separator: " "), names) != nil }
      let known = length.flatMap { token(rest.prefix($0).joined(separator: " "), names) }
      if let token = known ?? (isNoise(first) ? nil : Token(kind: "unknown")) {
        append(token, to: &tokens, in: section)
      }
      rest = rest.dropFirst(length ?? 1)
    }
    return tokens
  }

  private static func isNoise(_ word: String) -> Bool {
    ([word.lowercased()] + stems(word.lowercased())).contains(where: noise.contains)
  }

  /// Appends a token. Consecutive days are joined to a list, and so are consecutive times in a trigger.
  private static func append(_ token: Token, to tokens: inout [Token], in section: Section) {
    let isList = token.kind == "DAYS" || token.kind == "TIME" && section == .triggers
    if isList, let last = tokens.last, last.kind == token.kind {
      tokens[tokens.count - 1].value += ", \(token.value)"
    } else {
      tokens.append(token)
    }
  }

  /// Returns the declared names that a section uses, with their slots.
  private static func names(_ section: Section, _ reader: Reader) -> [(
    slot: String, names: NameList
  )] {
    let common = [("PLACE", reader.names.places), ("FACT", reader.names.facts)]
    return switch section {
    case .timeline: common + [("APP", reader.names.apps), ("REMINDER", reader.names.reminders)]
    case .triggers: common + [("APP", reader.names.apps)]
    case .conditions: common
    }
  }

  /// Returns the idea or value of one or more words, or `nil` if it is unknown.
  private static func token(_ text: String, _ names: [(slot: String, names: NameList)]) -> Token? {
    let lower = text.lowercased()
    for (slot, list) in names {
      for spelling in [
        text, lower, lower.replacing(" ", with: "-"), lower.replacing(" ", with: "_"),
      ]
      where list.position(of: spelling) != nil {
        return Token(kind: slot, value: spelling, isLight: noise.contains(lower))
      }
    }
    if let value = value(lower) { return value }
    if let idea = ideas[lower] ?? stems(lower).lazy.compactMap({ ideas[$0] }).first {
      return Token(kind: idea, isLight: light.contains(idea))
    }
    let city = text.replacing(" ", with: "_").lowercased()
    let zone =
      city.count < 3 || noise.contains(lower)
      ? nil
      : Zone.knownIdentifiers.first {
        $0.lowercased() == city || $0.lowercased().hasSuffix("/\(city)")
      }
    return zone.map { Token(kind: "ZONE", value: $0) }
  }

  private static func value(_ text: String) -> Token? {
    if let day = Weekday.allCases.first(where: {
      [$0.name, "\($0.name)s", String($0.name.prefix(3))].contains(text)
    }) {
      return Token(kind: "DAYS", value: day.name)
    }
    if WeekdayOfMonth.words.contains(where: { $0.0 == text }) {
      return Token(kind: "ORDINAL", value: text)
    }
    if text == "other" { return Token(kind: "NUMBER", value: "2") }
    if text.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil { return Token(kind: "DATE", value: text) }
    if let match = text.wholeMatch(of: /(\d+)(?:st|nd|rd|th)?/) {
      return Token(kind: "NUMBER", value: String(match.1))
    }
    if let match = text.wholeMatch(of: /(\d+(?:\.\d)?) ?(?:%|percent)/) {
      return Token(kind: "PERCENT", value: "\(match.1) %")
    }
    if let match = text.wholeMatch(
      of: /\+?(\d+|an?|half an) ?(s|sec|min|m|h|hr|hour)(?:s|ond|onds|ute|utes|rs)?/)
    {
      let number = match.1 == "half an" ? "30" : match.1.first == "a" ? "1" : String(match.1)
      let unit =
        match.1 == "half an"
        ? "min" : match.2.first == "h" ? "h" : match.2.first == "m" ? "min" : "s"
      return Token(kind: "DURATION", value: "\(number) \(unit)")
    }
    return time(text).map { Token(kind: "TIME", value: $0) }
  }

  /// Returns a time of day as `HH:MM`, from notations such as `9am`, `9:00`, `noon` and `18`.
  private static func time(_ text: String) -> String? {
    switch text {
    case "noon", "midday": return "12:00"
    case "midnight": return "00:00"
    default: break
    }
    guard
      let match = text.wholeMatch(of: /(\d{1,2})(?:[:.](\d{2}))? ?(am|pm|a\.m|p\.m|o'clock|uhr)?/),
      let hour = Int(match.1), let minute = Int(match.2 ?? "0"), hour < 24, minute < 60
    else { return nil }
    let half = match.3.map { $0.first ?? "o" }
    guard half != "a" && half != "p" || 1...12 ~= hour else { return nil }
    let whole = half == "a" ? hour % 12 : half == "p" ? hour % 12 + 12 : hour
    return MinuteOfDay.text(whole * 60 + minute)
  }

  /// The ideas, keyed by their words.
  private static let ideas: [String: String] = {
    var ideas: [String: String] = [:]
    for (idea, words) in words {
      for word in words.split(separator: "|") { ideas[String(word)] = idea }
    }
    return ideas
  }()

  /// Returns the possible stems of an inflected word. For example, `unlocked` has the stem `unlock`, `charging` the
  /// stem `charge`, and `plugged` the stem `plug`.
  private static func stems(_ word: String) -> [String] {
    if word.hasSuffix("ied") || word.hasSuffix("ies") { return ["\(word.dropLast(3))y"] }
    for ending in ["ing", "ed", "es", "s", "d"]
    where word.hasSuffix(ending) && word.count > ending.count + 2 {
      let stem = String(word.dropLast(ending.count))
      let undoubled = stem.suffix(2).first == stem.last ? String(stem.dropLast()) : stem
      return [stem, stem + "e", undoubled] + (ending == "es" ? [stem + "e"] : [])
    }
    return []
  }
}

extension String {
  fileprivate func trimming(_ letters: String) -> String {
    var text = self[...]
    while let last = text.last, letters.contains(last) { text.removeLast() }
    while let first = text.first, letters.contains(first) { text.removeFirst() }
    return String(text)
  }
}
