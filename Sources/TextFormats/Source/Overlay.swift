/// Lays the values of one document over those of another: what a scenario says over what its packs say.
///
/// A mapping goes into a mapping, key by key; everything else takes the place of what is there. No section
/// of a file is treated in a way of its own, so that one which is added later needs nothing here.
package struct Overlay {
  /// A mapping of the lower document that gave way to something shorter, and all that was in it.
  package struct Loss {
    /// The key, where the upper document has it.
    package var key: Node.Entry
    /// The keys that are no longer there.
    package var lost: [String]
  }

  package private(set) var losses: [Loss] = []
  /// Keys of the outermost mapping whose lists do not give way: the upper one goes on where the lower one
  /// ends.
  package let continued: Set<String>
  /// Keys of the outermost mapping in whose mappings two documents that stand side by side add up their lists.
  package let shared: Set<String>
  /// Of a section whose rows have a short form: what a scalar stands for.
  package let shortForms: [String: ShortForm]

  /// A scalar in place of a mapping is the value of one of its keys, unless it is a word of another meaning.
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

  /// - Returns: The lower mapping's entries, changed and in their order, then those that only the upper one
  ///   has. What both have carries the upper one's positions.
  package mutating func lay(_ upper: [Node.Entry], over lower: [Node.Entry]) -> [Node.Entry] {
    lay(upper, over: lower, isOutermost: true)
  }

  /// The same of two documents of which neither stands above the other: what is ``shared`` is what either has.
  package mutating func lay(_ upper: [Node.Entry], beside lower: [Node.Entry]) -> [Node.Entry] {
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

  /// - Parameter short: The key that a scalar stands for here.
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
      // What was taken away before is still what the packs said of it.
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
  /// The word that takes away a name that a pack declares.
  package static let withdrawal = "none"

  package var isWithdrawal: Bool {
    if case .scalar(Self.withdrawal) = content { true } else { false }
  }

  /// The words of two lists, each once; this node where one of them is no list of words.
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
