import TextFormats
import TriggerModel

extension SentenceReader {
  /// The keys that say what the parts say; nil after the reader has been told what is wrong.
  func read(_ parts: [SentenceParts.Part], _ tokens: ArraySlice<SentenceToken>) -> [Node.Entry]? {
    var (triggers, conditions, withdrawals): ([Node], [Node], [Node]) = ([], [], [])
    var once: [Node.Entry] = []
    for part in parts {
      let words = tokens[part.words]
      guard !words.isEmpty else {
        let start = tokens[part.start]
        reader.error("nothing stands behind '\(start.text)'", at: text.position(start))
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

  /// What can be said once is said once.
  private func add(_ entry: Node.Entry, at token: SentenceToken, to entries: inout [Node.Entry]) -> Bool {
    if entries.contains(where: { $0.key == entry.key }) {
      reader.error("this is said already", at: text.position(token), hint: "leave one of the two out")
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
          "'\(spoken)' does not say how often it may come", at: text.position(first),
          hint: NearestNames.hint(for: spoken, among: SentenceWords.repeats.map(\.spoken)))
      }
      return nil
    }
  }

  // MARK: Events

  /// `I unlock my phone` as `unlock`; what the table does not know goes to the grammar of triggers as it is.
  private func event(_ words: ArraySlice<SentenceToken>) -> Node? {
    let said = words.first?.word == "I" && words.count > 1 ? words.dropFirst() : words
    for event in SentenceWords.events {
      if let slot = match(event, said) { return node(event, slot) }
    }
    guard let first = said.first else { return nil }
    // An event that is complete, and a word too many.
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

  /// `open app maps` and `fact visits changes` are triggers as well.
  private func isLongForm(_ words: ArraySlice<SentenceToken>) -> Bool {
    ["open app", "charging starts", "charging stops"].contains(
      words.prefix(2).map(\.text).joined(separator: " "))
      || words.first?.text == "fact"
  }

  private func isArticle(_ words: ArraySlice<SentenceToken>, _ event: SentenceWords.Event) -> Bool {
    event.spoken.last.map(SentenceWords.Event.isSlot) ?? false
      && words.dropFirst(event.spoken.count - 1).first?.word == "the"
  }

  /// What stands in the slot, nothing where the phrase has none; nil where it does not fit.
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

  /// The event that begins most like the words.
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
    // An article is left out: `inside the shop`, `on the weekend`.
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
    // A name in quotes may be a word that sentences of conditions do not take for one.
    if ["inside", "outside"].contains(first.word), said.count == 2, said[1].isQuoted {
      let name = text.text(said[1].text, at: said[1].offset)
      return text.mapping([text.entry(first.text, name)])
    }
    return text.scalar(said[...])
  }

  /// The word behind a list of days.
  private func stray(_ words: ArraySlice<SentenceToken>) -> SentenceToken? {
    for index in words.indices.dropFirst(2) where !words[index - 1].hasComma { return words[index] }
    return nil
  }

  // MARK: The closing part

  /// Adds the keys of the notification, and gives those of the reminder itself; nil after the reader has been told what
  /// is wrong.
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
          "'\(first.text)' says nothing in the brackets of a sentence", at: text.position(first),
          hint: near.map { "did you mean '\($0)'?" } ?? "there stand " + spoken.joined(separator: ", "))
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
