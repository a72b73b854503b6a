import TextFormats
import TriggerModel

/// Reads a sentence into the keys of a reminder, so that triggers and conditions are read as anywhere else.
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

  /// The mapping that says the same; nil after the reader has been told what is wrong.
  func mapping() -> Node? {
    if let quote = tokens.openQuote {
      reader.error(
        "this quote does not end", at: node.position(ofScalar: quote), hint: "write \" behind the text")
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
        hint: "write it behind the trigger, as in '… when I unlock my phone \(words)', or the title in quotes"
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

  /// The title that it shows first, as far as it can be told; nothing is reported.
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

  // MARK: What it shows

  private struct Texts {
    var title: SentenceToken
    var isPlain = false
    var body: SentenceToken?
  }

  /// What the notification shows, as keys, and the words of a title without quotes.
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

  /// "call mum" is the title "Call mum".
  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private func takeTexts(_ rest: inout ArraySlice<SentenceToken>) -> Shown? {
    let start = rest
    let found = texts(&rest)
    guard let first = found.first else {
      let position = start.first.map(text.position) ?? node.position
      let isTo = start.first?.word == "to"
      reader.error(
        "it is not said of what to remind", at: position,
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
      // With backslashes its columns are others.
      token.isQuoted && token.end - token.offset - 1 != token.text.unicodeScalars.count
        ? text.loose(token.text, at: token.offset) : text.text(token.text, at: token.offset)
    }
    return [text.entry("title", shown(texts.title))]
      + (texts.body.map { [text.entry("body", shown($0))] } ?? [])
  }

  // MARK: What is missing, and what is too much

  /// Words behind what is shown that begin no part.
  private func reportStray(_ parts: SentenceParts) -> Bool {
    guard let first = parts.stray.first else { return true }
    report(stray: all[first])
    return false
  }

  /// A word where another part could begin.
  func report(stray token: SentenceToken) {
    if token.word == "or" {
      reader.error(
        "conditions cannot be joined by 'or'", at: text.position(token),
        hint: "all of them must hold; for alternatives say several triggers, or write two reminders")
      return
    }
    reader.error(
      "'\(token.text)' begins no part of a sentence", at: text.position(token),
      hint: NearestNames.likely(token.text, among: SentenceWords.starts).map { "did you mean '\($0)'?" }
        ?? "'triggerbench reference sentences' shows all parts")
  }

  private func reportMissingTrigger(_ shown: Shown) {
    // `wenn I unlock my phone` became a part of the title.
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
          "a sentence says when it comes, and '\(token.text)' begins no trigger", at: text.position(token),
          hint: "did you mean '\(near)'?")
      }
      return
    }
    reader.error(
      "a sentence says when it comes", at: node.position,
      hint: "such as '… when I unlock my phone', or '… every day at 09:00'")
  }

  /// A slip of the pen, or the word of another language.
  private static func isNear(_ word: String, _ wanted: String) -> Bool {
    word.count <= wanted.count + 2
      && NearestNames.distance(word, wanted) <= (word.first == wanted.first ? 2 : 1)
  }

  // MARK: The closing part

  /// The words in the brackets at the end.
  private func takeDetails(_ rest: inout ArraySlice<SentenceToken>) -> ArraySlice<SentenceToken>? {
    guard rest.last?.word == ")" else {
      if let open = rest.last(where: { $0.word == "(" }), rest.contains(where: { $0.mark == ";" }) {
        reader.error("this bracket does not end", at: text.position(open), hint: "write ) at the end")
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
