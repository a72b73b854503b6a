/// Merges two documents, so that the values of a scenario override those of its packs.
///
/// Mappings are merged key by key. Any other value replaces the value of the lower document. No section of a
/// file is special, so a new section needs no change here.
package struct Overlay {
  /// A mapping of the lower document that was discarded because a shorter value replaces it.
  package struct Loss {
    /// The key in the upper document.
    package var key: Node.Entry
    /// The keys that the replacement discards.
    package var lost: [String]
  }

  package private(set) var losses: [Loss] = []
  /// The top-level keys whose lists are appended to the lower lists and do not replace them.
  package let continued: Set<String>
  /// The top-level keys whose mappings have lists that are combined if two documents of equal rank contain
  /// the same key.
  package let shared: Set<String>
  /// For each section with short forms, the mapping that a scalar represents.
  package let shortForms: [String: ShortForm]

  /// A short form: a scalar that represents a mapping with one key. The words in ``otherWords`` have other
  /// meanings and are not short forms.
  package struct ShortForm {
    var key: String
    var otherWords: Set<String>

    package init(key: String, otherWords: Set<String>) {
      self.key = key
      self.otherWords = otherWords
    }
  }

  package init(
    continuing keys: Set<String>, sharing shared: Set<String> = [], shortForms: [String: ShortForm] = [:]
  ) {
    continued = keys
    self.shared = shared
    self.shortForms = shortForms
  }

  /// Merges a document over a lower one.
  ///
  /// - Returns: The entries of the lower mapping in their order, merged with the upper ones, followed by the
  ///   entries that only the upper mapping has. An entry of both mappings keeps its position in the upper
  ///   one.
  package mutating func lay(_ upper: [Node.Entry], over lower: [Node.Entry]) -> [Node.Entry] {
    lay(upper, over: lower, isOutermost: true)
  }

  /// Merges two documents of equal rank, and combines the lists under ``shared`` keys.
  package mutating func lay(_ upper: [Node.Entry], nextTo lower: [Node.Entry]) -> [Node.Entry] {
    let others = Dictionary(lower.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    let upper = upper.map { entry in
      guard shared.contains(entry.key), case .mapping(let own) = entry.value.content,
        case .mapping(let theirs)? = others[entry.key]?.content
      else { return entry }
      var entry = entry
      entry.value.content = .mapping(
        own.map { key in
          var key = key
          if let their = theirs.first(where: { $0.key == key.key }) {
            key.value = key.value.joined(to: their.value)
          }
          return key
        })
      return entry
    }
    return lay(upper, over: lower)
  }

  /// - Parameter short: The key that a scalar represents here.
  private mutating func lay(
    _ upper: [Node.Entry], over lower: [Node.Entry], isOutermost: Bool, short: ShortForm? = nil
  ) -> [Node.Entry] {
    var result = lower
    var places: [String: Int] = [:]
    for (place, entry) in lower.enumerated() { places[entry.key] = place }
    for var entry in upper {
      guard let place = places[entry.key] else {
        result.append(entry)
        continue
      }
      let isContinued = isOutermost && continued.contains(entry.key)
      entry.value = lay(
        entry, over: lower[place].value, isContinued: isContinued,
        short: isOutermost ? nil : short, inner: isOutermost ? shortForms[entry.key] : nil)
      // If the name was removed before, the entry keeps the pack's original value.
      entry.overridden = lower[place].isWithdrawal ? lower[place].overridden : lower[place].value
      result[place] = entry
    }
    return result
  }

  private mutating func lay(
    _ entry: Node.Entry, over lower: Node, isContinued: Bool, short: ShortForm?, inner: ShortForm?
  ) -> Node {
    var value = entry.value
    switch (value.content, lower.content) {
    case (.mapping(let own), .mapping(let others)):
      value.content = .mapping(lay(own, over: others, isOutermost: false, short: inner))
    case (.sequence(let own), .sequence(let others)) where isContinued:
      value.content = .sequence(others + own)
    case (.scalar(let text), .mapping(let others))
    where text != Node.withdrawal && short.map { !$0.otherWords.contains(text) } ?? false:
      guard let short else { break }
      let row = Node.Entry(key: short.key, keyPosition: entry.value.position, value: entry.value)
      value.content = .mapping(lay([row], over: others, isOutermost: false))
    case (.scalar(let text), .mapping(let others)) where text != Node.withdrawal:
      losses.append(Loss(key: entry, lost: others.map(\.key)))
    default: break
    }
    return value
  }
}

extension Node {
  /// The word that removes a name of a pack.
  package static let withdrawal = "none"

  package var isWithdrawal: Bool {
    if case .scalar(Self.withdrawal) = content { true } else { false }
  }

  /// Returns the union of this list of words and a lower one. If either is not a list of words, returns this
  /// node.
  fileprivate func joined(to lower: Node) -> Node {
    guard let own = words, let others = lower.words, !isWithdrawal, !lower.isWithdrawal else { return self }
    var seen = Set(others.map(\.text))
    var result = self
    result.content = .sequence(others.map(\.node) + own.filter { seen.insert($0.text).inserted }.map(\.node))
    return result
  }

  private var words: [(text: String, node: Node)]? {
    switch content {
    case .scalar(let text): return [(text, self)]
    case .sequence(let nodes):
      let words = nodes.compactMap { node in
        if case .scalar(let text) = node.content { (text: text, node: node) } else { nil }
      }
      return words.count == nodes.count ? words : nil
    case .mapping: return nil
    }
  }
}
