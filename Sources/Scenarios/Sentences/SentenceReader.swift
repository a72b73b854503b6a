import TextFormats
import TriggerModel

/// Translates a sentence to the mapping of a reminder. The usual grammars then parse its triggers and
/// conditions.
struct SentenceReader {
  let text: SentenceText
  let reader: Reader
  private let tokens: SentenceTokens
  private let node: Node

  init?(_ node: Node, _ reader: Reader) {
    guard case .scalar(let text) = node.content else { return nil }
    self.node = node
    self.reader = reader
    self.text = SentenceText(node)
    tokens = SentenceTokens(text)
  }

  private var all: ArraySlice<SentenceToken> { tokens.tokens[...] }

  /// Returns the mapping for the sentence, or `nil` after reporting an error.
  func mapping() -> Node? {
    if let quote = tokens.openQuote {
      reader.error(
        "this quote is not closed", at: node.position(ofScalar: quote), hint: "write \" after the text")
      return nil
    }
    let errors = reader.errorCount
    guard var rest = opening() else { return nil }
    guard let details = takeDetails(&rest), let shown = takeTexts(&rest) else { return nil }
    let parts = SentenceParts(rest)
    guard reportStray(parts) else { return nil }
    guard parts.parts.contains(where: \.kind.isTrigger) else {
      reportMissingTrigger(shown)
      return nil
    }
    if let index = SentenceParts.condition(closing: shown.plain) {
      let words = tokens.source(index..<shown.plain.endIndex)
      reader.error(
        "'\(words)' is a part of the title here", at: text.position(shown.plain[index]),
        hint: "write it after the trigger, as in '… when I unlock my phone \(words)', or the title in quotes"
      )
      return nil
    }
    var notification = shown.entries
    guard var entries = read(parts.parts, rest), let closing = read(details: details, into: &notification)
    else { return nil }
    entries += closing
    entries.append(text.entry("notify", text.mapping(notification)))
    return reader.errorCount == errors ? text.mapping(entries) : nil
  }

  /// The first title, or `nil` if it cannot be determined. Does not report errors.
  var title: String? {
    guard tokens.openQuote == nil, all.count > 2 else { return nil }
    var rest = all.dropFirst(2)
    return texts(&rest).first?.title.text
  }

  // MARK: The opening

  private func opening() -> ArraySlice<SentenceToken>? {
    let first = all.prefix(2).compactMap(\.word)
    if first.count == 2, ["Remind", "remind"].contains(first[0]), first[1] == "me" {
      return all.dropFirst(2)
    }
    let words = first.joined(separator: " ")
    let isNear = NearestNames.distance(words.lowercased(), "remind me") <= 3
    reader.error(
      "'\(words)' does not begin a sentence", at: node.position,
      hint: isNear ? "did you mean 'Remind me'?" : "such as 'Remind me to call mum when I unlock my phone'")
    return nil
  }

  // MARK: Texts

  private struct Texts {
    var title: SentenceToken
    var isPlain = false
    var body: SentenceToken?
  }

  /// The entries for the notification's texts, and the words of an unquoted title.
  private struct Shown {
    var entries: [Node.Entry]
    var plain: ArraySlice<SentenceToken>
  }

  private func texts(_ rest: inout ArraySlice<SentenceToken>) -> [Texts] {
    var found: [Texts] = []
    if rest.first?.isQuoted == true {
      found.append(Texts(title: rest.removeFirst()))
    } else if rest.first?.word == "to" {
      rest.removeFirst()
      if rest.first?.isQuoted == true {
        found.append(Texts(title: rest.removeFirst()))
      } else {
        let end = SentenceParts.titleEnd(rest)
        guard end > rest.startIndex else { return [] }
        var token = rest[rest.startIndex]
        token.text = Self.capitalized(tokens.source(rest.startIndex..<end))
        found.append(Texts(title: token, isPlain: true))
        rest = rest[end...]
      }
    }
    while !found.isEmpty, rest.dropFirst().first?.isQuoted == true {
      if rest.first?.word == "saying", found[found.count - 1].body == nil {
        found[found.count - 1].body = rest.dropFirst().first
      } else if rest.first?.word == "then", let title = rest.dropFirst().first {
        found.append(Texts(title: title))
      } else {
        break
      }
      rest = rest.dropFirst(2)
    }
    return found
  }

