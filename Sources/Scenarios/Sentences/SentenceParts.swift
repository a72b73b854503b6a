import TextFormats
import TriggerModel

/// Splits the words after a sentence's title into parts.
///
/// A word and its neighbours determine whether a part begins at the word, so any sentence is split in one
/// pass.
struct SentenceParts {
  enum Kind {
    case event, schedule, relative, condition, repeats, expiry, withdrawal, template

    var isTrigger: Bool { self == .event || self == .schedule || self == .relative }
  }

  struct Part {
    var kind: Kind
    /// The index of the first word of the part.
    var start: Int
    /// The words of the part, without introductory words.
    var words: Range<Int>
  }

  private let tokens: ArraySlice<SentenceToken>
  private(set) var parts: [Part] = []
  /// The words after the title that do not belong to any part.
  private(set) var stray: Range<Int>

  init(_ tokens: ArraySlice<SentenceToken>) {
    self.tokens = tokens
    stray = tokens.startIndex..<tokens.startIndex
    cut()
  }

  private mutating func cut() {
    var at = tokens.startIndex
    while at < tokens.endIndex {
      guard let (kind, lead) = start(at) else {
        at += 1
        if parts.isEmpty { stray = stray.lowerBound..<at }
        continue
      }
      if let last = parts.indices.last { parts[last].words = parts[last].words.lowerBound..<at }
      let first = min(at + lead, tokens.endIndex)
      parts.append(Part(kind: kind, start: at, words: first..<tokens.endIndex))
      // The word after a conjunction such as 'or' cannot begin another part.
      at = lead > 0 ? first + 1 : at + 1
    }
    for index in parts.indices where parts[index].words.upperBound < parts[index].words.lowerBound {
      parts[index].words = parts[index].words.lowerBound..<parts[index].words.lowerBound
    }
  }

  // MARK: Words and their neighbours

  private func word(_ index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].word : nil }

  private func isNumber(_ index: Int) -> Bool { tokens.indices.contains(index) && tokens[index].isNumber }

  /// Returns the word before an index, or `nil` if a comma is between the two.
  private func before(_ index: Int) -> String? {
    tokens.indices.contains(index - 1) && !tokens[index - 1].hasComma ? tokens[index - 1].word : nil
  }

  /// Returns the kind of the part that begins at a word and the number of its introductory words, or `nil` if
  /// no part begins there.
  private func start(_ index: Int) -> (Kind, lead: Int)? {
    guard let word = word(index) else { return nil }
    switch word {
    case "or": return alternative(index)
    case "and": return addition(index)
    case "when": return (.event, 1)
    case "until": return isOfTimes(index) || isEndOfSchedule(index) ? nil : (.expiry, 1)
    case "only": return self.word(index + 1) == "once" ? (.repeats, 0) : nil
    case "at": return self.word(index + 1) == "most" ? (.repeats, 0) : nil
    case "each": return self.word(index + 1) == "time" ? (.repeats, 0) : nil
    case "every" where self.word(index + 1) == "time": return (.repeats, 0)
    case "taken": return self.word(index + 1) == "back" ? (.withdrawal, withdrawalLead(index)) : nil
    case "for": return self.word(index + 1) == "each" ? (.template, 1) : nil
    default: return condition(index, word) ?? time(index, word)
    }
  }

  /// Returns the number of leading words that match `taken back as soon as`.
  private func withdrawalLead(_ index: Int) -> Int {
    zip(SentenceWords.withdrawal, tokens[index...]).prefix { $0 == $1.word }.count
  }

  /// Returns the part that `or` begins after a trigger or a withdrawal, or `nil` if it begins none.
  private func alternative(_ index: Int) -> (Kind, lead: Int)? {
    guard let kind = parts.last?.kind else { return nil }
    if kind == .withdrawal { return (.withdrawal, 1) }
    guard kind.isTrigger else { return nil }
    if let (next, lead) = start(index + 1), next.isTrigger { return (next, lead + 1) }
    return (.event, 1)
  }

  private func addition(_ index: Int) -> (Kind, lead: Int)? {
    guard let last = parts.last else { return nil }
    // The `and` of `between 09:00 and 17:00` does not begin a part.
    if word(last.start) == "between" || word(last.words.lowerBound) == "between",
      !tokens[last.words.lowerBound..<index].contains(where: { $0.word == "and" })
    {
      return nil
    }
    if let (next, lead) = start(index + 1) { return (next, lead + 1) }
    return last.kind == .condition ? (.condition, 1) : nil
  }

  private func condition(_ index: Int, _ word: String) -> (Kind, lead: Int)? {
    switch word {
    case "while", "if", "during": (.condition, 1)
    case "inside", "outside", "between": (.condition, 0)
    // In `7 days after birthday` and `not before 2026-04-01`, this word does not begin a condition.
    case "after", "before":
      ["day", "days", "not"].contains(before(index)) || isInSpans(index) ? nil : (.condition, 0)
    case "on": isOfDates(index) || date(index) != nil ? nil : (.condition, 0)
    default: nil
    }
  }

  // MARK: Schedules

  private func time(_ index: Int, _ word: String) -> (Kind, lead: Int)? {
    switch word {
    case "every": return isOfSchedule(index) ? nil : (.schedule, 0)
    case "monthly", "yearly": return self.word(index + 1) == "on" ? (.schedule, 0) : nil
    case "on": return isOfDates(index) ? nil : date(index).map { (.schedule, $0) }
    case _ where SentenceWords.ordinals.contains(word):
      let isDay = self.word(index + 1).map { $0 == "weekday" || SentenceWords.weekdays.contains($0) } ?? false
      return isDay && before(index) != "the" ? (.schedule, 0) : nil
    case _ where isNumber(index) && !isNumber(index - 1) && !isInSpans(index):
      return isRelative(index) ? (.relative, 0) : nil
    default: return nil
    }
  }

  /// Returns whether `on` continues a schedule, as in `every 2 weeks on monday` or `monthly on 31`.
  private func isOfDates(_ index: Int) -> Bool {
    ["weeks", "months", "years", "monthly", "yearly"].contains(before(index))
  }

  /// Returns the number of words to omit if `on` precedes a date or a weekday of the month; otherwise, `nil`.
  private func date(_ index: Int) -> Int? {
    if isNumber(index + 1) || word(index + 1) == "day" && isNumber(index + 2) { return 0 }
    let isOrdinal = word(index + 2).map(SentenceWords.ordinals.contains) ?? false
    return word(index + 1) == "the" && isOrdinal ? 2 : nil
  }

  /// Returns whether `every` continues a schedule, as in `7 days before birthday every year` or `every day at
  /// every 2 h from 09:00 until 21:00`.
  private func isOfSchedule(_ index: Int) -> Bool {
    guard let kind = parts.last?.kind, let previous = before(index) else { return false }
    return kind == .relative && word(index + 1) == "year" || kind == .schedule && !previous.isEmpty
  }

  /// Returns whether a word begins a schedule in days relative to a fact: `30, 7, 0 days before birthday`.
  private func isRelative(_ index: Int) -> Bool {
    var end = index
    while isNumber(end) { end += 1 }
    if ["day", "days"].contains(word(end)) { return ["after", "before"].contains(word(end + 1)) }
    // Matches `8 h after dose.taken` and `24 h, 1 h before visit`, but not `> 36 h after 18:00`.
    end = index
    while isNumber(end), word(end + 1).map(Atom<TimeSpan>.unitNames.contains) ?? false { end += 2 }
    return end > index && ["after", "before"].contains(word(end)) && !isNumber(end + 1)
  }

  /// Returns whether a word is inside a list of spans, such as `24 h, 1 h before`, where no part begins.
  private func isInSpans(_ index: Int) -> Bool {
    guard let last = parts.last, last.kind == .relative, last.words.lowerBound < index else { return false }
    return !tokens[last.words.lowerBound..<index].contains { ["after", "before"].contains($0.word) }
  }

  /// Returns whether `until` continues times of day, as in `every 2 h from 09:00 until 21:00`.
  private func isOfTimes(_ index: Int) -> Bool {
    guard parts.last?.kind == .schedule, word(index - 2) == "from", let time = before(index) else {
      return false
    }
    return time.contains(":") && !time.contains("-")
  }

  /// Returns whether `until` gives a schedule its last date, as in `every day at 09:00 until 2026-04-01`. An
  /// expiry has a time of day, or follows a comma.
  private func isEndOfSchedule(_ index: Int) -> Bool {
    guard parts.last?.kind == .schedule, before(index) != nil else { return false }
    let last = word(index + 1) == "day" ? index + 2 : index + 1
    guard let date = word(last), !date.contains(":") else { return false }
    return tokens[last].hasComma || !(word(last + 1)?.contains(":") ?? false)
  }
}

