/// Patterns by their words, so that neither a new one nor a link is held against all of them.
struct PatternIndex: Hashable, Sendable {
  /// The patterns that have the same words up to here.
  private struct Node: Hashable, Sendable {
    /// By the words that a pattern names as alternatives.
    var children: [[String]: Int] = [:]
    /// The same by each of the words.
    var byWord: [String: [Int]] = [:]
    /// Where any word goes on.
    var any: Int?
    /// The first pattern that ends here.
    var end: Place?
    /// The first pattern that takes the rest of a path from here.
    var rest: Place?
    /// Whose patterns begin like this; nil: those of several consumers.
    var owner: UInt32?
  }

  /// The first is the earliest of several.
  private struct Place: Hashable, Comparable, Sendable {
    var consumer: UInt32
    var pattern: UInt32

    static func < (a: Self, b: Self) -> Bool { (a.consumer, a.pattern) < (b.consumer, b.pattern) }
  }

  private var nodes: [Node] = []

  /// Adds the patterns of a consumer, of which there was none, and whose patterns no other one overlaps.
  mutating func insert(_ patterns: [LinkPattern], of consumer: UInt32) {
    for (number, pattern) in patterns.enumerated() {
      var node = root(consumer)
      for word in pattern.words { node = child(of: node, word, consumer) }
      let place = Place(consumer: consumer, pattern: UInt32(number))
      if pattern.hasRest {
        nodes[node].rest = min(nodes[node].rest ?? place, place)
      } else {
        nodes[node].end = min(nodes[node].end ?? place, place)
      }
    }
  }

  private mutating func root(_ consumer: UInt32) -> Int {
    if nodes.isEmpty { nodes.append(Node(owner: consumer)) }
    if nodes[0].owner != consumer { nodes[0].owner = nil }
    return 0
  }

  private mutating func child(of node: Int, _ word: LinkPattern.Word, _ consumer: UInt32) -> Int {
    var known: Int?
    switch word {
    case .any: known = nodes[node].any
    case .oneOf(let names): known = nodes[node].children[names]
    }
    if let known {
      if nodes[known].owner != consumer { nodes[known].owner = nil }
      return known
    }
    let new = nodes.count
    nodes.append(Node(owner: consumer))
    switch word {
    case .any: nodes[node].any = new
    case .oneOf(let names):
      nodes[node].children[names] = new
      for name in Set(names) { nodes[node].byWord[name, default: []].append(new) }
    }
    return new
  }

  /// Whether some path is one of the pattern and of another consumer's.
  func overlaps(_ pattern: LinkPattern, exceptOf consumer: UInt32) -> Bool {
    nodes.isEmpty ? false : overlaps(pattern, from: 0, 0, consumer)
  }

  private func overlaps(_ pattern: LinkPattern, from node: Int, _ depth: Int, _ consumer: UInt32) -> Bool {
    let here = nodes[node]
    if here.owner == consumer { return false }
    if let rest = here.rest, rest.consumer != consumer { return true }
    guard depth < pattern.words.count else {
      if !pattern.hasRest { return here.end.map { $0.consumer != consumer } ?? false }
      // Whatever begins like this and is another's.
      return true
    }
    if let any = here.any, overlaps(pattern, from: any, depth + 1, consumer) { return true }
    switch pattern.words[depth] {
    case .any:
      return here.children.values.contains { overlaps(pattern, from: $0, depth + 1, consumer) }
    case .oneOf(let names):
      return names.contains { name in
        (here.byWord[name] ?? []).contains { overlaps(pattern, from: $0, depth + 1, consumer) }
      }
    }
  }

  /// The first consumer with a pattern that a path fits, and the first of its patterns that does.
  func first(matching path: [String]) -> LinkDestination? {
    guard !nodes.isEmpty, let place = first(matching: path[...], from: 0) else { return nil }
    return LinkDestination(consumer: place.consumer, pattern: place.pattern)
  }

  private func first(matching path: ArraySlice<String>, from node: Int) -> Place? {
    let here = nodes[node]
    var best = here.rest
    func take(_ place: Place?) {
      if let place { best = min(best ?? place, place) }
    }
    guard let word = path.first else {
      take(here.end)
      return best
    }
    for child in here.byWord[word] ?? [] { take(first(matching: path.dropFirst(), from: child)) }
    if let any = here.any { take(first(matching: path.dropFirst(), from: any)) }
    return best
  }
}