  /// Returns the text with a capital first letter, such as "Call mum" for "call mum".
  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private func takeTexts(_ rest: inout ArraySlice<SentenceToken>) -> Shown? {
    let start = rest
    let found = texts(&rest)
    guard let first = found.first else {
      let position = start.first.map(text.position) ?? node.position
      let isTo = start.first?.word == "to"
      reader.error(
        "the sentence does not say what to remind you of", at: position,
        hint: isTo || start.first?.word == "when"
          ? "such as 'Remind me to call mum when I unlock my phone'"
          : "write 'Remind me to …', or a title in quotes")
      return nil
    }
    let plain = first.isPlain ? start.dropFirst()[..<rest.startIndex] : []
    if found.count == 1 { return Shown(entries: keys(first), plain: plain) }
    let stages = text.list(found.map { text.mapping(keys($0)) })
    return Shown(entries: [text.entry("stages", stages)], plain: plain)
  }

  private func keys(_ texts: Texts) -> [Node.Entry] {
    func shown(_ token: SentenceToken) -> Node {
      // If the text contains escapes, its columns differ from those of the file.
      token.isQuoted && token.end - token.offset - 1 != token.text.unicodeScalars.count
        ? text.loose(token.text, at: token.offset) : text.text(token.text, at: token.offset)
    }
    return [text.entry("title", shown(texts.title))]
      + (texts.body.map { [text.entry("body", shown($0))] } ?? [])
  }

  // MARK: Missing triggers and unexpected words

  /// Reports words after the title that belong to no part. Returns `true` if there are none.
  private func reportStray(_ parts: SentenceParts) -> Bool {
    guard let first = parts.stray.first else { return true }
    report(stray: all[first])
    return false
  }

  /// Reports a word that begins no part.
  func report(stray token: SentenceToken) {
    if token.word == "or" {
      reader.error(
        "conditions cannot be joined by 'or'", at: text.position(token),
        hint: "all of them must hold; for alternatives say several triggers, or write two reminders")
      return
    }
    reader.error(
      "'\(token.text)' does not begin a part of a sentence", at: text.position(token),
      hint: NearestNames.likely(token.text, among: SentenceWords.starts).map { "did you mean '\($0)'?" }
        ?? "'triggerbench reference sentences' shows all parts")
  }

  private func reportMissingTrigger(_ shown: Shown) {
    // A misspelled trigger, such as `wenn I unlock my phone`, has been parsed as part of the title.
    let starts = ["when", "every", "monthly", "yearly"]
    for index in shown.plain.indices.dropFirst() where shown.plain[index].text.count > 2 {
      let token = shown.plain[index]
      guard let near = starts.first(where: { Self.isNear(token.text, $0) }) else { continue }
      if near == token.text, near == "every", let next = shown.plain[(index + 1)...].first {
        reader.error(
          "'\(next.text)' is not a day of the week", at: text.position(next),
          hint: NearestNames.hint(
            for: next.text, among: ["day", "weekday", "weekend"] + SentenceWords.weekdays))
      } else {
        reader.error(
          "the sentence has no trigger, and '\(token.text)' does not begin one", at: text.position(token),
          hint: "did you mean '\(near)'?")
      }
      return
    }
    reader.error(
      "the sentence has no trigger", at: node.position,
      hint: "such as '… when I unlock my phone', or '… every day at 09:00'")
  }