extension SentenceParts {
  /// Returns the end of an unquoted title, which is the first word that begins a trigger or a template. Words
  /// that also occur in titles, such as 'on' and 'after', do not end it.
  static func titleEnd(_ tokens: ArraySlice<SentenceToken>) -> Int {
    let parts = SentenceParts(titled: tokens)
    return tokens.indices.first { parts.endsTitle($0) } ?? tokens.endIndex
  }

  /// Returns the start of a condition or a repetition at the end of an unquoted title, or `nil` if there is
  /// none. In 'call mum after 18:00', the author probably means a condition.
  static func condition(closing title: ArraySlice<SentenceToken>) -> Int? {
    func isTime(_ word: String) -> Bool { word.contains(":") && word.allSatisfy { $0.isNumber || $0 == ":" } }
    // The longest of these endings, a list of weekdays, has at most ten words.
    return title.indices.dropFirst().suffix(10).first { index in
      let words = title[index...].map(\.text)
      switch words[0] {
      case "after", "before": return words.count == 2 && isTime(words[1])
      case "between": return words.count == 4 && isTime(words[1]) && words[2] == "and" && isTime(words[3])
      case "on":
        let days = ["and"] + SentenceWords.days
        return words.count > 1 && words.dropFirst().allSatisfy(days.contains)
      case "while": return ["charging", "not charging"].contains(words.dropFirst().joined(separator: " "))
      default: return SentenceWords.repeats.contains { $0.spoken == words.joined(separator: " ") }
      }
    }
  }

  private init(titled tokens: ArraySlice<SentenceToken>) {
    self.tokens = tokens
    stray = tokens.startIndex..<tokens.startIndex
  }

  private func endsTitle(_ index: Int) -> Bool {
    guard let word = word(index) else { return tokens[index].isQuoted }
    switch word {
    case "when": return true
    case "saying", "then": return tokens.indices.contains(index + 1) && tokens[index + 1].isQuoted
    case "for": return self.word(index + 1) == "each"
    case "every":
      let next = self.word(index + 1) ?? ""
      return isNumber(index + 1) || SentenceWords.weekdays.contains(next)
        || ["day", "week", "weekday", "weekdays", "weekend", "weekends"].contains(next)
    default: return time(index, word) != nil
    }
  }
}
