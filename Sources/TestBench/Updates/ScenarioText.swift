import ScenarioModel
import Scenarios
import TextFormats

/// The text of a scenario file, in which individual expectations can be replaced.
struct ScenarioText {
  private struct Edit {
    var range: Range<String.Index>
    var replacement: String
  }

  private let mark: [UInt8]
  private let source: SourceText
  private let items: [Node]
  private var edits: [Edit] = []

  /// Decodes the text. Returns `nil` if it has no list of expectations.
  init?(_ bytes: [UInt8], file: String) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.mark = bytes.starts(with: mark) ? mark : []
    guard let source = try? SourceText(file: file, bytes: bytes),
      case .sequence(let items)? = (try? YAMLDocument(source))?.root["expect"]?.content
    else { return nil }
    self.source = source
    self.items = items
  }

  /// The bytes of the edited file.
  var edited: [UInt8] {
    var text = source.text
    // Apply edits from the end, so that earlier positions stay valid.
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      text.replaceSubrange(edit.range, with: edit.replacement)
    }
    return mark + Array(text.utf8)
  }

  /// Replaces an expectation. Returns `nil` if it is not a phrase that can be edited in place.
  mutating func edit(
    _ index: Int, of count: Int, from old: Expectation.Claim, to claim: Expectation.Claim,
    reminders: [String]
  ) -> ExpectationUpdater.Change? {
    guard items.count == count else { return nil }
    let item = items[index]
    // Other items may share the text of an alias, so an alias cannot be edited.
    guard items.count(where: { $0.position == item.position }) == 1 else { return nil }
    let edit: Edit?
    switch claim {
    case .exact(let fires):
      guard let list = item["exact"], list.position > item.position else { return nil }
      guard case .exact(let oldFires) = old else { return nil }
      // Keep the text of fires that do not change.
      edit = self.edit(list) { texts in
        fires.map { fire in
          oldFires.firstIndex(of: fire).flatMap { texts.indices.contains($0) ? texts[$0] : nil }
            ?? fire.sentence(reminders: reminders)
        }
      }
    default:
      edit = span(of: item).map { Edit(range: $0, replacement: claim.sentence(reminders: reminders)) }
    }
    guard let edit else { return nil }
    edits.append(edit)
    return ExpectationUpdater.Change(
      line: Int(item.position.line), before: String(source.text[edit.range]), after: edit.replacement)
  }

  /// Returns the range of a scalar's text without quotes, or `nil` if the source does not contain it
  /// verbatim.
  private func span(of node: Node) -> Range<String.Index>? {
    guard case .scalar(let words) = node.content, !words.isEmpty, var start = source.index(of: node.position)
    else { return nil }
    let text = source.text.unicodeScalars
    if let quote = text[start...].first, quote == "'" || quote == "\"" {
      start = text.index(after: start)
      guard let end = end(of: words, from: start), text[end...].first == quote else { return nil }
      return start..<end
    }
    return end(of: words, from: start).map { start..<$0 }
  }

  private func end(of words: String, from start: String.Index) -> String.Index? {
    let text = source.text.unicodeScalars
    guard text[start...].starts(with: words.unicodeScalars) else { return nil }
    return text.index(start, offsetBy: words.unicodeScalars.count)
  }

  /// Replaces the items of a list that is in brackets or has exactly one item per line.
  private func edit(_ list: Node, to sentences: (_ texts: [String]) -> [String]) -> Edit? {
    guard case .sequence(let items) = list.content else { return nil }
    let text = source.text
    if items.isEmpty {
      guard let start = source.index(of: list.position), text[start...].hasPrefix("[]") else { return nil }
      let range = start..<text.index(start, offsetBy: 2)
      return Edit(range: range, replacement: "[" + sentences([]).joined(separator: ", ") + "]")
    }
    var spans: [Range<String.Index>] = []
    for item in items {
      guard var span = span(of: item) else { return nil }
      // The range includes quotes.
      if let start = source.index(of: item.position), start < span.lowerBound {
        span = start..<text.index(after: span.upperBound)
      }
      spans.append(span)
    }
    let sentences = sentences(spans.map { String(text[$0]) })
    let gaps = zip(spans, spans.dropFirst()).map { text[$0.upperBound..<$1.lowerBound] }
    guard let first = spans.first, let last = spans.last else { return nil }
    let isFlow = source.index(of: list.position).map { text[$0...].first == "[" } ?? false
    let line = text[..<first.lowerBound].lastIndex { $0.isNewline }
    let head = text[(line.map { text.index(after: $0) } ?? text.startIndex)..<first.lowerBound]
    let separator: String
    if isFlow {
      guard gaps.allSatisfy({ $0.filter { !$0.isWhitespace } == "," }) else { return nil }
      separator = gaps.first.map(String.init) ?? ", "
    } else {
      guard !sentences.isEmpty, head.allSatisfy({ " -".contains($0) }), head.count(where: { $0 == "-" }) == 1
      else { return nil }
      guard gaps.allSatisfy({ $0.filter { !$0.isWhitespace } == "-" }) else { return nil }
      separator = gaps.first.map(String.init) ?? (line.map { String(text[$0]) } ?? "\n") + head
    }
    return Edit(
      range: first.lowerBound..<last.upperBound, replacement: sentences.joined(separator: separator))
  }
}