  /// Returns whether a word is similar to another word, as a misspelling is, or the German `wenn`.
  private static func isNear(_ word: String, _ wanted: String) -> Bool {
    word.count <= wanted.count + 2
      && NearestNames.distance(word, wanted) <= (word.first == wanted.first ? 2 : 1)
  }

  // MARK: Details in brackets

  /// Removes the bracketed details from the end of a sentence, and returns their words.
  private func takeDetails(_ rest: inout ArraySlice<SentenceToken>) -> ArraySlice<SentenceToken>? {
    guard rest.last?.word == ")" else {
      if let open = rest.last(where: { $0.word == "(" }), rest.contains(where: { $0.mark == ";" }) {
        reader.error("this bracket is not closed", at: text.position(open), hint: "write ) at the end")
        return nil
      }
      return []
    }
    guard let open = rest.lastIndex(where: { $0.word == "(" }) else {
      reader.error("this bracket was never opened", at: text.position(rest[rest.endIndex - 1]))
      return nil
    }
    let details = rest[(open + 1)..<(rest.endIndex - 1)]
    rest = rest[..<open]
    return details
  }
}

extension SentenceReader {
  /// Returns the keys for the parts, or `nil` after reporting an error.
  func read(_ parts: [SentenceParts.Part], _ tokens: ArraySlice<SentenceToken>) -> [Node.Entry]? {
    var (triggers, conditions, withdrawals): ([Node], [Node], [Node]) = ([], [], [])
    var once: [Node.Entry] = []
    for part in parts {
      let words = tokens[part.words]
      guard !words.isEmpty else {
        let start = tokens[part.start]
        reader.error("nothing follows '\(start.text)'", at: text.position(start))
        return nil
      }
      switch part.kind {
      case .event:
        guard let trigger = event(words) else { return nil }
        triggers.append(trigger)
      case .schedule, .relative: triggers.append(text.scalar(words))
      case .condition:
        guard let condition = condition(words) else { return nil }
        conditions.append(condition)
      case .withdrawal: withdrawals.append(text.scalar(words))
      case .repeats, .expiry, .template:
        guard let entry = entry(part.kind, words), add(entry, at: tokens[part.start], to: &once) else {
          return nil
        }
      }
    }
    var entries = once.filter { $0.key == "for" } + [text.entry("when", text.list(triggers))]
    if !conditions.isEmpty { entries.append(text.entry("if", text.list(conditions))) }
    if !withdrawals.isEmpty { entries.append(text.entry("withdraw", text.list(withdrawals))) }
    return entries + once.filter { $0.key != "for" }
  }

  /// Adds an entry, or reports that its key already exists.
  private func add(_ entry: Node.Entry, at token: SentenceToken, to entries: inout [Node.Entry]) -> Bool {
    if entries.contains(where: { $0.key == entry.key }) {
      reader.error("this is given twice", at: text.position(token), hint: "leave out one of the two")
      return false
    }
    entries.append(entry)
    return true
  }

  private func entry(_ kind: SentenceParts.Kind, _ words: ArraySlice<SentenceToken>) -> Node.Entry? {
    switch kind {
    case .expiry: return text.entry("expires", text.scalar(words))
    case .template: return text.entry("for", text.scalar(words))
    default:
      let spoken = words.map(\.text).joined(separator: " ")
      if let found = SentenceWords.repeats.first(where: { $0.spoken == spoken }), let first = words.first {
        return text.entry("repeat", text.loose(found.written, at: first.offset))
      }
      for (spoken, _) in SentenceWords.repeats {
        let beginning = spoken.split(separator: " ").map(String.init)
        guard words.count > beginning.count, words.prefix(beginning.count).map(\.text) == beginning else {
          continue
        }
        let next = words[words.startIndex + beginning.count]
        if next.text.count > 2, NearestNames.likely(next.text, among: SentenceWords.starts) != nil {
          report(stray: next)
          return nil
        }
      }
      if let first = words.first {
        reader.error(
          "'\(spoken)' does not say how often it may fire", at: text.position(first),
          hint: NearestNames.hint(for: spoken, among: SentenceWords.repeats.map(\.spoken)))
      }
      return nil
    }
  }

  // MARK: Events

  /// Translates an event to the grammar of triggers. For example, `I unlock my phone` becomes `unlock`.
  /// Passes unknown events on unchanged.
  private func event(_ words: ArraySlice<SentenceToken>) -> Node? {
    let said = words.first?.word == "I" && words.count > 1 ? words.dropFirst() : words
    for event in SentenceWords.events {
      if let slot = match(event, said) { return node(event, slot) }
    }
    guard let first = said.first else { return nil }
    // Look for a complete event that is followed by unexpected words.
    for event in SentenceWords.events where !event.spoken.contains("REST") {
      let count = event.spoken.count
      guard said.count > count, match(event, said.prefix(count)) != nil else { continue }
      if said.count > count + (isArticle(said, event) ? 1 : 0), !isLongForm(said) {
        report(stray: said[said.startIndex + count + (isArticle(said, event) ? 1 : 0)])
        return nil
      }
    }
    if SentenceWords.triggers.contains(first.text) || first.isNumber {
      return text.scalar(said)
    }
    let spoken = said.map(\.text).joined(separator: " ")
    reader.error("'\(spoken)' is not a trigger", at: text.position(first), hint: hint(said))
    return nil
  }

  /// Returns whether the words are in the notation of the trigger grammar, such as `open app maps` or `fact
  /// visits changes`.
  private func isLongForm(_ words: ArraySlice<SentenceToken>) -> Bool {
    ["open app", "charging starts", "charging stops"].contains(
      words.prefix(2).map(\.text).joined(separator: " "))
      || words.first?.text == "fact"
  }

  private func isArticle(_ words: ArraySlice<SentenceToken>, _ event: SentenceWords.Event) -> Bool {
    event.spoken.last.map(SentenceWords.Event.isSlot) ?? false
      && words.dropFirst(event.spoken.count - 1).first?.word == "the"
  }

  /// Returns the words in the slot of the event, or `nil` if the words do not match the event. The result is
  /// empty if the event has no slot.
  private func match(_ event: SentenceWords.Event, _ words: ArraySlice<SentenceToken>)
    -> ArraySlice<SentenceToken>?
  {
    var rest = words
    var slot: ArraySlice<SentenceToken> = []
    for word in event.spoken {
      guard let token = rest.first else { return nil }
      if word == "REST" {
        slot = rest
        rest = []
      } else if SentenceWords.Event.isSlot(word) {
        if token.word == "the", rest.count > 1 { rest = rest.dropFirst() }
        slot = rest.prefix(1)
        rest = rest.dropFirst()
      } else {
        guard token.word == word else { return nil }
        rest = rest.dropFirst()
      }
    }
    return rest.isEmpty ? slot : nil
  }

  private func node(_ event: SentenceWords.Event, _ slot: ArraySlice<SentenceToken>) -> Node {
    text.scalar(
      event.written.flatMap { word -> [SentenceText.Piece] in
        guard SentenceWords.Event.isSlot(word) else { return [SentenceText.Piece(text: word)] }
        return slot.enumerated().map { index, token in
          let isLast = index == slot.count - 1
          let mark = isLast ? "" : token.mark.map { String($0) } ?? ""
          return SentenceText.Piece(text: token.text + mark, offset: token.offset)
        }
      })
  }

  /// Returns a hint with the event whose first words are most similar to the given words.
  private func hint(_ words: ArraySlice<SentenceToken>) -> String {
    var best: (spoken: String, distance: Int)?
    for event in SentenceWords.events {
      let head = event.spoken.prefix { !SentenceWords.Event.isSlot($0) }
      guard !head.isEmpty else { continue }
      let wanted = head.joined(separator: " ")
      let said = words.prefix(head.count).map { String($0.text.prefix(40)) }.joined(separator: " ")
      let distance = NearestNames.distance(wanted, said)
      guard distance <= max(1, wanted.count / 3), distance < best?.distance ?? .max else { continue }
      best = ((event.isByPerson ? "I " : "") + event.spoken.joined(separator: " "), distance)
    }
    return best.map { "did you mean '\($0.spoken)'?" }
      ?? "'triggerbench reference sentences' shows all events"
  }

  // MARK: Conditions

  private func condition(_ words: ArraySlice<SentenceToken>) -> Node? {
    guard let first = words.first else { return nil }
    // The grammar of conditions has no articles, so convert `inside the shop` to `inside shop`.
    let hasArticle = words.dropFirst().first?.word == "the" && words.count > 2
    let said = hasArticle ? [first] + words.dropFirst(2) : Array(words)
    let length: Int? =
      switch first.word {
      case "after", "before": 2
      case "inside", "outside": 2
      case "between": 4
      case "charging": 1
      case "not": 2
      default: nil
      }
    if let length, said.count > length {
      report(stray: said[length])
      return nil
    }
    let isOnDays = first.word == "on" && said.count > 1 && SentenceWords.days.contains(said[1].text)
    if isOnDays, let stray = stray(said[...]) {
      report(stray: stray)
      return nil
    }
    // A quoted name may be equal to a keyword of conditions.
    if ["inside", "outside"].contains(first.word), said.count == 2, said[1].isQuoted {
      let name = text.text(said[1].text, at: said[1].offset)
      return text.mapping([text.entry(first.text, name)])
    }
    return text.scalar(said[...])
  }

  /// Returns the first word after a list of days, or `nil` if there is none.
  private func stray(_ words: ArraySlice<SentenceToken>) -> SentenceToken? {
    for index in words.indices.dropFirst(2) where !words[index - 1].hasComma { return words[index] }
    return nil
  }

  // MARK: Details in brackets

  /// Parses the details. Adds the keys of the notification to `notification`. Returns the keys of the
  /// reminder, or `nil` after reporting an error.
  func read(details: ArraySlice<SentenceToken>, into notification: inout [Node.Entry]) -> [Node.Entry]? {
    var entries: [Node.Entry] = []
    var rest = details
    while let first = rest.first {
      let end = rest.firstIndex { $0.mark == ";" }.map { $0 + 1 } ?? rest.endIndex
      let words = rest[..<end]
      rest = rest[end...]
      guard let (key, value) = detail(words) else {
        let spoken = SentenceWords.details.map(\.spoken)
        let said = words.prefix(2).map { String($0.text.prefix(40)) }.joined(separator: " ")
        let near = NearestNames.likely(first.text, among: spoken) ?? NearestNames.likely(said, among: spoken)
        reader.error(
          "'\(first.text)' is not a detail of a sentence", at: text.position(first),
          hint: near.map { "did you mean '\($0)'?" } ?? "details are " + spoken.joined(separator: ", "))
        return nil
      }
      let entry = text.entry(key, value)
      guard key == "exists" ? add(entry, at: first, to: &entries) : add(entry, at: first, to: &notification)
      else { return nil }
    }
    return entries
  }

  private func detail(_ words: ArraySlice<SentenceToken>) -> (key: String, value: Node)? {
    for (spoken, key) in SentenceWords.details {
      let lead = spoken.split(separator: " ").map(String.init)
      guard words.prefix(lead.count).compactMap(\.word) == lead else { continue }
      let value = words.dropFirst(lead.count)
      if key == "exists" {
        guard value.isEmpty, let first = words.first else { return nil }
        return (key, text.loose("later", at: first.offset))
      }
      guard !value.isEmpty else { return nil }
      if ["criticalIf", "actions"].contains(key) {
        return (key, text.list(value.split { $0.word == "and" }.map(text.scalar)))
      }
      return (key, text.scalar(value))
    }
    return nil
  }
}
